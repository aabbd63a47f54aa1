import { relative, resolve } from 'node:path'
import type { TrialRecord } from '../model/record.ts'
import type { Results } from '../model/results.ts'
import type { LoadedTask } from '../model/task.ts'
import { defaultMaxTrials, type GateSettings } from '../model/verdict.ts'
import { decideRecords } from './decide-records.ts'
import type { FoundBaseline } from './find-baseline.ts'
import type { KnownJudge } from './check-judge.ts'
import type { RecordedRun } from './recorded-run.ts'

/** Results over trials that were graded anew; without a baseline nothing is gated. */
export function decideRegraded(
  { results: before }: RecordedRun,
  records: readonly TrialRecord[],
  tasks: ReadonlyMap<string, LoadedTask>,
  baseline: FoundBaseline,
  leftOut: readonly string[],
  runFolder: string,
  judge: Pick<KnownJudge, 'health' | 'notices'>,
): Results {
  const [first] = records
  if (first === undefined) throw new Error('no trial was graded')
  const k = before?.run.k ?? 3
  const planned = (before?.totals.planned ?? records.length) + (before === null ? leftOut.length : 0)
  const head = records.filter((record) => record.arm === 'head')
  const missing = planned - head.length
  return decideRecords(
    {
      suite: first.suite,
      gate: gateOf(baseline, k),
      scripted_model: before?.run.scripted_model ?? false,
      accepted_removals: [],
      accepted_changes: [],
    },
    {
      run: {
        id: first.run_id,
        started_at: before?.run.started_at ?? first.started_at,
        finished_at: new Date().toISOString(),
        plugin: before?.run.plugin ?? { path: '', name: 'recorded', version: '' },
        head_commit: before?.run.head_commit ?? null,
        fingerprint: first.fingerprint,
        repeat_command: `npx genui-eval regrade ${shown(runFolder)}`,
      },
      tasks: [...tasks.values()],
      digests: new Map(),
      records,
      planned,
      adaptive: records.some((record) => record.stage > 0),
      incomplete: missing > 0 ? `${missing} planned trials are not there to be graded anew.` : null,
      disagreements: [],
      judge_health: judge.health,
      notices: [
        `Recorded trials, graded anew; ${first.fingerprint.judge === 'off' ? 'no model was asked' : 'no model but the judge was asked'}.`,
        ...judge.notices,
        ...leftOut.map((what) => `Left out: ${what}.`),
      ],
      wall_ms: before?.spending.wall_ms ?? records.reduce((sum, record) => sum + record.wall_ms, 0),
    },
    baseline,
  )
}

function gateOf(baseline: FoundBaseline, k: number): GateSettings {
  const mode = baseline.file === null ? 'report-only' : 'statistical'
  return { mode, k, alpha: 0.05, max_trials: defaultMaxTrials(k), golden_floor: 0.5 }
}

function shown(folder: string): string {
  const short = relative(process.cwd(), resolve(folder))
  return short === '' ? '.' : short.startsWith('..') ? resolve(folder) : short
}
