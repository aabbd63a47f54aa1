import type { LoadedTask } from '../model/task.ts'

/** One trial that is to be made. */
export interface PlannedTrial {
  readonly trial_id: string
  readonly task: LoadedTask
  readonly arm: 'head' | 'base'
  /** Number within task and arm, from 0. */
  readonly index: number
  readonly stage: number
  readonly seed: number
}

/** How many further trials a task gets in a stage. */
export interface StageRequest {
  readonly task_id: string
  readonly trials: number
}

/**
 * Lays out a stage: trials are interleaved over tasks, so that a run that ends early is balanced. Of several arms, the trials with the same
 * index follow one another, and the arm that goes first alternates: what changes in the world while the run lasts meets both alike.
 * `already` = trials made so far by `task_id arm`; the seed depends on run seed, task and index alone, so a resumed run asks for the same trials.
 */
export function planTrials(
  tasks: readonly LoadedTask[],
  requests: readonly StageRequest[],
  stage: number,
  arms: readonly ('head' | 'base')[],
  runSeed: number,
  already: ReadonlyMap<string, number>,
): PlannedTrial[] {
  const byId = new Map(tasks.map((task) => [task.task.task_id, task]))
  const wanted = requests.flatMap(({ task_id: taskId, trials }) => {
    const task = byId.get(taskId)
    return task === undefined ? [] : [{ task, trials }]
  })
  const rounds = Math.max(0, ...wanted.map((entry) => entry.trials))
  const planned: PlannedTrial[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const { task, trials } of wanted) {
      if (round >= trials) continue
      for (const arm of round % 2 === 0 ? arms : arms.toReversed()) {
        const taskId = task.task.task_id
        const index = (already.get(`${taskId} ${arm}`) ?? 0) + round
        planned.push({ trial_id: `${taskId}-${arm}-${index}`, task, arm, index, stage, seed: trialSeed(runSeed, taskId, index) })
      }
    }
  }
  return planned
}

/** FNV-1a over run seed, task and index: both arms of a paired run get the same seed. */
function trialSeed(runSeed: number, taskId: string, index: number): number {
  let hash = 0x811c9dc5
  for (const character of `${runSeed}/${taskId}/${index}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  return hash >>> 1
}
