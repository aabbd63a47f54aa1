import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DownloadedArtifact } from '../github/downloads.ts'
import { UserError } from '../model/errors.ts'
import type { TrialRecord } from '../model/record.ts'
import type { Problem } from '../model/schema.ts'
import { readRecords } from '../records/read-records.ts'
import { expectedTrials, parseShardPlan, SHARD_FILE, tasksOfShard, type ShardPlan } from './shard-plan.ts'

/** All shards of a run, held against what was planned. */
export interface CollectedShards {
  /** One a shard that arrived, by number. */
  readonly plans: readonly ShardPlan[]
  /** Where each of them lies. */
  readonly folders: readonly { readonly number: number; readonly folder: string }[]
  readonly records: readonly TrialRecord[]
  readonly planned: number
  /** Sentences that name missing and duplicate shards and missing trials; any makes the run inconclusive, whatever was asked of one. */
  readonly gaps: readonly string[]
}

/** Where a shard's plan and records lie, and how the place is called in messages. */
export type ShardFolder = Pick<DownloadedArtifact, 'name' | 'folder'>

interface Arrived {
  readonly artifact: ShardFolder
  readonly plan: ShardPlan
}

/**
 * Reads the shards of one run. Of several attempts of a shard the newest counts; two of one attempt are a duplicate, and neither is believed.
 * Throws UserError when there is none, or when they do not belong together.
 */
export async function collectShards(artifacts: readonly ShardFolder[]): Promise<CollectedShards> {
  const arrived = await Promise.all(artifacts.map(readPlan))
  const [first] = arrived
  if (first === undefined)
    throw new UserError('No shard of this run was found: every job of the matrix must run with "shard" and the same artifact-name.')
  refuseStrangers(arrived)
  const { of } = first.plan
  const byNumber = Map.groupBy(arrived, ({ plan }) => plan.number)
  const numbers = Array.from({ length: of }, (_, index) => index + 1)
  const missing = numbers.filter((number) => !byNumber.has(number))
  const newest = [...byNumber].sort(([a], [b]) => a - b).map(([number, all]) => ({ number, all: newestAttempt(all) }))
  const duplicates = newest.filter(({ all }) => all.length > 1).map(({ number }) => number)
  const counted = newest.flatMap(({ all: [only, ...others] }) => (only === undefined || others.length > 0 ? [] : [only]))
  const read = await Promise.all(counted.map(readShardRecords))
  const taskIds = Object.keys(first.plan.tasks)
  return {
    plans: counted.map(({ plan }) => plan),
    folders: counted.map(({ plan, artifact }) => ({ number: plan.number, folder: artifact.folder })),
    records: read.flatMap(({ records }) => records),
    planned: taskIds.length * first.plan.trials,
    gaps: [
      ...missing.map((number) => `Shard ${number}/${of} is missing: ${tasksOfShard(taskIds, { number, of }).join(', ')}.`),
      ...duplicates.map((number) => `Shard ${number}/${of} was made twice in one attempt; neither counts.`),
      ...read.flatMap(({ gap }) => (gap === null ? [] : [gap])),
    ],
  }
}

async function readPlan(artifact: ShardFolder): Promise<Arrived> {
  const json = await readFile(join(artifact.folder, SHARD_FILE), 'utf8').catch(() => '')
  return { artifact, plan: parseShardPlan(json, `artifact ${artifact.name}`) }
}

function newestAttempt(all: readonly Arrived[]): readonly Arrived[] {
  const newest = Math.max(...all.map(({ plan }) => plan.run_attempt))
  return all.filter(({ plan }) => plan.run_attempt === newest)
}

/** What must be equal in all shards, as text. */
const COMMON: readonly (readonly [string, (plan: ShardPlan) => string])[] = [
  ['number of shards', (plan) => String(plan.of)],
  ['suite', (plan) => plan.suite],
  ['number of trials a task', (plan) => String(plan.trials)],
  ['seed', (plan) => String(plan.seed)],
  ['plugin build', (plan) => plan.plugin.digest],
  ['tasks', (plan) => sortedPairs(plan.tasks)],
]

function sortedPairs(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .sort()
    .join('\n')
}

function refuseStrangers(arrived: readonly Arrived[]): void {
  const [first, ...others] = arrived
  if (first === undefined) return
  const problems: Problem[] = []
  for (const { plan, artifact } of others) {
    for (const [what, of] of COMMON) {
      if (of(plan) !== of(first.plan))
        problems.push({ where: artifact.name, at: '', message: `has another ${what} than ${first.artifact.name}` })
    }
  }
  for (const { plan, artifact } of arrived) {
    const own = plan.number <= plan.of ? tasksOfShard(Object.keys(plan.tasks), plan) : []
    if (JSON.stringify([...plan.own].sort()) !== JSON.stringify(own))
      problems.push({ where: artifact.name, at: '', message: `does not hold the tasks of part ${plan.number}/${plan.of}` })
  }
  if (problems.length > 0) throw new UserError(problems)
}

/** The planned trials of a shard that have a record; what was not planned is refused. */
async function readShardRecords({
  artifact,
  plan,
}: Arrived): Promise<{ readonly records: readonly TrialRecord[]; readonly gap: string | null }> {
  const records = await readRecords(join(artifact.folder, 'records.jsonl'))
  const expected = new Set(expectedTrials(plan))
  const strange = records.filter(
    (record) => !expected.has(record.trial_id) || record.trial_id !== `${record.task_id}-${record.arm}-${record.index}`,
  )
  if (strange.length > 0) {
    const names = strange.slice(0, 3).map((record) => record.trial_id)
    throw new UserError([{ where: artifact.name, at: '', message: `holds trials that were not planned: ${names.join(', ')}` }])
  }
  const lost = expected.size - records.length
  const sentence = `Shard ${plan.number}/${plan.of} lacks ${lost} of ${expected.size} planned trials.`
  return { records, gap: lost === 0 ? null : sentence }
}
