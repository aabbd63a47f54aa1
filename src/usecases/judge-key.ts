import { UserError } from '../model/errors.ts'
import type { ChosenJudge } from '../model/judge-choice.ts'

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether the judge's service is another machine, and there is no key for it. Services on this machine may do without. */
export function lacksKey({ base_url: baseUrl, api_key: key }: ChosenJudge): boolean {
  return key === null && !LOCAL.has(new URL(baseUrl).hostname)
}

/** A key of the agent's service is never sent elsewhere, so another service needs one of its own. Throws UserError when it is not there. */
export function refuseWithoutKey(judge: ChosenJudge): void {
  if (!lacksKey(judge)) return
  const message = `is needed to ask the judge at ${new URL(judge.base_url).host} (on the command line GENUI_EVAL_JUDGE_API_KEY); api-key is sent to base-url alone. Give any word if that service wants no key`
  throw new UserError([{ where: 'input "judge-api-key"', at: '', message }])
}
