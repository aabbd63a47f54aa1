import type { GateSettings, GateTask, TrialOutcome } from '../../src/model/verdict.ts'
import { plainContext } from '../../src/gate/context.ts'

export const CONTEXT = plainContext('2026-01-15')
export const SETTINGS: GateSettings = { mode: 'statistical', k: 3, alpha: 0.05, max_trials: 30, golden_floor: 0.5 }

/** A task of counts: passes and trials on both sides. */
export function counted(
  id: string,
  base: readonly [number, number] | null,
  head: readonly [number, number] | null,
  extra: Partial<GateTask> = {},
): GateTask {
  return {
    task_id: id,
    golden: false,
    baseline: base === null ? null : { c: base[0], n: base[1], infra: 0 },
    head: head === null ? null : { c: head[0], n: head[1], infra: 0 },
    changed: false,
    quarantine: null,
    ...extra,
  }
}

const LETTERS: Record<string, TrialOutcome> = { p: 'pass', f: 'fail', i: 'infra' }

/** A task whose head ran trial by trial: `ppf` is pass, pass, fail; `i` is infrastructure trouble. */
export function staged(id: string, base: readonly [number, number] | null, trials: string, extra: Partial<GateTask> = {}): GateTask {
  const outcomes = trials.split('').map((letter) => LETTERS[letter] ?? 'infra')
  const n = outcomes.filter((outcome) => outcome !== 'infra').length
  const c = outcomes.filter((outcome) => outcome === 'pass').length
  const task = counted(id, base, [c, n], extra)
  return { ...task, head: { n, c, infra: outcomes.length - n }, head_trials: outcomes }
}

export function many(count: number, make: (i: number) => GateTask): GateTask[] {
  return Array.from({ length: count }, (_, i) => make(i))
}
