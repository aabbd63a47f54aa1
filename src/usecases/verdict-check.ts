import { openCheck, type OpenCheck } from '../github/check-run.ts'
import { publish } from '../github/publish.ts'
import { saveOpenCheck } from '../github/post-state.ts'
import { InfraError, UserError } from '../model/errors.ts'
import type { Situation } from './action-situation.ts'
import { exitCodeOf } from './exit-codes.ts'

/** What a verdict is about. */
export interface VerdictSubject {
  readonly head_sha: string
  /** Run that made the trials. */
  readonly run: { readonly id: number; readonly attempt: number; readonly url: string }
}

/**
 * Opens the check, does the work, and sees to it that the check is closed: a work that throws closes it as a failure that is no verdict,
 * sets the outputs and throws on. Without a token, or with `check-run: false`, there is none.
 */
export async function underVerdictCheck<T>(
  situation: Situation,
  subject: VerdictSubject,
  work: (check: OpenCheck | null) => Promise<T>,
): Promise<T> {
  const check = await open(situation, subject)
  try {
    return await work(check)
  } catch (error) {
    await closeBroken(situation, subject, check, error)
    throw error
  }
}

async function open({ inputs, event, github, io }: Situation, { head_sha, run }: VerdictSubject): Promise<OpenCheck | null> {
  if (github === null || !inputs.check_run) return null
  const opening = {
    name: inputs.comment_id === 'default' ? 'genui-eval verdict' : `genui-eval verdict (${inputs.comment_id})`,
    head_sha,
    external_id: `${run.id}.${run.attempt}.${inputs.comment_id}`,
    details_url: run.url,
    title: 'Running the suite',
    summary: `Trials are being made: [log of the run](${run.url}).`,
  }
  const check = await openCheck(github, opening, event.can_write_why)
  await saveOpenCheck(check, io.env)
  return check
}

async function closeBroken(
  { event, github, log, redact, io }: Situation,
  { head_sha, run }: VerdictSubject,
  check: OpenCheck | null,
  error: unknown,
): Promise<void> {
  const { title, summary } = tellingOfBroken(error)
  await publish(
    {
      event,
      pull_numbers: [],
      comment_id: null,
      head_sha,
      source_run: run,
      check,
      conclusion: 'failure',
      artifacts: [],
      certain_outputs: { verdict: error instanceof InfraError ? 'inconclusive' : '', 'exit-code': String(exitCodeOf(error)) },
      render: () => ({ comment: [], summary: [summary], check: { title, summary, text: null, annotations: [] }, outputs: {} }),
    },
    { github, env: io.env, log, redact },
  )
}

/** What is said in place of a verdict. */
export function tellingOfBroken(error: unknown): { readonly title: string; readonly summary: string } {
  const title = error instanceof UserError ? 'The run could not start' : 'The run broke'
  const summary = `${title}; this is no verdict on the plugin.\n\n${asCode(error instanceof Error ? error.message : String(error))}`
  return { title, summary }
}

/** Indented code: whatever an error quotes stays text. */
function asCode(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => `    ${line}`)
    .join('\n')
}
