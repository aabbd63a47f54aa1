// What the scripted judge makes of the prompt that it is sent. It knows nothing else: no task, no file, no name of a specimen.

export interface Control {
  readonly kind: string
  readonly checked: boolean | null
  readonly name: string
}

/** One observed screen, whole again: the prompt tells the first in full and of the others what changed. */
export interface Screen {
  /** `settled`, or what was done before. */
  readonly label: string
  readonly lines: readonly string[]
  readonly controls: readonly Control[]
  readonly fields: readonly string[]
  /** Lines of text that were not on the screen before. */
  readonly fresh: readonly string[]
}

export interface Step {
  readonly action: string
  readonly name: string
  readonly changed: boolean
}

export interface Material {
  readonly userPrompt: string
  readonly toolAnswers: string
  readonly toolCalls: readonly string[]
  readonly words: string
  /** Null when the agent rendered nothing. */
  readonly source: string | null
  readonly screens: readonly Screen[]
  readonly steps: readonly Step[]
  readonly payloads: readonly Readonly<Record<string, unknown>>[]
  /** Everything that may be quoted, in the order of the prompt. */
  readonly texts: readonly string[]
}

export interface Question {
  readonly id: string
  readonly criteria: string
}

export interface ReadPrompt {
  readonly material: Material
  readonly rubrics: readonly Question[]
  /** One answer holds all rubrics. */
  readonly together: boolean
}

/** Reads the user message of a judge's prompt; null when it is none. */
export function readPrompt(text: string): ReadPrompt | null {
  const mark = /^The material of the attempt\. The mark of its data lines is (\w+)\.$/m.exec(text)?.[1]
  const rubricsAt = text.search(/^The rubrics? to decide/m)
  if (mark === undefined || rubricsAt === -1) return null
  const blocks = new Map<string, string>()
  const pattern = new RegExp(`^(.+):\\n\\[data ${mark}\\]\\n([^]*?)\\n\\[/data ${mark}\\]$`, 'gm')
  for (const [, heading = '', body = ''] of text.matchAll(pattern)) blocks.set(heading, body)
  const rubricText = text.slice(lastRubrics(text))
  const rubrics = [...rubricText.matchAll(/^Rubric ([a-z0-9_]+):\n([^]*?)(?=\n\nRubric |\n\nAnswer in this form)/gm)].map(
    ([, id = '', criteria = '']) => ({ id, criteria }),
  )
  return { material: materialOf(blocks), rubrics, together: rubricText.startsWith('The rubrics to decide') }
}

/** What stands last counts: material could hold the same words. */
function lastRubrics(text: string): number {
  return Math.max(text.lastIndexOf('\n\nThe rubric to decide:'), text.lastIndexOf('\n\nThe rubrics to decide, each on its own:')) + 2
}

function materialOf(blocks: ReadonlyMap<string, string>): Material {
  const of = (heading: string): string => blocks.get(heading) ?? ''
  return {
    userPrompt: of("The user's prompt"),
    toolAnswers: of('What the tools of this task answer to the agent'),
    toolCalls: linesOf(of('Tools that the agent called, in order')),
    words: of("The agent's last words to the user"),
    source: blocks.get("The app's source, as served") ?? null,
    screens: screensOf(blocks),
    steps: linesOf(of('Steps done to the app, as a user would')).flatMap(readStep),
    payloads: linesOf(of('Payloads that the app sent to the agent, in order')).flatMap(readPayload),
    texts: [...blocks.values()],
  }
}

function screensOf(blocks: ReadonlyMap<string, string>): Screen[] {
  const numbers = [...blocks.keys()].flatMap((heading) => /^Screen (\d+): /.exec(heading)?.[1] ?? [])
  const told = [...new Set(numbers.map(Number))].sort((a, b) => a - b)
  const listed = [...blocks].find(([heading]) => heading.startsWith('Screens observed'))?.[1] ?? ''
  const labels = new Map([...listed.matchAll(/^(\d+)\. (.*)$/gm)].map(([, number, label = '']) => [Number(number), label]))
  const screens: Screen[] = []
  for (const number of told) {
    const before = screens.at(-1)
    const block = (name: string): string[] => linesOf(blocks.get(`Screen ${number}: ${name}`) ?? '')
    const now = (name: string, earlier: readonly string[] | undefined): string[] =>
      earlier === undefined ? block(name) : [...without(earlier, block(`${name}: gone`)), ...block(`${name}: appeared`)]
    const lines = now('text on screen', before?.lines)
    screens.push({
      label: labels.get(number) ?? '',
      lines,
      fresh: before === undefined ? lines : block('text on screen: appeared'),
      controls: now('controls that can be used', before?.controls.map(controlLine)).flatMap(readControl),
      fields: now('values of form fields', before?.fields),
    })
  }
  return screens
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))

function without(lines: readonly string[], gone: readonly string[]): string[] {
  const left = [...lines]
  for (const line of gone) {
    const at = left.indexOf(line)
    if (at !== -1) left.splice(at, 1)
  }
  return left
}

function readControl(line: string): Control[] {
  const [, kind = '', checked, name = '""'] = /^(\w+)(, checked|, not checked)?: (".*")$/.exec(line) ?? []
  return kind === '' ? [] : [{ kind, checked: checked === undefined ? null : checked === ', checked', name: JSON.parse(name) as string }]
}

function controlLine({ kind, checked, name }: Control): string {
  return `${kind}${checked === null ? '' : checked ? ', checked' : ', not checked'}: ${JSON.stringify(name)}`
}

function readStep(line: string): Step[] {
  const [, action = '', name = '""', effects = ''] = /^\d+\. (\S+) ("(?:[^"\\]|\\.)*").*: (done.*|no_match.*|failed.*)$/.exec(line) ?? []
  return action === '' ? [] : [{ action, name: JSON.parse(name) as string, changed: effects.includes('the screen changed') }]
}

function readPayload(line: string): Readonly<Record<string, unknown>>[] {
  try {
    const value = JSON.parse(line) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? [value as Record<string, unknown>] : []
  } catch {
    return []
  }
}
