// Grades every reference (and the apps of a manifest) many times while a second process grades too: the verdict and failing checks must be the same each time.
// node bench/determinism.ts [--times N] [--at PAGES AT ONCE] [--only ID,ID] [--manifest FILE.jsonl]
import { parseArgs } from 'node:util'
import { readManifest } from '../src/usecases/grade-files.ts'
import { gradeRepeatedly, referenceApps, underLoad } from '../test/determinism/repeat.ts'

const { values: flags } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    at: { type: 'string', default: '4' },
    only: { type: 'string' },
    manifest: { type: 'string' },
  },
})
const apps = await referenceApps(flags.only?.split(','))
if (flags.manifest !== undefined) for (const app of await readManifest(flags.manifest)) apps.push({ ...app, id: `manifest ${app.id}` })

const times = Number(flags.times)
const began = performance.now()
const grades = await underLoad(
  async () => await gradeRepeatedly(apps, times, Number(flags.at), (done) => console.error(`round ${done} of ${times}`)),
)
let differing = 0
for (const [id, ofApp] of [...grades].sort(([a], [b]) => a.localeCompare(b))) {
  if (ofApp.size > 1) differing += 1
  const told = [...ofApp].map(([grade, count]) => `${count}× ${grade}`).join(' | ')
  console.log(`${ofApp.size === 1 ? 'same   ' : 'DIFFERS'} ${id}: ${told}`)
}
console.log(
  `\n${apps.length} apps, ${times} times each under load: ${differing} graded differently; ${((performance.now() - began) / 60_000).toFixed(0)} min`,
)
process.exitCode = differing === 0 ? 0 : 1
