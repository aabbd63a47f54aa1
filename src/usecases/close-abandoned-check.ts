import { closeAbandoned } from '../github/check-run.ts'
import { connect } from '../github/client.ts'
import { actionLog } from '../github/log.ts'
import { readOpenCheck } from '../github/post-state.ts'
import { rawActionInputs, readActionInputs, redactorOf, type Environment } from './action-inputs.ts'

/** The Action's post step: a check that the main step left open (cancelled, killed, crashed) is closed. Never fails the job. */
export async function closeAbandonedCheck(env: Environment, write: (text: string) => void): Promise<void> {
  const raw = rawActionInputs(env)
  const log = actionLog(write, redactorOf(raw, env))
  try {
    const open = readOpenCheck(env)
    const token = readActionInputs(raw).github_token
    if (open === null || token === null) return
    const [owner = '', repo = ''] = (env['GITHUB_REPOSITORY'] ?? '').split('/')
    const github = await connect({ token, api_url: env['GITHUB_API_URL'] ?? 'https://api.github.com', repo: { owner, repo }, log })
    if (await closeAbandoned(github, open)) log.info('The check of the interrupted run was closed.')
  } catch (error) {
    log.warning(`The check of the interrupted run could not be closed: ${error instanceof Error ? error.message : String(error)}`)
  }
}
