import { createJudge } from '../../src/judge/create-judge.ts'
import type { Judge, JudgeSettings } from '../../src/model/judge.ts'
import { type Relay, startRelay } from '../../src/relay/relay.ts'
import { SETTINGS } from './question.ts'

/** A judge behind a real relay; the relay closes with the scope, whatever a test finds. */
export async function judgeBehindRelay(
  upstream: string,
  settings: Partial<JudgeSettings> = {},
  mostCalls: number | null = null,
): Promise<{ readonly judge: Judge; readonly relay: Relay } & AsyncDisposable> {
  const relay = await startRelay({ upstream, apiKey: 'k', retries: 0, caps: { run: { calls: mostCalls } } })
  const judge = createJudge({
    settings: { ...SETTINGS, ...settings },
    baseUrlFor: (account) => relay.baseUrlFor(account),
    usageOf: (account) => relay.usage(account),
    cacheFolder: null,
  })
  return { judge, relay, [Symbol.asyncDispose]: () => relay.close() }
}
