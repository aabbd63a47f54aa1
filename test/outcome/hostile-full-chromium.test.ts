import { test } from 'node:test'
import { browsersUnderTest } from './hostile/browsers.ts'
import { proveHostilePages } from './hostile/prove.ts'

const [, full] = browsersUnderTest()
if (full === undefined) test('hostile pages in full Chromium', { skip: 'no second browser is installed, or CHROME_BIN names the only one' })
else proveHostilePages(full)
