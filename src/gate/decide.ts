import type { GateDecision, GateSettings, GateTask, SuiteEstimate, TaskCounts, TaskEstimate } from '../model/verdict.ts'
import { passAllK, passAllKInterval, passAtK } from '../statistics/estimates.ts'
import { mean } from '../statistics/resample.ts'
import { meanPassAllKInterval } from '../statistics/suite-interval.ts'
import type { GateContext } from './context.ts'
import { judge } from './judge.ts'

/**
 * The gate's decision over a run: statuses, verdict and the figures shown beside them. Pure; the same counts in any order, under any task
 * names, give the same verdict.
 */
export function decide(tasks: readonly GateTask[], settings: GateSettings, context: GateContext): GateDecision {
  const { verdict, reason, assessment, tasks: judged, smallest_drop_seen: drop, spending } = judge(tasks, settings, context)
  const verdicts = judged.map(({ assessed: { task, evidence, level }, status, reason: why }) => ({
    task_id: task.task_id,
    status,
    head: task.head === null ? null : estimate(task.head, settings.k),
    baseline: task.baseline === null ? null : estimate(task.baseline, settings.k),
    p_value: evidence?.worse_p ?? null,
    level,
    reason: why,
    golden: task.golden,
    quarantine: task.quarantine,
  }))
  return {
    verdict,
    reason,
    mode: settings.mode,
    k: settings.k,
    tasks: verdicts,
    suite: {
      head: suiteEstimate(
        verdicts.map(({ head }) => head),
        settings.k,
      ),
      baseline: suiteEstimate(
        verdicts.map(({ baseline }) => baseline),
        settings.k,
      ),
      p_value: assessment.suite.worse_p,
      level: assessment.suite.worse_p === null ? null : assessment.budget.suite,
    },
    smallest_drop_seen: drop,
    ...(spending.length === 0 ? {} : { spending }),
  }
}

/** pass@k, pass^k and the exact interval of one arm of a task. */
export function estimate(counts: TaskCounts, k: number): TaskEstimate {
  const { n, c } = counts
  return {
    ...counts,
    pass_k: passAllK(n, c, k),
    pass_at_k: passAtK(n, c, k),
    pass_k_interval: n === 0 ? null : passAllKInterval(n, c, k),
  }
}

function suiteEstimate(estimates: readonly (TaskEstimate | null)[], k: number): SuiteEstimate {
  const measured = estimates.flatMap((task) => (task === null || task.pass_k === null ? [] : [task]))
  const passAll = measured.flatMap(({ pass_k: p }) => (p === null ? [] : [p]))
  const passAny = measured.flatMap(({ pass_at_k: p }) => (p === null ? [] : [p]))
  return { pass_k: mean(passAll), pass_at_k: mean(passAny), interval: meanPassAllKInterval(measured, k), tasks: measured.length }
}
