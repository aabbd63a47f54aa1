import { readLabelFile } from '../labelling/label-file.ts'
import { UserError } from '../model/errors.ts'
import type { Label } from '../model/label.ts'
import type { TrialRecord } from '../model/record.ts'
import type { LoadedTask } from '../model/task.ts'
import type { RunFolder } from '../records/run-folder.ts'
import { labelledDigest } from './label-run.ts'
import type { JudgeExample } from './judge-examples.ts'
import { readRecordedRun } from './recorded-run.ts'

export interface LabelledExamples {
  readonly examples: readonly JudgeExample[]
  /** Labels that cannot be held against the judge: `trial rubric: why`. */
  readonly left_out: readonly string[]
}

/**
 * The labelled trials of a run, as the judge would see them. Labels of other runs in the file are passed over.
 * @throws UserError when no label is of this run
 */
export async function labelledExamples(labelFile: string, runFolder: string, tasks: readonly LoadedTask[]): Promise<LabelledExamples> {
  const labels = await readLabelFile(labelFile)
  const { folder, records } = await readRecordedRun(runFolder)
  const byTrial = new Map(records.map((record) => [`${record.run_id} ${record.trial_id}`, record]))
  const own = labels.filter((label) => byTrial.has(`${label.run_id} ${label.trial_id}`))
  if (own.length === 0) {
    throw new UserError([
      { where: labelFile, at: '', message: `holds no label of the run in ${runFolder}; give the run that was labelled with --run` },
    ])
  }
  const left: string[] = []
  const byLabelled = Map.groupBy(own, ({ trial_id: id }) => id)
  const made = await Promise.all(
    [...byLabelled.values()].map(async (those) => {
      const [first] = those
      const record = first === undefined ? undefined : byTrial.get(`${first.run_id} ${first.trial_id}`)
      const task = tasks.find((each) => each.task.task_id === first?.task_id)
      if (record === undefined || task === undefined) {
        left.push(...those.map((label) => `${label.trial_id} ${label.rubric_id}: its task is not among those that are validated`))
        return []
      }
      return exampleOf(those, record, task, folder, left)
    }),
  )
  return { examples: made.flat(), left_out: left.sort() }
}

async function exampleOf(
  labels: readonly Label[],
  record: TrialRecord,
  { task }: LoadedTask,
  folder: RunFolder,
  left: string[],
): Promise<JudgeExample[]> {
  const read = (name: string): Promise<string | null> => folder.read(`trials/${record.trial_id}/${name}`)
  const transcript = await folder.transcript(`trials/${record.trial_id}/transcript.json`).catch(() => null)
  const html = record.app_file === null ? null : await read('app.html')
  const usable = labels.filter((label) => {
    const stale = transcript === null || label.app_sha256 !== labelledDigest(html, transcript.final_text)
    const unknown = !task.model_grader_rubrics.some(({ id }) => id === label.rubric_id)
    if (stale) left.push(`${label.trial_id} ${label.rubric_id}: what was labelled is not what the run folder holds now`)
    else if (unknown) left.push(`${label.trial_id} ${label.rubric_id}: the task has no such rubric any more`)
    return !stale && !unknown
  })
  if (transcript === null || usable.length === 0) return []
  const example: JudgeExample = {
    id: `label-${record.trial_id}`,
    group: 'label',
    task,
    specimen: record.trial_id,
    transcript,
    app: html === null ? null : { html, from: 'arguments' },
    expected: new Map(usable.map(({ rubric_id: id, verdict }) => [id, verdict])),
    host: null,
  }
  return [example]
}
