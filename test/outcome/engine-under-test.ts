import { after } from 'node:test'
import { openBrowserEngine, type BrowserEngine, type BrowserEngineOptions } from '../../src/outcome/engine.ts'
import type { Outcome, OutcomeRequest } from '../../src/model/outcome.ts'

/** Opens an engine and closes it after the tests of the file. */
export async function engineForTests(options: Partial<BrowserEngineOptions> = {}): Promise<BrowserEngine> {
  const engine = await openBrowserEngine({
    executablePath: null,
    chromeBin: process.env['CHROME_BIN'] ?? null,
    network: { kind: 'mirror' },
    webview: { kind: 'top' },
    ...options,
  })
  after(async () => await engine.close())
  return engine
}

/** A request that drives nothing unless told so. */
export function requestFor(html: string, rest: Partial<OutcomeRequest> = {}): OutcomeRequest {
  return {
    html,
    selectors: [],
    steps: [],
    accepts_payload: () => true,
    explore: false,
    vary: false,
    screenshot_folder: null,
    limits: { explorer_steps: 10, page_seconds: 20 },
    ...rest,
  }
}

export const CLICK_BUTTON = [{ action: 'click', selector: 'button' }] as const

/** A small app that works: moves with the slider and sends what was chosen. */
export const GOOD_APP = `<!doctype html><meta charset="utf-8"><title>Loan</title><h1>Loan</h1>
<label>Amount <input type="range" id="amount" min="0" max="100" value="10"></label> <output id="shown">10 EUR</output>
<button id="send">Send</button>
<script>
  amount.addEventListener('input', () => { shown.textContent = amount.value + ' EUR' })
  send.addEventListener('click', async () => {
    const reply = await window.hermes.sendAction({ action: 'apply', amount: Number(amount.value) })
    document.body.append(reply.ok === true ? 'sent' : 'not sent')
  })
</script>`

export function payloadsOf(outcome: Outcome): unknown[] {
  return outcome.bridge_calls.flatMap((call) => (call.ok ? [call.payload] : []))
}
