import { test } from 'node:test'
import { browsersUnderTest } from './hostile/browsers.ts'
import { EXHAUSTION, LOOPS_AND_FLOODS, sampleOf, TRICKS } from './hostile/corpus.ts'
import { proveHostilePages } from './hostile/prove.ts'

/** Where full Chromium is the only browser, the other files prove every page in it. HOSTILE_ALL=1 does so here, too. */
const EVERY = process.env['HOSTILE_ALL'] === '1' || process.env['HOSTILE_ONLY'] !== undefined ? 1 : 4

const [, full] = browsersUnderTest()
if (full === undefined) test('hostile pages in full Chromium', { skip: 'no second browser is installed, or CHROME_BIN names the only one' })
else proveHostilePages(full, sampleOf({ ...LOOPS_AND_FLOODS, ...TRICKS, ...EXHAUSTION }, EVERY))
