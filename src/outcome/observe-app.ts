import { InfraError } from '../model/errors.ts'
import type { Outcome, OutcomeRequest, PageEnd, PerformedStep, Variation } from '../model/outcome.ts'
import type { AppPage } from './app-page.ts'
import { FreshPage } from './fresh-page.ts'
import { explore, probeControls, runDeclaredSteps, vary } from './explorer/index.ts'
import { BrowserDied, PageEnded, ProbeBroken } from './page-end.ts'

export interface Observation {
  readonly outcome: Outcome
  /** The browser painted no frame for this page at the end. */
  readonly frameless: boolean
  /** Every page of this observation closed cleanly and was painted. */
  readonly leftBrowserFit: boolean
}

/** Buttons pressed after the app was driven to its end, to see whether they live. */
const MOST_PROBED_CONTROLS = 8

/**
 * Opens an app and drives it: settle, declared steps, the explorer when no accepted payload came, other choices.
 * @param open gives a fresh page; `recorded` says whether its screenshots are kept
 * @throws BrowserDied when the browser failed; InfraError (`harness_error`) when our own driving did.
 */
export async function observeApp(request: OutcomeRequest, open: (recorded: boolean) => Promise<AppPage>): Promise<Observation> {
  const began = performance.now()
  const app = await open(true)
  const taken: Drive = { declared: [], explored: [], probed: [], violations: null }
  let ended: { readonly end: PageEnd; readonly detail: string }
  let fit = false
  try {
    ended = await driveToEnd(app, request, taken)
  } finally {
    fit = await app.close()
  }
  const steps = allSteps(taken)
  const sender = acceptedCall(app, request)
  let variations: readonly Variation[] | null = null
  if (request.vary && sender !== null && ended.end === 'observed') {
    const varied = await varyChoices(request, sender, steps, open)
    variations = varied.variations
    fit &&= varied.fit
  }
  const by = sender === null ? null : (steps.find(({ number }) => number === sender.step)?.by ?? null)
  const outcome: Outcome = {
    end: ended.end,
    end_detail: ended.detail,
    states: app.states,
    steps,
    bridge_calls: app.bridgeCalls,
    script_errors: app.errors.list(),
    requests: app.requests,
    dialogs: app.dialogs,
    reached_by: by === 'variation' ? null : by,
    variations,
    source: request.html,
    diagnostics: {
      console_warnings: app.errors.consoleWarnings,
      document_bytes: Buffer.byteLength(request.html),
      settle_ms: Math.round(app.settleMs),
      total_ms: Math.round(performance.now() - began),
      accessibility_violations: taken.violations,
    },
  }
  return { outcome, frameless: app.frameless, leftBrowserFit: fit }
}

/** What a drive leaves behind: steps by the stage that took them; each list grows as its stage goes on, so that a page which ends itself leaves them behind. */
interface Drive {
  readonly declared: PerformedStep[]
  readonly explored: PerformedStep[]
  readonly probed: PerformedStep[]
  /** Counted once the page has settled; null when it was not. */
  violations: number | null
}

function allSteps({ declared, explored, probed }: Drive): PerformedStep[] {
  return [...declared, ...explored, ...probed]
}

async function driveToEnd(app: AppPage, request: OutcomeRequest, taken: Drive): Promise<{ end: PageEnd; detail: string }> {
  try {
    await app.drive(app.load())
    await app.drive(app.observe('settled'))
    if (request.accessibility === true) taken.violations = await app.drive(app.accessibilityViolations())
    await drive(app, request, taken)
    await app.ping()
    return { end: 'observed', detail: app.remainingMs() > 0 ? '' : 'the time for this page was up' }
  } catch (error) {
    const reason = app.watch.reason ?? (await silenceExplained(app)) ?? error
    if (reason instanceof PageEnded) {
      const when = app.currentStep === 0 ? 'while loading' : `at step ${app.currentStep}`
      return { end: reason.end, detail: `${reason.message} (${when})` }
    }
    if (reason instanceof BrowserDied) throw reason
    if (isSilence(error)) {
      // It runs scripts, but takes no input and paints nothing; its neighbours may suffer, and later pages too.
      app.frameless = true
      return { end: 'js_hang', detail: 'the page did not react to input within 5 s' }
    }
    if (reason instanceof ProbeBroken) return { end: 'observed', detail: `the page could not be looked at further: ${firstLine(reason)}` }
    if (DOCUMENT_REPLACED.test(String(error))) return { end: 'observed', detail: 'the page replaced its document while it was driven' }
    throw new InfraError('harness_error', `driving the page failed: ${firstLine(error)}`, { cause: error })
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}

const DOCUMENT_REPLACED = /Cannot find context|context was destroyed|navigat|detached|Cannot find default execution context/i

function isSilence(error: unknown): boolean {
  return error instanceof Error && (error.name === 'PageSilent' || error.name === 'TimeoutError')
}

/** An error from driving may be the first sign of a page that hangs or is gone: its watch has the last word. */
async function silenceExplained(app: AppPage): Promise<Error | null> {
  try {
    await app.ping()
    return null
  } catch (error) {
    return error instanceof PageEnded || error instanceof BrowserDied ? error : null
  }
}

async function drive(app: AppPage, request: OutcomeRequest, taken: Drive): Promise<void> {
  const accepts = request.accepts_payload
  const { declared } = taken
  await app.drive(runDeclaredSteps(app, request.steps, declared))
  if (!request.explore || accepts === null) return
  if (acceptedCall(app, request) === null) {
    // A slider behind a start screen is moved as declared once the explorer has come to it.
    const pending = request.steps.filter((_, index) => declared[index]?.status === 'no_match')
    const performed = taken.explored
    await app.drive(explore(app, { acceptsPayload: accepts, maxSteps: request.limits.explorer_steps, pending, performed }))
  }
  // A picture is a third of what a step costs; those up to the callback show the app.
  app.pictures = acceptedCall(app, request) === null
  const probing = { maxControls: MOST_PROBED_CONTROLS, skip: allSteps(taken), performed: taken.probed }
  await app.drive(probeControls(app, probing))
}

interface AcceptedCall {
  readonly step: number
  readonly payload: unknown
}

/** The first payload after an interaction that the task accepts. */
function acceptedCall(app: AppPage, request: OutcomeRequest): AcceptedCall | null {
  const accepts = request.accepts_payload
  if (accepts === null) return null
  for (const call of app.bridgeCalls) if (call.ok && call.step > 0 && accepts(call.payload)) return call
  return null
}

async function varyChoices(
  request: OutcomeRequest,
  sender: AcceptedCall,
  steps: readonly PerformedStep[],
  open: (recorded: boolean) => Promise<AppPage>,
): Promise<{ variations: readonly Variation[] | null; fit: boolean }> {
  const accepts = request.accepts_payload
  if (accepts === null) return { variations: null, fit: true }
  let fit = true
  const openFresh = async (): Promise<FreshPage> => {
    const app = await open(false)
    const fresh = new FreshPage(app, (clean) => {
      fit &&= clean
    })
    try {
      await app.load()
    } catch (error) {
      await fresh.close()
      throw error
    }
    return fresh
  }
  try {
    const path = steps.filter(({ number }) => number <= sender.step)
    const variations = await vary(openFresh, path, {
      acceptsPayload: accepts,
      basePayload: sender.payload,
      maxSteps: request.limits.explorer_steps,
    })
    return { variations, fit }
  } catch (error) {
    if (error instanceof PageEnded || error instanceof ProbeBroken) return { variations: null, fit }
    throw error
  }
}
