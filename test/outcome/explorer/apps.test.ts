import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import type { PerformedStep } from '../../../src/model/outcome.ts'
import { explore, payloadsDiffer, probeControls, replay, vary } from '../../../src/outcome/explorer/index.ts'
import { closeBrowser, openTestSession, type TestSession } from './session.ts'

after(closeBrowser)

const isPayload = (payload: unknown): boolean => typeof payload === 'object' && payload !== null && 'action' in payload
const html = async (name: string): Promise<string> => await readFile(new URL(`apps/${name}.html`, import.meta.url), 'utf8')
const open = async (name: string): Promise<TestSession> => await openTestSession(await html(name))

interface Drive {
  readonly steps: readonly PerformedStep[]
  readonly payload: unknown
  readonly path: readonly string[]
}

async function drive(name: string): Promise<Drive> {
  const session = await open(name)
  try {
    const steps = await explore(session, { acceptsPayload: isPayload, maxSteps: 40 })
    const call = session.bridgeCalls.find((each) => each.ok)
    return {
      steps,
      payload: call?.ok ? call.payload : null,
      path: steps.map((step) => `${step.action} ${step.target} ${step.value ?? ''}`),
    }
  } finally {
    await session.close()
  }
}

/** What the explorer brings about, and at most how many steps it may take. */
const apps: readonly (readonly [string, number, Readonly<Record<string, unknown>>])[] = [
  ['accordion-react-like', 20, { action: 'batch', decisions: ['reply', 'reply', 'reply'] }],
  ['approve-reject', 3, { decision: 'approve' }],
  ['alert-minimum', 8, { action: 'votes', votes: 3 }],
  ['aria-slider', 4, { action: 'threshold' }],
  ['arm-then-send', 2, { action: 'restart' }],
  ['auto-advance-quiz', 6, { action: 'quiz', a: [0, 0, 0] }],
  ['canvas-button', 8, { action: 'level' }],
  ['checklist-minimum', 12, { topics: ['CAP', 'Raft', 'Paxos'] }],
  ['closed-details', 5, { action: 'settings', channel: 'mail' }],
  ['confirm-builtin', 3, { files: ['a.iso'] }],
  ['contenteditable', 3, { action: 'reply' }],
  ['countdown', 3, { action: 'accepted' }],
  ['custom-dropdown', 8, { channel: 'Telegram' }],
  ['drag-by-pointer', 5, { sides: { Cassandra: 'CP', HBase: 'AP', DynamoDB: 'CP' } }],
  ['drag-native', 6, { sides: { Cassandra: 'CP', HBase: 'AP', DynamoDB: 'CP' } }],
  ['flashcards-to-the-end', 24, { action: 'cards' }],
  ['hidden-radio-cards', 3, { selected: 'declarative' }],
  ['hold-to-confirm', 2, { action: 'stop_jobs' }],
  ['iframe-app', 4, { action: 'topic' }],
  ['kanban', 6, { action: 'board' }],
  ['modal-consent', 6, { action: 'kill', pids: [11] }],
  ['native-dialog', 2, { action: 'publish' }],
  ['native-validation', 10, { action: 'order', fmt: 'PDF', tos: 'on' }],
  ['nested-shadow', 5, { action: 'rate' }],
  ['overlay-behind', 5, { track: ['rent'] }],
  ['quiz-one-by-one', 16, { action: 'gaps' }],
  ['late-skeleton', 2, { action: 'cleanup' }],
  ['rerender-tabs', 30, { action: 'export' }],
  ['same-buttons-in-tabs', 14, { action: 'batch' }],
  ['scroll-terms', 3, { action: 'terms' }],
  ['stated-minimum', 14, { action: 'picks' }],
  ['slide-to-confirm', 3, { confirmed: true }],
  ['step-simulation', 12, { action: 'seen', steps: 7 }],
  ['submit-each-answer', 14, { action: 'survey', answers: 5 }],
  ['svg-nodes', 4, { action: 'report', node: 'gateway' }],
  ['switches', 5, { switches: 2 }],
  ['tap-then-bucket', 18, { action: 'sorted', placed: 4 }],
  ['two-sliders-goal', 6, { action: 'split' }],
  ['typed-delete', 3, { confirmed: 'DELETE staging' }],
  ['typed-quiz', 30, { action: 'recall' }],
  ['undo-window', 4, { ids: ['a'] }],
  ['wizard', 14, { action: 'plan', pace: 'slow', weeks: 2 }],
]
for (const [name, most, wanted] of apps) {
  test(`the explorer gets through ${name}`, async () => {
    const { steps, payload } = await drive(name)
    assert.ok(isPayload(payload), `no payload after: ${steps.map((step) => `${step.action} ${step.name}`).join(', ')}`)
    assert.partialDeepStrictEqual(payload, wanted)
    assert.ok(steps.length <= most, `${steps.length} steps`)
    assert.deepEqual(
      steps.map((step) => step.number),
      steps.map((_step, index) => index + 1),
    )
  })
}

test('an app without a callback is given up, not gone round in for ever', async () => {
  const session = await open('no-callback')
  const steps = await explore(session, { acceptsPayload: isPayload, maxSteps: 40 })
  assert.ok(steps.length > 0 && steps.length < 15, `${steps.length} steps`)
  assert.ok(steps.every((step) => !step.sent))
  await session.close()
})

test('an app whose Send button works but sends nothing is given up once it was pressed in different states and the rest was tried', async () => {
  const session = await open('never-sends')
  const steps = await explore(session, { acceptsPayload: isPayload, maxSteps: 40 })
  const presses = steps.filter((step) => step.name === 'Send to Hermes' && step.status === 'done')
  assert.ok(presses.length >= 2, `${presses.length} presses`)
  assert.ok(steps.length <= 12, `${steps.length} steps: ${steps.map((step) => step.name).join(', ')}`)
  await session.close()
})

test('the same app gives the same path twice', async () => {
  for (const name of ['overlay-behind', 'kanban']) assert.deepEqual((await drive(name)).path, (await drive(name)).path)
})

test('a recorded path can be replayed and sends the same', async () => {
  for (const name of ['nested-shadow', 'iframe-app', 'scroll-terms', 'drag-native']) {
    const first = await drive(name)
    const session = await open(name)
    const again = await replay(session, first.steps)
    assert.deepEqual(
      again.map((step) => step.status),
      first.steps.map(() => 'done'),
    )
    const call = session.bridgeCalls[0]
    assert.deepEqual(call?.ok ? call.payload : null, first.payload, name)
    await session.close()
  }
})

const reflecting = [
  'approve-reject',
  'box-behind-node',
  'checklist-minimum',
  'closed-details',
  'drag-native',
  'quiz-one-by-one',
  'same-buttons-in-tabs',
]
for (const name of reflecting) {
  test(`other choices in ${name} give another payload`, async () => {
    const base = await drive(name)
    const variations = await vary(async () => await open(name), base.steps, {
      acceptsPayload: isPayload,
      basePayload: base.payload,
      maxSteps: 40,
    })
    const last = variations?.at(-1)
    assert.ok(last?.payloads.some((payload) => payloadsDiffer(payload, base.payload)))
    assert.notEqual(last?.difference, '')
  })
}

for (const [name, what] of [
  ['dead-slider', 'the sliders'],
  ['boxes-in-shadows', 'boxes of which each has a shadow root of its own'],
] as const)
  test(`a payload that does not follow ${what} stays the same in every variation`, async () => {
    const base = await drive(name)
    const variations = await vary(async () => await open(name), base.steps, {
      acceptsPayload: isPayload,
      basePayload: base.payload,
      maxSteps: 40,
    })
    assert.ok(variations !== null && variations.length >= 2)
    assert.ok(variations.every((variation) => variation.payloads.length > 0))
    assert.ok(variations.every((variation) => variation.payloads.every((payload) => !payloadsDiffer(payload, base.payload))))
  })

test('where nothing can be chosen there is no variation', async () => {
  const base = await drive('arm-then-send')
  const none = await vary(async () => await open('arm-then-send'), base.steps, {
    acceptsPayload: isPayload,
    basePayload: base.payload,
    maxSteps: 40,
  })
  assert.equal(none, null)
})

test('probing tells dead buttons from live ones', async () => {
  const session = await open('dead-slider')
  const steps = await probeControls(session, { maxControls: 8, skip: [] })
  const fates = Object.fromEntries(steps.map((step) => [step.name, step.changed === true || step.sent]))
  assert.deepEqual(fates, { Explain: false, 'Send to Hermes': true })
  await session.close()
})

test('a page that loops for ever when pressed ends the drive, and the step is kept', async () => {
  const session = await openTestSession(`<!doctype html><button onclick="for(;;);">Send</button>`)
  const steps = await explore(session, { acceptsPayload: isPayload, maxSteps: 5 })
  assert.deepEqual(
    steps.map((step) => [step.number, step.name, step.status]),
    [[1, 'Send', 'failed']],
  )
  await session.close()
})

test('a page that breaks the built-ins of its own world is explored all the same', async () => {
  const broken = `<script>Element.prototype.getBoundingClientRect=()=>{throw 1};Document.prototype.querySelector=()=>null;Element.prototype.matches=()=>false;Array.prototype.map=function(){throw 2};window.getComputedStyle=()=>{throw 3}</script>`
  const session = await openTestSession(`<!doctype html>${broken}<button onclick="hermes.sendAction({action:'ok'})">Send</button>`)
  await explore(session, { acceptsPayload: isPayload, maxSteps: 5 })
  assert.equal(session.bridgeCalls.length, 1)
  await session.close()
})
