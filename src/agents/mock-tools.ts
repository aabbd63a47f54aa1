import type { MockToolCall } from '../model/task.ts'
import type { ToolAnswer, ToolSchema } from './tool-schema.ts'

export type MockToolName = MockToolCall['tool']

const one = (name: string, description: string): Readonly<Record<string, unknown>> => ({
  type: 'object',
  properties: { [name]: { type: 'string', description } },
  required: [name],
})

/** The benchmark's tools: the same in every task, so that their presence gives nothing away. */
const MOCKED: Readonly<Record<MockToolName, ToolSchema>> = {
  read_file: {
    name: 'read_file',
    description: 'Read a text file from the workspace of the user.',
    parameters: one('path', 'Path of the file'),
  },
  web_search: {
    name: 'web_search',
    description: 'Search the web and get the best results.',
    parameters: one('query', 'What to search for'),
  },
  execute_command: {
    name: 'execute_command',
    description: 'Run a shell command on the machine of the user and get its output.',
    parameters: one('cmd', 'Command line'),
  },
  memory_read: {
    name: 'memory_read',
    description: 'Read what is remembered about the user and earlier conversations.',
    parameters: { type: 'object', properties: { key: { type: 'string', description: 'Topic to look up; leave out for everything' } } },
  },
  fetch_unread_emails: {
    name: 'fetch_unread_emails',
    description: 'Get the unread emails of the user, newest first.',
    parameters: { type: 'object', properties: { limit: { type: 'integer', description: 'How many at most' } } },
  },
}

export const WRITE_FILE: ToolSchema = {
  name: 'write_file',
  description: 'Write a text file into the current directory, replacing it if it exists.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Path of the file' }, content: { type: 'string', description: 'Whole content' } },
    required: ['path', 'content'],
  },
}

/** Schemas of the tools that every task has, beside the plugin's. */
export const BENCH_TOOLS: readonly ToolSchema[] = [...Object.values(MOCKED), WRITE_FILE]

export function isMockTool(name: string): name is MockToolName {
  return Object.hasOwn(MOCKED, name)
}

/**
 * Answers a call of a benchmark tool from the task's mocked context. Arguments are matched leniently (same path or file name, overlapping
 * query words, same command or place); anything else gets an explicit empty result of the kind the real tool gives, never another task's data.
 */
export function answerMockTool(
  context: readonly MockToolCall[],
  name: MockToolName,
  args: Readonly<Record<string, unknown>>,
): ToolAnswer & { readonly matched: boolean } {
  const asked = wordsGiven(args)
  let best: { readonly mock: MockToolCall; readonly score: number } | null = null
  for (const mock of context) {
    if (mock.tool !== name) continue
    const score = likeness(name, asked, mock)
    if (score > 0 && (best === null || score > best.score)) best = { mock, score }
  }
  return best === null ? { ...emptyResult(name, asked), matched: false } : { result: best.mock.output, status: 'ok', matched: true }
}

/** All texts among the arguments: which key a model chose for the path or query does not matter, limits and flags neither. */
function wordsGiven(args: Readonly<Record<string, unknown>>): string {
  return Object.values(args)
    .filter((value) => typeof value === 'string' && value !== '')
    .join(' ')
    .trim()
}

/** 0 = no match; greater = better. */
function likeness(name: MockToolName, asked: string, mock: MockToolCall): number {
  const known = wordsGiven(mock.args)
  switch (name) {
    case 'memory_read':
    case 'fetch_unread_emails':
      return 1
    case 'read_file':
      return pathLikeness(asked, known)
    case 'web_search':
      return queryLikeness(asked, known, mock.output)
    case 'execute_command':
      return commandLikeness(asked, known)
  }
}

function pathLikeness(asked: string, known: string): number {
  const a = normalPath(asked)
  const b = normalPath(known)
  if (a === b) return 2
  return fileName(a) !== '' && fileName(a) === fileName(b) ? 1 : 0
}

const normalPath = (path: string): string =>
  path
    .trim()
    .toLowerCase()
    .replaceAll('\\', '/')
    .replace(/^\.\//, '')
    .replaceAll(/\/{2,}/g, '/')
const fileName = (path: string): string => path.split('/').at(-1) ?? ''

const STOP_WORDS = new Set(
  'a an and about are as at by do does for from how in into is it its me my of on or that the this to vs what when which with'.split(' '),
)

function queryWords(text: string): Set<string> {
  const words = text
    .toLowerCase()
    .normalize('NFKC')
    .split(/[^\p{L}\p{N}]+/u)
  return new Set(words.filter((word) => word.length > 1 && !STOP_WORDS.has(word)).map((word) => word.replace(/(?<=\p{L}{3})s$/u, '')))
}

/** A third of the known query's words, or half of the asked words (two at least) standing in the result: a search engine would find it. */
function queryLikeness(asked: string, known: string, output: string): number {
  const askedWords = queryWords(asked)
  const knownWords = queryWords(known)
  const outputWords = queryWords(output)
  const shared = [...knownWords].filter((word) => askedWords.has(word)).length
  const inOutput = [...askedWords].filter((word) => outputWords.has(word)).length
  if (shared > 0 && shared * 3 >= knownWords.size) return 1 + shared / Math.max(1, knownWords.size)
  return inOutput >= 2 && inOutput * 2 >= askedWords.size ? inOutput / Math.max(1, askedWords.size) : 0
}

/** Programs that answer the same question. */
const COMMAND_FAMILIES: readonly (readonly string[])[] = [
  ['ls', 'dir', 'find', 'du', 'stat', 'tree', 'exa', 'eza'],
  ['ps', 'top', 'htop', 'pgrep', 'free', 'vmstat', 'smem'],
]

/** Same line; else the same family of programs, about the same place when the known command names one. */
function commandLikeness(asked: string, known: string): number {
  if (asked.replaceAll(/\s+/g, ' ') === known.replaceAll(/\s+/g, ' ')) return 3
  const family = (program: string): string => String(COMMAND_FAMILIES.findIndex((names) => names.includes(program)))
  const knownFamilies = new Set(
    programs(known)
      .slice(0, 1)
      .map((program) => (family(program) === '-1' ? program : family(program))),
  )
  const related = programs(asked).some((program) => knownFamilies.has(family(program) === '-1' ? program : family(program)))
  if (!related) return 0
  const knownPlaces = places(known)
  if (knownPlaces.length === 0) return 1
  const askedPlaces = places(asked)
  return knownPlaces.some((place) => askedPlaces.some((other) => other === place || fileName(other) === fileName(place))) ? 2 : 0
}

/** First word of each segment of a command line, without sudo and paths. */
function programs(line: string): string[] {
  return line
    .split(/\|\|?|&&|;|\n/)
    .map(
      (segment) =>
        segment
          .trim()
          .replace(/^sudo\s+/, '')
          .split(/\s+/)[0],
    )
    .filter((program): program is string => program !== undefined && program !== '')
    .map(fileName)
}

/** Path-like arguments, with `~`, `$HOME` and home folders made equal and trailing globs cut. */
function places(line: string): string[] {
  const first = line.split(/\|\|?/)[0] ?? ''
  return first
    .split(/\s+/)
    .slice(1)
    .map((word) => word.replaceAll(/["']/g, ''))
    .filter((word) => !word.startsWith('-') && /[/~$]/.test(word))
    .map((word) =>
      word
        .replace(/^(?:\$HOME|\/home\/[^/]+|\/Users\/[^/]+|\/root)(?=\/|$)/, '~')
        .replace(/\/(?:\*[^/]*)?$/, '')
        .toLowerCase(),
    )
}

function emptyResult(name: MockToolName, asked: string): ToolAnswer {
  switch (name) {
    case 'read_file':
      return { result: `Error: No such file: ${asked === '' ? '(no path given)' : asked}`, status: 'error' }
    case 'web_search':
      return { result: `No results found for "${asked}".`, status: 'ok' }
    case 'execute_command':
      return emptyCommandResult(asked)
    case 'memory_read':
      return { result: 'No memories stored.', status: 'ok' }
    case 'fetch_unread_emails':
      return { result: 'No unread emails.', status: 'ok' }
  }
}

function emptyCommandResult(asked: string): ToolAnswer {
  const program = programs(asked)[0] ?? ''
  const place = places(asked)[0]
  if (program === '') return { result: 'Error: no command given.', status: 'error' }
  if (place !== undefined)
    return { result: `${program}: cannot access '${place}': No such file or directory\n[exit code 2]`, status: 'error' }
  return { result: '[no output, exit code 0]', status: 'ok' }
}
