import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

/** Where keys of model services are given to this program; the doors have read them before any child is started. */
const MODEL_KEY_VARIABLES = [
  'GENUI_EVAL_API_KEY',
  'OPENAI_API_KEY',
  'INPUT_API-KEY',
  'INPUT_API_KEY',
  'GENUI_EVAL_JUDGE_API_KEY',
  'INPUT_JUDGE-API-KEY',
  'INPUT_JUDGE_API_KEY',
]

let sealed = false

/**
 * Keeps what this process was started with from the code of a plugin, which runs as the same user. The model keys leave `process.env`, so that
 * no child inherits them; and the block that `/proc/<pid>/environ` shows of this process is blanked, which deleting a variable does not do. All
 * other variables keep their values. Linux only, and no wall against one who can read our memory: docs/agents.md says what remains.
 */
export function sealOwnEnvironment(): void {
  if (sealed) return
  sealed = true
  for (const name of MODEL_KEY_VARIABLES) delete process.env[name]
  if (process.platform !== 'linux') return
  // Setting a variable copies it out of the initial block, so that nothing points there any more.
  for (const [name, value] of Object.entries(process.env)) process.env[name] = value
  try {
    blankInitialBlock()
  } catch {
    // A kernel or sandbox that forbids it: the children's own environments are clean all the same.
  }
}

/** Fields 50 and 51 of `/proc/self/stat`: addresses of the block's start and end. */
function blankInitialBlock(): void {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fromThird = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [start, end] = [Number(fromThird[47]), Number(fromThird[48])]
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start === 0 || end <= start) return
  const memory = openSync('/proc/self/mem', 'r+')
  try {
    writeSync(memory, Buffer.alloc(end - start), 0, end - start, start)
  } finally {
    closeSync(memory)
  }
}
