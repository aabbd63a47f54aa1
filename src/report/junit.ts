/** Results → JUnit XML: one test case a task, so that a viewer's red is the gate's red and never a single unlucky trial. */
import junit, { type Builder } from 'junit-report-builder'
import type { Results } from '../model/results.ts'
import { countsText, intervalText, percent } from './figures.ts'
import { checkId, failedCheck, reportedTasks, type ReportedTask } from './selection.ts'
import { xmlText } from './untrusted-text.ts'
import { headline } from './verdict-words.ts'
import { cutText, visibleLine } from './visible-text.ts'

const line = (text: string, most = 1000): string => cutText(visibleLine(xmlText(text)), most)

/** The package's types describe an ES module, but Node gives its CommonJS `module.exports`: the builder itself. */
function isBuilder(value: object): value is Builder {
  return 'newBuilder' in value
}

/** A suite a category, and a suite `gate` whose one case is the run's verdict. Times are seconds, summed over trials. */
export function junitXml(results: Results): string {
  if (!isBuilder(junit)) throw new TypeError('junit-report-builder does not export its builder')
  const builder = junit.newBuilder().name(line(`genui-eval ${results.run.suite}`))
  const gate = builder.testSuite().name('gate')
  const verdict = gate.testCase().className('gate').name('verdict')
  const sentence = line(headline(results))
  if (results.decision.verdict === 'fail') verdict.failure(sentence, 'regression')
  if (results.decision.verdict === 'inconclusive') verdict.error(sentence, 'inconclusive')
  const byCategory = Map.groupBy(reportedTasks(results), (task) => task.facts?.category ?? 'removed')
  for (const [category, tasks] of [...byCategory].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const suite = builder.testSuite().name(line(category, 200))
    for (const task of tasks) {
      const seconds = task.trials.reduce((sum, trial) => sum + trial.wall_ms, 0) / 1000
      const testCase = suite
        .testCase()
        .className(line(category, 200))
        .name(line(task.verdict.task_id, 200))
        .time(Number(seconds.toFixed(3)))
      const { status, reason, quarantine } = task.verdict
      if (status === 'regressed' && quarantine === null)
        testCase.failure(line(reason), line(task.facts?.cause?.failure_class ?? status, 80))
      else if (status === 'unmeasured' || status === 'removed' || quarantine !== null) testCase.skipped()
      testCase.standardOutput(output(task, results.decision.k))
    }
  }
  return builder.build()
}

function output(task: ReportedTask, k: number): string {
  const { verdict } = task
  const lines = [
    `${verdict.status}: ${line(verdict.reason)}`,
    `pass^${k} ${percent(verdict.baseline?.pass_k ?? null)} -> ${percent(verdict.head?.pass_k ?? null)} (95% interval ${intervalText(verdict.head?.pass_k_interval ?? null)}), passed ${countsText(verdict.baseline)} -> ${countsText(verdict.head)}`,
    ...task.trials.map((trial) => {
      const check = failedCheck(trial)
      const detail = trial.verdict === 'pass' ? '' : `: ${check === null ? trial.detail : `${checkId(check)}: ${check.evidence.message}`}`
      return line(`trial ${trial.index + 1} ${trial.verdict} ${trial.failure_class ?? trial.infra_class ?? ''}${detail}`, 500)
    }),
  ]
  return lines.join('\n')
}
