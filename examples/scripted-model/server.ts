// The scripted model as a program: node examples/scripted-model/server.ts --help
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { FAULT_KINDS, parseFault } from './faults.ts'
import { startScriptedModel } from './scripted-model.ts'

const USAGE = `usage: node examples/scripted-model/server.ts [options]
  --port NUMBER               port on 127.0.0.1 (default 8089)
  --tasks FOLDER              folder of task folders (default: this project's own)
  --seed NUMBER               seed of its slips (default 0)
  --slip-rate SHARE           share of answers that are wrong by chance, 0 to 1 (default 0.02)
  --latency-ms NUMBER         time before an answer (default 0)
  --latency-spread-ms NUMBER  spread around it (default 0)
  --fault KIND[:FROM-TO]      trouble to make, for the requests FROM to TO; may be given several times
                              KIND: ${FAULT_KINDS.join(', ')}`

function readArguments() {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
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
  return { ...values, faults }
}

function argumentsOrEnd() {
  try {
    return readArguments()
  } catch (error) {
    console.error(`error: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    process.exit(2)
  }
}

const { faults, ...values } = argumentsOrEnd()
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
const model = await startScriptedModel({
  port: Number(values.port),
  tasksFolder: values.tasks,
  seed: Number(values.seed),
  slipRate: Number(values['slip-rate']),
  latency: { ms: Number(values['latency-ms']), spread: Number(values['latency-spread-ms']) },
  faults,
})
console.log(`scripted model: ${model.url} (Ctrl-C ends it)`)
