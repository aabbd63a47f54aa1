import { browsersUnderTest } from './hostile/browsers.ts'
import { proveHostilePages } from './hostile/prove.ts'

proveHostilePages(browsersUnderTest()[0])
