// The scripted judge as a program: node examples/scripted-judge/server.ts [--port 8090] [--seed 0] [--slip-rate 0]
//   [--manner careful|always-pass|always-fail|obedient|invents-quotations|chatty|vague]
import { parseArgs } from 'node:util'
import { MANNERS } from './judge.ts'
import { startScriptedJudge } from './scripted-judge.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8090' },
    seed: { type: 'string', default: '0' },
    'slip-rate': { type: 'string', default: '0' },
    manner: { type: 'string', default: 'careful' },
  },
})

const manner = MANNERS.find((name) => name === values.manner)
if (manner === undefined) throw new Error(`--manner must be one of ${MANNERS.join(', ')}; it is ${values.manner}`)
const judge = await startScriptedJudge({
  port: Number(values.port),
  seed: Number(values.seed),
  slipRate: Number(values['slip-rate']),
  manner,
})
console.log(`scripted judge (plain rules, no model): ${judge.url} (Ctrl-C ends it)`)
