/** The one Markdown report behind comment, check run and job summary, and its step-down to their limits. */
import type { Results } from '../model/results.ts'
import { plural } from './figures.ts'
import { failingTrialTellings, type Pictures } from './failing-trial.ts'
import {
  factsLine,
  folded,
  linksLine,
  noticesAlert,
  repeatSection,
  sharedSection,
  spendingSection,
  suiteLine,
  table,
  tableHead,
  tableRow,
  verdictHeading,
  type ReportLinks,
} from './markdown-sections.ts'
import { Room, fitAll, type Limits } from './room.ts'
import { failingTrials, reportedTasks, type FailingTrial, type ReportedTask } from './selection.ts'
import { isShared, sharedCause } from './shared-cause.ts'
import { sensitivitySentence } from './verdict-words.ts'

export interface MarkdownReport {
  readonly body: string
  /** What did not fit, in words: `12 failing trials`. */
  readonly leftOut: readonly string[]
}

export interface MarkdownOptions extends Limits {
  readonly links: ReportLinks
  readonly pictures: Pictures
  /** Lines before the verdict (a hidden marker); counted, never left out. */
  readonly before: readonly string[]
  /** `elsewhere` leaves failing trials to another text, as a check run has one; default `here`. */
  readonly trials?: 'here' | 'elsewhere'
}

/** Room kept for the sentences that say what was left out. */
const RESERVE = 500

/**
 * Blocks in order of worth: verdict, notable tasks, notices, one failing trial a task, how to repeat, spending, stable
 * tasks, further trials. Whole blocks are left out; the verdict never is.
 */
export function markdownReport(results: Results, options: MarkdownOptions): MarkdownReport {
  const room = new Room({ maxBytes: options.maxBytes - RESERVE, maxUnits: options.maxUnits - RESERVE })
  const { links } = options
  const tasks = reportedTasks(results)
  const isStable = (task: ReportedTask): boolean => task.verdict.status === 'stable' && task.verdict.quarantine === null
  const taken = (text: string | null): string | null => (text !== null && room.take(text) ? text : null)

  const top = [...options.before, [600, 200, 80].map((most) => verdictHeading(results, most)).find((heading) => room.fits(heading)) ?? '']
  for (const text of top) room.take(text)
  const facts = taken(factsLine(results))
  const linkLine = taken(linksLine(links))
  const suite = taken(suiteLine(results))
  const sensitivity = taken(sensitivitySentence(results))
  const shared = sharedCause(results)
  const sharedLine = shared === null ? null : taken(sharedSection(shared))
  const notices = taken(noticesAlert(results, shared, 12)) ?? taken(noticesAlert(results, shared, 5, 200))
  const notable = fitTable(
    results,
    tasks.filter((task) => !isStable(task)),
    links,
    room,
  )
  const repeat = taken(repeatSection(results))
  const spending = taken(spendingSection(results))

  const failing = options.trials === 'elsewhere' ? [] : failingTrials(tasks)
  const isFirst = (entry: FailingTrial): boolean =>
    !isStable(entry.task) && entry.task.trials.find((trial) => trial.verdict === 'fail') === entry.trial
  // what most trials share is told of one of them
  const alike = failing.filter(({ trial }) => isShared(trial, shared)).slice(1)
  const told = failing.filter((entry) => !alike.includes(entry))
  const first = told.filter(isFirst)
  const others = told.filter((entry) => !isFirst(entry))
  const tell = (entry: FailingTrial): readonly [string, string, string] => failingTrialTellings(entry, links, options.pictures)
  const firstBlocks = fitAll(first.map(tell), room)
  const stable = fitTable(results, tasks.filter(isStable), links, room)
  const further = firstBlocks.left > 0 ? { blocks: [], left: others.length } : fitAll(others.map(tell), room)

  const trialsLeft = firstBlocks.left + further.left
  const more = (count: number, what: string): string | null => (count === 0 ? null : `*${plural(count, `more ${what}`)} in the report.*`)
  const trialBlocks = [
    ...firstBlocks.blocks,
    ...(further.blocks.length === 0 ? [] : [folded(plural(further.blocks.length, 'further failing trial'), further.blocks.join('\n\n'))]),
  ]
  const stableCount = tasks.filter(isStable).length
  const body = [
    ...top,
    facts,
    notices,
    sharedLine,
    notable.text,
    notable.golden ? GOLDEN_LEGEND : null,
    more(notable.left, 'task'),
    stable.text === null
      ? null
      : folded(plural(stableCount, 'stable task'), stable.golden ? `${stable.text}\n\n${GOLDEN_LEGEND}` : stable.text),
    more(stable.left, 'stable task'),
    suite,
    sensitivity,
    trialBlocks.length === 0 ? null : `#### Failing trials\n\n${trialBlocks.join('\n\n')}`,
    more(trialsLeft, 'failing trial'),
    alike.length === 0 ? null : `*${plural(alike.length, 'trial')} that failed alike ${alike.length === 1 ? 'is' : 'are'} in the report.*`,
    spending,
    repeat,
    linkLine,
  ].filter((part) => part !== null && part !== '')
  return {
    body: body.join('\n\n'),
    leftOut: [
      ...(notable.left > 0 ? [plural(notable.left, 'task')] : []),
      ...(stable.left > 0 ? [plural(stable.left, 'stable task')] : []),
      ...(trialsLeft > 0 ? [plural(trialsLeft, 'failing trial')] : []),
      ...(notices === null && noticesAlert(results, shared, 1) !== null ? ['notices'] : []),
      ...(repeat === null ? ['the command that repeats the run'] : []),
      ...(spending === null ? ['cost and time'] : []),
    ],
  }
}

const GOLDEN_LEGEND = '★ golden: must not fall below its floor, whatever the baseline says.'

interface FittedTable {
  readonly text: string | null
  readonly left: number
  /** A row of the table has the star. */
  readonly golden: boolean
}

/** As many rows as fit, causes shortened first. `text` is null when no row fits or there is none. */
function fitTable(results: Results, tasks: readonly ReportedTask[], links: ReportLinks, room: Room): FittedTable {
  if (tasks.length === 0) return { text: null, left: 0, golden: false }
  const shared = sharedCause(results)
  const hasGolden = (count: number): boolean => tasks.slice(0, count).some((task) => task.verdict.golden)
  const head = tableHead(results)
  const write = (count: number, mostCause: number): string =>
    table(
      head,
      tasks.slice(0, count).map((task) => tableRow(task, links, mostCause, shared)),
    )
  for (const mostCause of [120, 40]) {
    const text = write(tasks.length, mostCause)
    if (room.take(text)) return { text, left: 0, golden: hasGolden(tasks.length) }
  }
  // Padding makes the width depend on the longest cell, so the count is searched for, not added up.
  let low = 0
  let high = tasks.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (room.fits(write(middle, 40))) low = middle
    else high = middle - 1
  }
  const text = low === 0 ? null : write(low, 40)
  if (text !== null) room.take(text)
  return { text, left: tasks.length - low, golden: hasGolden(low) }
}
