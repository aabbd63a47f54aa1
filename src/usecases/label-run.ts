import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { openLabelFile } from '../labelling/label-file.ts'
import type { LabelItem, LabelStep } from '../labelling/label-item.ts'
import { startLabelServer } from '../labelling/label-server.ts'
import { UserError } from '../model/errors.ts'
import { labelKey, type Label } from '../model/label.ts'
import type { TrialRecord } from '../model/record.ts'
import type { Task } from '../model/task.ts'
import type { RunFolder } from '../records/run-folder.ts'
import { labelPage } from '../report/label/page.ts'
import { visibleText } from '../report/visible-text.ts'
import { loadTasks } from '../tasks/load.ts'
import { withMirroredScripts } from './mirrored-scripts.ts'
import { readRecordedRun } from './recorded-run.ts'

export interface LabelRunOptions {
  readonly run_folder: string
  readonly tasks_folder: string
  /** Null = `labels.jsonl` in the run folder. */
  readonly label_file: string | null
  /** 0 = any free port. */
  readonly port: number
}

/** An open labelling session. */
export interface LabelSession {
  /** Address of the page; whoever has it may label. */
  readonly url: string
  readonly label_file: string
  /** What there is to label. */
  readonly total: number
  /** What was labelled before. */
  readonly already: number
  /** Resolves when the person ends the session from the page. */
  readonly ended: Promise<void>
  /** Labels of this run that stand now. */
  standing(): readonly Label[]
  close(): Promise<void>
}

/**
 * Opens a page on loopback where a person says PASS or FAIL of a run's trials, rubric by rubric, without being told what the judge said.
 * @throws UserError when the folder holds no run, or nothing in it can be labelled
 */
export async function openLabelSession(options: LabelRunOptions): Promise<LabelSession> {
  const { folder, records } = await readRecordedRun(options.run_folder)
  const tasks = await loadTasks(options.tasks_folder, {})
  const byId = new Map(tasks.map(({ task }) => [task.task_id, task]))
  const items = await labelItems(records, byId, folder)
  if (items.length === 0) {
    const message = 'holds no trial with a rubric to label: trials that could not be measured, and tasks without rubrics, have none'
    throw new UserError([{ where: options.run_folder, at: '', message }])
  }
  const labelFile = resolve(options.label_file ?? join(options.run_folder, 'labels.jsonl'))
  const log = await openLabelFile(labelFile)
  const standing = (): Label[] =>
    items.flatMap((item) => {
      const label = log.standing.get(labelKey(item))
      return label?.app_sha256 === item.app_sha256 ? [label] : []
    })
  const next = `npx genui-eval validate --judge MODEL --labels ${shown(labelFile)} --run ${shown(options.run_folder)}`
  const facts = { label_file: labelFile, next_command: next }
  const server = await startLabelServer({
    items,
    log,
    port: options.port,
    page: (nonce) => labelPage(facts, nonce),
    readPicture: (file) => readFile(join(folder.path, file)).catch(() => null),
    readApp: async (item) => {
      const html = await folder.read(appFileOf(item.trial_id))
      return html === null ? null : withMirroredScripts(html)
    },
  }).catch(async (error: unknown) => {
    await log.close()
    throw new UserError(
      `the labelling page cannot be served on port ${options.port}: ${error instanceof Error ? error.message : String(error)}`,
    )
  })
  return {
    url: server.url,
    label_file: labelFile,
    total: items.length,
    already: standing().length,
    ended: server.ended,
    standing,
    close: async () => {
      await server.close()
      await log.close()
    },
  }
}

/** One item per rubric and measured trial: rubrics one after another, so that the person reads each criterion once. */
async function labelItems(records: readonly TrialRecord[], tasks: ReadonlyMap<string, Task>, folder: RunFolder): Promise<LabelItem[]> {
  const measured = records.filter((record) => record.verdict !== 'infra' && isPlainName(record.trial_id))
  const made = await Promise.all(
    measured.map(async (record) => {
      const task = tasks.get(record.task_id)
      return task === undefined ? [] : itemsOf(record, task, folder)
    }),
  )
  return made.flat().sort((a, b) => order(a.task_id, b.task_id) || order(a.rubric_id, b.rubric_id) || order(a.trial_id, b.trial_id))
}

async function itemsOf(record: TrialRecord, task: Task, folder: RunFolder): Promise<LabelItem[]> {
  const transcript = await folder.transcript(`trials/${record.trial_id}/transcript.json`).catch(() => null)
  const app = record.app_file === null ? null : await folder.read(appFileOf(record.trial_id))
  const words = transcript?.final_text ?? ''
  return task.model_grader_rubrics.map((rubric) => ({
    run_id: record.run_id,
    trial_id: record.trial_id,
    task_id: record.task_id,
    rubric_id: rubric.id,
    criteria: rubric.criteria,
    user_prompt: visibleText(task.user_prompt),
    tool_context: task.mock_tool_context.map(({ tool, args, output }) => ({
      tool,
      args: visibleText(JSON.stringify(args)),
      output: visibleText(output),
    })),
    final_text: visibleText(words),
    tool_calls: (transcript?.tool_calls ?? []).map(({ name }) => visibleText(name)),
    steps: record.steps.map(describeStep),
    payloads: record.callbacks.map(({ payload, reason }) => visibleText(reason ?? JSON.stringify(payload, null, 2))),
    pictures: picturesOf(record),
    app_sha256: labelledDigest(app, words),
    has_app: app !== null,
  }))
}

/** Digest of what a label speaks of: the document, or the answer in words when nothing was rendered. */
export function labelledDigest(app: string | null, words: string): string {
  return createHash('sha256')
    .update(app ?? words)
    .digest('hex')
}

function describeStep({ action, name, target, value, status, sent }: TrialRecord['steps'][number]): LabelStep {
  const words = [action.replaceAll('_', ' '), `“${name === '' ? target : name}”`, ...(value === null ? [] : [`= ${value}`])]
  const trouble = status === 'done' ? '' : status === 'no_match' ? ' (nothing fitting was there)' : ' (the page refused)'
  return { text: visibleText(words.join(' ')) + trouble, sent, done: status === 'done' }
}

function picturesOf({ trial_id: id, screenshots, steps }: TrialRecord): LabelItem['pictures'] {
  return screenshots.flatMap((file) => {
    const [, number] = /^step-(\d+)\.png$/.exec(file.slice(`trials/${id}/`.length)) ?? []
    if (number === undefined || !file.startsWith(`trials/${id}/`)) return []
    const step = steps[Number(number) - 1]
    return [{ file, caption: step === undefined ? 'After loading' : `After step ${Number(number)}: ${describeStep(step).text}` }]
  })
}

const appFileOf = (trialId: string): string => `trials/${trialId}/app.html`

/** Records may come from elsewhere: what they name must not lead out of the run folder. */
function isPlainName(name: string): boolean {
  return /^[\w.-]+$/.test(name) && !/^\.+$/.test(name)
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const shown = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)
