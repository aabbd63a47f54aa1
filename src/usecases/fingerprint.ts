import { GRADERS_VERSION } from '../graders/grade.ts'
import type { Agent } from '../model/agent.ts'
import type { RunConfig } from '../model/config.ts'
import type { Fingerprint } from '../model/record.ts'
import type { BrowserEngine } from '../outcome/engine.ts'

/** What must be equal for two runs to be comparable. `judge` is the judge's own fingerprint, or `off`. */
export function fingerprintOf(config: RunConfig, agent: Agent, engine: BrowserEngine, judge: string): Fingerprint {
  const { model } = config
  const settings = [
    model.temperature === null ? null : `temperature=${model.temperature}`,
    model.max_tokens === null ? null : `max_tokens=${model.max_tokens}`,
    model.effort === null ? null : `effort=${model.effort}`,
  ].filter((setting) => setting !== null)
  const { graders, network, browser } = gradingConditions(config, engine)
  return {
    graders,
    agent: `${agent.kind} ${agent.version}`,
    model: [model.name, ...settings].join(' '),
    judge,
    network,
    browser,
  }
}

/** The parts that grading brings in, whatever the agent was. */
export function gradingConditions(
  { network, webview }: Pick<RunConfig, 'network' | 'webview'>,
  engine: BrowserEngine,
): Pick<Fingerprint, 'graders' | 'network' | 'browser'> {
  const hosts = network.kind === 'allow' ? ` ${[...network.hosts].sort().join(' ')}` : ''
  const frame = webview.kind === 'top' ? 'top' : `iframe sandbox="${[...webview.sandbox].sort().join(' ')}" csp="${webview.csp ?? ''}"`
  return { graders: GRADERS_VERSION, network: `${network.kind}${hosts}, webview ${frame}`, browser: `chromium ${engine.major}` }
}
