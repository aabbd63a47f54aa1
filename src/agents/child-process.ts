import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { forgetGroup, killGroup, rememberGroup } from './left-behind.ts'
import { sealOwnEnvironment } from './own-environment.ts'
import { sweepMarkedProcesses } from './process-sweep.ts'

/** Longest protocol line that is read, bytes; a longer one ends the child. */
const MAX_LINE = 24 * 1024 * 1024
const STDERR_TAIL = 4000

export interface ChildEnd {
  readonly code: number | null
  readonly signal: string | null
}

/** A child that speaks one JSON value a line on stdin and stdout, in a process group of its own. */
export interface JsonChild {
  /** Queues one message; ignored when the child is gone. */
  send(message: unknown): void
  /** Next message; null when the child closed its stdout. */
  next(): Promise<unknown>
  readonly ended: Promise<ChildEnd>
  /** Last characters the child wrote to stderr. */
  stderrTail(): string
  /** Kills the group and every descendant that left it; resolves when the child itself is gone. */
  kill(): Promise<void>
}

export interface ChildOptions {
  readonly program: string
  readonly args: readonly string[]
  /** The trial's scratch folder; `work/` in it becomes the working directory, `home/` the home. */
  readonly scratchFolder: string
  readonly env?: Readonly<Record<string, string>>
}

/** Lines that are no JSON are kept as evidence and skipped. */
export class NotJson {
  readonly line: string
  constructor(line: string) {
    this.line = line
  }
}

export async function makeScratch(scratchFolder: string): Promise<{ work: string; home: string; tmp: string }> {
  const folders = { work: join(scratchFolder, 'work'), home: join(scratchFolder, 'home'), tmp: join(scratchFolder, 'tmp') }
  await Promise.all(Object.values(folders).map(async (folder) => mkdir(folder, { recursive: true })))
  return folders
}

/** Starts a child with an allow-listed environment: nothing of this process's own environment but PATH is inherited. */
export async function startJsonChild(options: ChildOptions): Promise<JsonChild> {
  sealOwnEnvironment()
  const folders = await makeScratch(options.scratchFolder)
  const marker = `GENUI_EVAL_CHILD=${randomUUID()}`
  const [markerName = '', markerValue = ''] = marker.split('=')
  const child = spawn(options.program, [...options.args], {
    cwd: folders.work,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
      HOME: folders.home,
      TMPDIR: folders.tmp,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      ...options.env,
      [markerName]: markerValue,
    },
  })

  let tail = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-STDERR_TAIL)
  })
  child.stdin.on('error', () => undefined)

  const ended = new Promise<ChildEnd>((resolve) => {
    child.once('error', (error) => {
      tail = `${tail}\n${error.message}`.slice(-STDERR_TAIL)
      resolve({ code: null, signal: null })
    })
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })

  const { pid } = child
  if (pid !== undefined) rememberGroup(pid, marker)
  const kill = async (): Promise<void> => {
    if (pid !== undefined) killGroup(pid)
    await ended
    await sweepMarkedProcesses(marker)
    if (pid !== undefined) forgetGroup(pid)
    child.stdout.destroy()
    child.stderr.destroy()
  }

  const messages = readMessages(
    child.stdout,
    () => {
      if (pid !== undefined) killGroup(pid)
    },
    ended,
  )
  return {
    send: (message) => {
      if (child.stdin.writable) child.stdin.write(`${JSON.stringify(message)}\n`)
    },
    next: messages,
    ended,
    stderrTail: () => tail.trim(),
    kill,
  }
}

function readMessages(stdout: NodeJS.ReadableStream, tooLong: () => void, ended: Promise<ChildEnd>): () => Promise<unknown> {
  const waiting: ((message: unknown) => void)[] = []
  const ready: unknown[] = []
  let closed = false
  const deliver = (message: unknown): void => {
    const receiver = waiting.shift()
    if (receiver === undefined) ready.push(message)
    else receiver(message)
  }
  const close = (): void => {
    closed = true
    for (const receiver of waiting.splice(0)) receiver(null)
  }
  let sinceNewline = 0
  stdout.on('data', (chunk: Buffer) => {
    sinceNewline = chunk.includes(10) ? chunk.length : sinceNewline + chunk.length
    if (sinceNewline > MAX_LINE) tooLong()
  })
  createInterface({ input: stdout, crlfDelay: Infinity })
    .on('line', (line) => {
      if (line.trim() !== '') deliver(parseLine(line))
    })
    .on('close', close)
  // A grandchild may hold stdout open after the child is gone: give what is in flight a moment, then close.
  void ended.then(() => setTimeout(close, 200).unref())
  return async () => {
    if (ready.length > 0) return ready.shift()
    if (closed) return null
    return new Promise((resolve) => waiting.push(resolve))
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return new NotJson(line.slice(0, 300))
  }
}
