import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ALL_WALLS } from '../../src/outcome/launch.ts'
import { browsersUnderTest } from './hostile/browsers.ts'
import { openDoor } from './hostile/doors.ts'
import { NO_WALLS, tryWays, type Dwell, type Trial } from './hostile/try-ways.ts'
import { WAYS_OUT } from './hostile/ways-out.ts'

/** Fewer live ways would prove little. */
const FEWEST_LIVE = 60

const [{ executablePath }] = browsersUnderTest()
const doors = await Promise.all(WAYS_OUT.map(async (way) => await openDoor(way, '127.0.0.1', '127.0.0.1')))
after(() => doors.forEach((door) => door.close()))
// Declared public: else Chromium's own protection of local networks would hide what would reach the internet.
const browserArguments = [`--ip-address-space-overrides=${doors.map(({ port }) => `127.0.0.1:${port}=public`).join(',')}`]
const dwell: Dwell = new Map()

/** Ways by which something arrived at a listener on this machine. */
async function reached(trial: Pick<Trial, 'walls' | 'page'>): Promise<string[]> {
  await tryWays(doors, { executablePath, browserArguments, ...trial }, dwell)
  return doors.filter(({ arrived }) => arrived.length > 0).map(({ way }) => way.id)
}

test('without walls the ways lead out', async (context) => {
  const out = await reached({ walls: NO_WALLS, page: 'bare' })
  const dead = WAYS_OUT.map(({ id }) => id).filter((id) => !out.includes(id))
  context.diagnostic(`${out.length} of ${WAYS_OUT.length}; dead here: ${dead.join(', ')}`)
  assert.ok(out.length >= FEWEST_LIVE, `only ${out.length} ways are live, so the next test proves little`)
})

test('behind the walls not even a connect arrives', async () => {
  assert.deepEqual(await reached({ walls: ALL_WALLS, page: 'of the engine' }), [])
})

test('the command-line walls alone suffice', async () => {
  assert.deepEqual(await reached({ walls: ALL_WALLS, page: 'bare' }), [])
})
