// The scripted model as a program: node examples/scripted-model/server.ts [--port 8089] [--tasks tasks] [--seed 0] [--slip-rate 0.02]
//   [--latency-ms 0] [--latency-spread-ms 0] [--fault KIND[:FROM-TO]]…
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { FAULT_KINDS, parseFault } from './faults.ts'
import { startScriptedModel } from './scripted-model.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8089' },
    tasks: { type: 'string', default: join(import.meta.dirname, '../../tasks') },
    seed: { type: 'string', default: '0' },
    'slip-rate': { type: 'string', default: '0.02' },
    'latency-ms': { type: 'string', default: '0' },
    'latency-spread-ms': { type: 'string', default: '0' },
    fault: { type: 'string', multiple: true, default: [] },
  },
})

const faults = values.fault.map((text) => {
  const fault = parseFault(text)
  if (fault === null) throw new Error(`--fault ${text}: write KIND or KIND:FROM-TO, where KIND is one of ${FAULT_KINDS.join(', ')}`)
  return fault
})
const model = await startScriptedModel({
  port: Number(values.port),
  tasksFolder: values.tasks,
  seed: Number(values.seed),
  slipRate: Number(values['slip-rate']),
  latency: { ms: Number(values['latency-ms']), spread: Number(values['latency-spread-ms']) },
  faults,
})
console.log(`scripted model: ${model.url} (Ctrl-C ends it)`)
