import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { UserError } from '../../src/model/errors.ts'
import { downloadArtifacts } from '../../src/github/downloads.ts'
import { ARTIFACT_LIMITS, type UnzipLimits } from '../../src/github/unzip.ts'
import { startWorld, type World } from './world.ts'

let temp = ''
before(async () => void (temp = await mkdtemp(path.join(tmpdir(), 'genui-eval-zip-'))))
after(() => rm(temp, { recursive: true, force: true }))

interface ZipEntry {
  readonly name: string
  readonly text: string
  /** Unix mode with file type; 0o120777 is a symbolic link. */
  readonly mode?: number
}

/** Archives as only a malicious uploader makes them; Python's zipfile asks no questions. */
function zip(entries: readonly ZipEntry[]): Uint8Array {
  const script = `import io, json, sys, zipfile
out = io.BytesIO()
with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as archive:
    for entry in json.load(sys.stdin):
        info = zipfile.ZipInfo(entry['name']); info.filename = entry['name']; info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = entry.get('mode', 0o100644) << 16
        archive.writestr(info, entry['text'])
sys.stdout.buffer.write(out.getvalue())`
  const made = spawnSync('python3', ['-W', 'ignore', '-c', script], { input: JSON.stringify(entries), maxBuffer: 2 ** 28 })
  assert.equal(made.status, 0, made.stderr.toString())
  return made.stdout
}

function store(world: World, blob: Uint8Array, name = 'genui-eval-results', size = blob.length): void {
  world.fake.state.artifacts.push({ id: world.fake.state.nextId(), run_id: 77, name, blob, expired: false, size })
}

const download = (world: World, limits: Partial<UnzipLimits> = {}) =>
  downloadArtifacts(world.github, { run_id: 77, prefix: 'genui-eval-', limits: { ...ARTIFACT_LIMITS, ...limits } }, { RUNNER_TEMP: temp })

test('an honest artifact is unpacked into a folder of its own; of one name the newest counts; reports are left alone', async () => {
  await using world = await startWorld()
  store(world, zip([{ name: 'results.json', text: 'old' }]))
  store(
    world,
    zip([
      { name: 'results.json', text: 'new' },
      { name: 'a/b.txt', text: 'é' },
      { name: 'empty/', text: '' },
    ]),
  )
  store(world, zip([]), 'genui-eval-report.html')
  store(world, zip([]), 'something-else')
  const [got, ...others] = await download(world)
  assert.deepEqual([got?.files, others.length], [['a/b.txt', 'results.json'], 0])
  assert.equal(await readFile(path.join(got?.folder ?? '', 'results.json'), 'utf8'), 'new')
  assert.deepEqual(world.fake.problems, [])
})

const HOSTILE: readonly { readonly what: string; readonly entries: readonly ZipEntry[]; readonly limits?: Partial<UnzipLimits> }[] = [
  { what: 'climbs out', entries: [{ name: '../escaped.txt', text: 'x' }] },
  { what: 'climbs out from below', entries: [{ name: 'a/../../escaped.txt', text: 'x' }] },
  { what: 'names an absolute path', entries: [{ name: '/tmp/escaped.txt', text: 'x' }] },
  { what: 'climbs with backslashes', entries: [{ name: '..\\escaped.txt', text: 'x' }] },
  { what: 'names a Windows drive', entries: [{ name: 'C:escaped.txt', text: 'x' }] },
  { what: 'holds a symbolic link', entries: [{ name: 'link', text: '/etc/passwd', mode: 0o120777 }] },
  {
    what: 'writes a file over another',
    entries: [
      { name: 'a', text: '1' },
      { name: 'a', text: '2' },
    ],
  },
  {
    what: 'puts a file where a folder is',
    entries: [
      { name: 'a/b', text: '1' },
      { name: 'a', text: '2' },
    ],
  },
  { what: 'holds too many files', entries: Array.from({ length: 30 }, (_, i) => ({ name: `f${i}`, text: '' })), limits: { files: 20 } },
  { what: 'is a bomb of one file', entries: [{ name: 'bomb', text: '0'.repeat(5_000_000) }], limits: { file_bytes: 1_000_000 } },
  {
    what: 'is a bomb of many',
    entries: Array.from({ length: 8 }, (_, i) => ({ name: `b${i}`, text: '0'.repeat(400_000) })),
    limits: { bytes: 1_000_000 },
  },
  { what: 'has a name with a control character', entries: [{ name: 'é\u0007b', text: 'x' }] },
]

for (const { what, entries, limits } of HOSTILE) {
  test(`an artifact that ${what} is refused`, async () => {
    await using world = await startWorld()
    store(world, zip(entries))
    await assert.rejects(download(world, limits), (error) => error instanceof UserError && /refused/.test(error.message))
    for (const place of [path.join(temp, 'escaped.txt'), '/tmp/escaped.txt']) await assert.rejects(access(place))
  })
}

test('an archive larger than allowed is refused by what the list says and by what comes', async () => {
  await using world = await startWorld()
  const blob = zip([{ name: 'a', text: 'x' }])
  store(world, blob, 'genui-eval-results', 10 ** 9)
  await assert.rejects(download(world), UserError)
  world.fake.state.artifacts.length = 0
  store(world, blob, 'genui-eval-results', 1)
  await assert.rejects(download(world, { archive_bytes: 20 }), UserError)
})

test('what is no zip is refused', async () => {
  await using world = await startWorld()
  store(world, Buffer.from('not a zip at all, but long enough to look for an end record'))
  await assert.rejects(download(world), UserError)
})

test('a broken size in the headers is found out on the bytes that come', async () => {
  await using world = await startWorld()
  const blob = Buffer.from(zip([{ name: 'liar', text: '0'.repeat(3_000_000) }]))
  // the uncompressed size, in the local header and in the central directory
  const central = blob.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]))
  blob.writeUInt32LE(10, 22)
  blob.writeUInt32LE(10, central + 24)
  store(world, blob)
  await assert.rejects(download(world, { file_bytes: 1000 }), UserError)
})
