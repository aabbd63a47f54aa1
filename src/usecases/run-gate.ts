import type { BaseEvent } from '../baseline/base-commit.ts'
import { decide } from '../gate/decide.ts'
import { fingerprintDifferences } from '../gate/pool.ts'
import type { RunConfig } from '../model/config.ts'
import type { TrialRecord } from '../model/record.ts'
import { createRedactor } from '../model/redaction.ts'
import type { Results } from '../model/results.ts'
import { buildResults } from '../report/build-results.ts'
import { baselineMedians, recordMedians, spendingPairs } from './baseline-medians.ts'
import { findBaseline, type FoundBaseline } from './find-baseline.ts'
import { driftNotice, examNotice, gateContext } from './gate-context.ts'
import { openBaseBuild, type BaseBuild } from './open-base-build.ts'
import { openRun, type RunSurroundings } from './open-run.ts'
import { redactRunFolder } from './redact-run-folder.ts'
import { repeatCommand, shortPath } from './repeat-command.ts'
import { runStages } from './run-stages.ts'
import { wireNotice } from './wire-audit.ts'
import { writeReports } from './write-reports.ts'

/** What a door knows besides the config. */
export interface GateSurroundings extends RunSurroundings {
  /** Checkout that the baseline is read from; null outside of git. */
  readonly repo_folder: string | null
  readonly base_event: BaseEvent
  /** Commit under test; null when unknown. */
  readonly head_commit: string | null
  /** Folder that paths in reports are relative to; absent = the working directory. */
  readonly paths_from?: string
}

/** Runs a suite against a plugin build, decides, and writes every report into the run folder. */
export async function runGate(config: RunConfig, surroundings: GateSurroundings): Promise<Results> {
  const began = Date.now()
  const found = await findBaseline(config, surroundings.repo_folder, surroundings.base_event)
  await using baseBuild = await openBaseBuild(config, surroundings.repo_folder, found.base ?? null)
  await using run = await openRun(config, surroundings, baseBuild.kind === 'folder' ? baseBuild.folder : null)
  const { tasks, plugin, loop } = run
  const { fingerprint, folder } = loop.equipment
  const baseline = comparedWith(found, baseBuild)
  const paired = baseline.origin.kind === 'paired'
  const differences = baseline.file === null || paired ? [] : fingerprintDifferences(baseline.file.fingerprint, fingerprint)
  const context = gateContext(baseline, differences, config)
  const stages = await runStages(tasks, baseline, context, run.kept, loop)
  const finished = Date.now()
  const results = buildResults({
    run: {
      id: run.run_id,
      started_at: run.started_at,
      finished_at: new Date(finished).toISOString(),
      suite: config.suite,
      k: config.gate.k,
      plugin: { path: shortPath(config.plugin_folder, surroundings.paths_from), name: plugin.name, version: plugin.version },
      head_commit: surroundings.head_commit,
      fingerprint,
      scripted_model: config.scripted_model,
      repeat_command: repeatCommand(config, surroundings.paths_from),
    },
    wall_ms: finished - began,
    decision: decide(stages.gate_tasks, config.gate, {
      ...context,
      incomplete: stages.incomplete,
      spending: spendingPairs(stages.records, config.gate.k, baseline.file, paired),
    }),
    baseline_origin: baseline.origin,
    fingerprint_differences: differences,
    notices: [
      ...plugin.notices,
      ...run.judge.notices,
      ...troubleNotice(stages.records),
      ...wireNotice(stages.records),
      ...pairedNotice(config, baseline),
      ...examNotice(baseline),
      ...driftNotice(baseline),
    ],
    judge_health: run.judge.health,
    planned: stages.planned,
    tasks: tasks.map((loaded) => loaded.task),
    records: stages.records,
    baseline_medians: paired ? recordMedians(stages.records, 'base') : baselineMedians(baseline.file),
  })
  // A cancelled run has no results yet: the same run goes on from its records.
  if (stages.incomplete === null || !surroundings.signal.aborted)
    await writeReports(
      results,
      folder,
      tasks.map((loaded) => loaded.task),
    )
  // The relay keeps the key from everything; this is for what a plugin digs up by other ways.
  await redactRunFolder(folder.path, createRedactor(keysOf(config)))
  return results
}

function keysOf({ api_key: key, judge }: RunConfig): (string | null)[] {
  return [key, judge.kind === 'off' ? null : judge.api_key]
}

/** Why trials could not be measured: the reader must not have to look for the cause. */
function troubleNotice(records: readonly TrialRecord[]): string[] {
  const lost = records.filter((record) => record.verdict === 'infra')
  const causes = [...Map.groupBy(lost, (record) => `${record.infra_class ?? ''}: ${record.detail}`)]
  const [top] = causes.sort(([, a], [, b]) => b.length - a.length)
  if (top === undefined) return []
  return [`${lost.length} of ${records.length} trials could not be measured and count neither way; mostly ${top[0]}`]
}

/** A paired run is held against its own base build; without one there is nothing to hold it against, whatever baseline is stored. */
function comparedWith(found: FoundBaseline, base: BaseBuild): FoundBaseline {
  switch (base.kind) {
    case 'unpaired':
      return found
    case 'folder':
      return { ...found, origin: { kind: 'paired' } }
    case 'none':
      return { ...found, file: null, origin: { kind: 'none', why: base.why } }
  }
}

function pairedNotice(config: RunConfig, { origin, base }: FoundBaseline): string[] {
  if (origin.kind !== 'paired') return []
  const named = config.base_plugin_folder === null ? null : 'the folder given as base-plugin'
  const commit = base?.kind === 'found' ? `commit ${base.commit.slice(0, 10)}` : 'the base commit'
  return [`Paired run: both builds were run side by side; the base build is ${named ?? `the plugin folder at ${commit}`}.`]
}
