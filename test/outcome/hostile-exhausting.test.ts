import { browsersUnderTest } from './hostile/browsers.ts'
import { EXHAUSTION } from './hostile/corpus.ts'
import { proveHostilePages } from './hostile/prove.ts'

proveHostilePages(browsersUnderTest()[0], EXHAUSTION)
