import { browsersUnderTest } from './hostile/browsers.ts'
import { LOOPS_AND_FLOODS } from './hostile/corpus.ts'
import { proveHostilePages } from './hostile/prove.ts'

proveHostilePages(browsersUnderTest()[0], LOOPS_AND_FLOODS)
