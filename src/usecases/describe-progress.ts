import { visibleLine } from '../report/visible-text.ts'
import type { RunEvent } from './open-run.ts'

const SIGN = { pass: '✔', fail: '✘', infra: '?' } as const

/** One event of a run as one plain line. What pages and models wrote is made visible and cut; the caller's log makes it inert. */
export function describeEvent(event: RunEvent): string {
  switch (event.kind) {
    case 'stage':
      return event.stage === 0 ? `${event.trials} trials` : `stage ${event.stage + 1}: ${event.trials} more trials for tasks in doubt`
    case 'trial': {
      const { record, done, planned } = event
      const why = record.verdict === 'pass' ? '' : ` ${record.failure_class ?? record.infra_class ?? ''}: ${shortLine(record.detail)}`
      return `${SIGN[record.verdict]} ${record.trial_id} ${done}/${planned} ${(record.wall_ms / 1000).toFixed(1)} s${why}`
    }
    case 'retry':
      return `↻ ${event.trial_id}: try ${event.attempt} hit infrastructure trouble (${shortLine(event.why)}); once more`
    case 'remark':
      return shortLine(event.text)
  }
}

function shortLine(text: string): string {
  return visibleLine(text).slice(0, 300)
}
