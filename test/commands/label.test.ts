// The labelling page as a person meets it: the command as a child process, its page in a real browser.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer, request } from 'node:http'
import { createServer } from 'node:net'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { chromium, type Browser, type Page } from 'playwright-core'
import { locateBrowser } from '../../src/outcome/browser-location.ts'
import { asText, at, parseJson } from '../github/json.ts'
import { scriptOf, type Door } from '../outcome/hostile/doors.ts'
import { WAYS_OUT, type WayOut } from '../outcome/hostile/ways-out.ts'
import { makeRecord } from '../records/make-record.ts'
import { PROJECT, scratchFolder, TASKS_FOLDER } from './command-line.ts'

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

interface MadeTrial {
  readonly app?: string
  readonly words?: string
  readonly pictures?: number
}

/** A run folder with one record a trial, as far as labelling looks. */
async function madeRun(folder: string, taskId: string, trials: readonly MadeTrial[]): Promise<void> {
  const records = await Promise.all(
    trials.map(async ({ app, words = '', pictures = 0 }, index) => {
      const name = `trials/${taskId}-head-${index}`
      await mkdir(path.join(folder, name), { recursive: true })
      const transcript = { messages: [], tool_calls: [], final_text: words, tools_offered: [] }
      await writeFile(path.join(folder, name, 'transcript.json'), JSON.stringify({ transcript }))
      if (app !== undefined) await writeFile(path.join(folder, name, 'app.html'), app)
      const screenshots = Array.from({ length: pictures }, (_, number) => `${name}/step-00${number}.png`)
      for (const file of screenshots) await writeFile(path.join(folder, file), PIXEL)
      const step = { number: 1, by: 'explorer', action: 'click', target: '#go', name: '<b>Go</b>', value: null, status: 'done' } as const
      return makeRecord(taskId, index, {
        transcript_file: `${name}/transcript.json`,
        app_file: app === undefined ? null : `${name}/app.html`,
        screenshots,
        steps: pictures > 1 ? [{ ...step, changed: true, sent: true, detail: '' }] : [],
        callbacks: app === undefined ? [] : [{ t_ms: 1, step: 1, valid: true, payload: { note: '<script>' }, reason: null }],
      })
    }),
  )
  await writeFile(path.join(folder, 'records.jsonl'), records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}

interface Session {
  readonly url: string
  /** Resolves when the command ended by itself. */
  readonly ended: () => Promise<{ code: number | null; said: string }>
  /** Interrupts the command as Ctrl-C does; resolves with its exit code and what it said. */
  readonly interrupt: () => Promise<{ code: number | null; said: string }>
}

async function label(run: string, more: readonly string[] = []): Promise<Session> {
  const child = spawn(
    process.execPath,
    [path.join(PROJECT, 'src/cli.ts'), 'label', '--run', run, '--tasks-folder', TASKS_FOLDER, ...more],
    {
      env: { ...process.env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  after(() => child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => void (said += chunk.toString('utf8')))
  const closed = once(child, 'close')
  const url = await Promise.race([
    once(child.stdout, 'data').then(([chunk]: Buffer[]) => (chunk ?? '').toString().trim()),
    closed.then(() => Promise.reject(new Error(`the command ended: ${said}`))),
  ])
  const ended = async () => {
    const [code] = (await closed) as [number | null]
    return { code, said }
  }
  return {
    url,
    ended,
    interrupt: () => {
      child.kill('SIGINT')
      return ended()
    },
  }
}

const lines = async (file: string) =>
  (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map(parseJson)

const verdicts = async (file: string): Promise<unknown[]> => (await lines(file)).map((line) => at(line, 'verdict'))

let browser: Browser
const scratch = await scratchFolder()
before(async () => {
  browser = await chromium.launch({ executablePath: locateBrowser({ explicitPath: null, chromeBin: process.env['CHROME_BIN'] ?? null }) })
})
after(async () => {
  await browser.close()
  await scratch[Symbol.asyncDispose]()
})

async function opened(url: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(url)
  await page.waitForSelector('#work:not([hidden]), #done:not([hidden])')
  return page
}

const position = (page: Page, text: string): Promise<unknown> =>
  page.waitForFunction((wanted) => document.querySelector('#position')?.textContent === wanted, text)
const counted = (page: Page, start: string): Promise<unknown> =>
  page.waitForFunction((wanted) => document.querySelector('#count')?.textContent?.startsWith(wanted), start)

describe('labelling by keys', () => {
  const run = path.join(scratch.path, 'keys')
  const file = path.join(run, 'labels.jsonl')
  before(() =>
    madeRun(run, 'hitl_reg_01', [
      { app: '<!doctype html><p>one</p>', words: '<img src=x onerror="document.title=1">', pictures: 2 },
      { app: '<!doctype html><p>two</p>' },
      { words: 'three' },
    ]),
  )

  test('P and F write one line each at once, U takes the last back, S leaves out, and a note is kept', async () => {
    const session = await label(run)
    const page = await opened(session.url)
    await position(page, '1 of 3')
    await page.keyboard.press('p')
    await position(page, '2 of 3')
    assert.deepEqual(await verdicts(file), ['PASS'])
    await page.keyboard.press('n')
    await page.keyboard.type('frisky')
    await page.keyboard.press('Escape')
    await page.keyboard.press('f')
    await position(page, '3 of 3')
    const [, second] = await lines(file)
    assert.deepEqual(
      ['schema', 'run_id', 'trial_id', 'task_id', 'rubric_id', 'verdict', 'note'].map((key) => at(second, key)),
      ['genui-eval/label@1', 'run-1', 'hitl_reg_01-head-1', 'hitl_reg_01', 'safe_defaults_for_important_files', 'FAIL', 'frisky'],
    )
    assert.match(asText(at(second, 'app_sha256')), /^[0-9a-f]{64}$/)
    await page.keyboard.press('u')
    await position(page, '2 of 3')
    assert.deepEqual(await verdicts(file), ['PASS', 'FAIL', null])
    await page.keyboard.press('s')
    await position(page, '3 of 3')
    await page.keyboard.press('s')
    await page.waitForSelector('#done:not([hidden])')
    assert.match((await page.textContent('#done-title')) ?? '', /1 of 3 labelled, the rest skipped/)
    await page.close()
    const { code, said } = await session.interrupt()
    assert.equal(code, 0, said)
    assert.match(said, /1 of 3 labelled \(1 pass, 0 fail\)/)
  })

  test('a torn last line is healed and the session goes on where the last one ended', async () => {
    await writeFile(file, `${await readFile(file, 'utf8')}{"schema":"genui-ev`)
    const session = await label(run)
    const page = await opened(session.url)
    await position(page, '2 of 3')
    await counted(page, '1 of 3 labelled')
    await page.keyboard.press('p')
    await page.keyboard.press('f')
    await page.waitForSelector('#done:not([hidden])')
    assert.deepEqual(await verdicts(file), ['PASS', 'FAIL', null, 'PASS', 'FAIL'])
    await page.click('#end')
    const { code, said } = await session.ended()
    assert.equal(code, 0, said)
    assert.match(said, /3 of 3 labelled \(2 pass, 1 fail\)/)
    await page.close()
  })

  test('what a model wrote is shown letter by letter', async () => {
    const session = await label(run, ['--labels', path.join(scratch.path, 'other.jsonl')])
    const page = await opened(session.url)
    await position(page, '1 of 3')
    await page.keyboard.press('3')
    assert.equal(await page.textContent('#answer'), '<img src=x onerror="document.title=1">')
    assert.match((await page.textContent('#steps')) ?? '', /click “<b>Go<\/b>”/)
    assert.match((await page.textContent('#payloads')) ?? '', /"note": "<script>"/)
    assert.equal(await page.locator('#steps b, #payloads script, #answer img').count(), 0)
    await page.keyboard.press('ArrowDown')
    assert.match((await page.textContent('#caption')) ?? '', /^After step 1: click/)
    await page.close()
    await session.interrupt()
  })

  test('a run without anything to label, and a file that holds no labels, are refused in a sentence', async () => {
    const empty = path.join(scratch.path, 'empty')
    await madeRun(empty, 'no_such_task', [{ words: 'x' }])
    await assert.rejects(label(empty), /holds no trial with a rubric to label/)
    const notes = path.join(scratch.path, 'notes.jsonl')
    await writeFile(notes, '{"hello":1}\n')
    await assert.rejects(label(run, ['--labels', notes]), /line 1\): is no label/)
    assert.equal(await readFile(notes, 'utf8'), '{"hello":1}\n')
  })
})

/** Status of a request that a browser would not make. */
function status(url: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: options.method ?? 'GET', headers: options.headers ?? {} }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    asked.on('error', reject)
    asked.end(options.body)
  })
}

test('without the token, under another host name, or from another origin nothing is read or written', async () => {
  const run = path.join(scratch.path, 'doors')
  await madeRun(run, 'hitl_reg_01', [{ app: '<!doctype html><p>one</p>' }])
  const session = await label(run)
  const { origin, port } = new URL(session.url)
  const json = { 'content-type': 'application/json' }
  const body = JSON.stringify({ item: 0, verdict: 'PASS', note: '' })
  assert.equal(await status(session.url), 200)
  assert.equal(await status(`${origin}/`), 403)
  assert.equal(await status(session.url.replace(/.{4}\/$/, 'AAAA/')), 403)
  assert.equal(await status(session.url, { headers: { host: `evil.example:${port}` } }), 421)
  const post = (headers: Record<string, string>) =>
    status(`${session.url}label`, { method: 'POST', headers: { ...json, ...headers }, body })
  assert.equal(await post({}), 403)
  assert.equal(await post({ origin: 'null' }), 403)
  assert.equal(await post({ origin: 'http://evil.example' }), 403)
  assert.equal(await post({ origin, 'content-type': 'text/plain' }), 403)
  const items = parseJson(await (await fetch(`${session.url}items`)).text())
  const app = `${origin}${asText(at(items, 'app_base'))}`
  assert.equal(await status(`${app}0`), 200)
  assert.equal(await status(`${app}items`), 404)
  assert.equal(await status(`${app}label`, { method: 'POST', headers: { ...json, origin }, body }), 405)
  assert.equal(await readFile(path.join(run, 'labels.jsonl'), 'utf8'), '')
  assert.equal(await post({ origin }), 200)
  assert.deepEqual(await verdicts(path.join(run, 'labels.jsonl')), ['PASS'])
  await session.interrupt()
})

/** Knocks at everything of the page around it that could write a label. */
const FORGER = `<!doctype html><body><p id=said>forging</p><script>
  const tries = [
    () => parent.document.getElementById('pass').click(),
    () => (top.location = 'about:blank'),
    () => parent.postMessage({ item: 0, verdict: 'PASS' }, '*'),
    () => fetch(new URL('../label', location.href), { method: 'POST', body: '{"item":0,"verdict":"PASS"}' }),
    () => parent.dispatchEvent(new KeyboardEvent('keydown', { key: 'p' })),
    () => window.open('about:blank'),
    () => alert('stop'),
  ]
  for (const attempt of tries) { try { attempt() } catch {} }
  document.title = String(window.hermes !== undefined)
  said.textContent = 'forged'
</script>`

/** Notes what is said to it. A bare connection is not: a full Chrome opens one before it asks a policy whether a frame may go there. */
async function openListener(way: WayOut): Promise<Door> {
  const arrived: Door['arrived'] = []
  const tcp = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => arrived.push('TCP connect') && socket.destroy())
  })
  const udp = createSocket('udp4', () => arrived.push('UDP datagram'))
  udp.bind(0, '127.0.0.1')
  await once(udp, 'listening')
  const { port } = udp.address()
  const bound = await new Promise<boolean>((resolve) => {
    tcp.once('error', () => resolve(false))
    tcp.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (!bound) {
    udp.close()
    return openListener(way)
  }
  const door: Door = { way, host: '127.0.0.1', port, arrived, close: () => [tcp, udp].forEach((each) => each.close()) }
  after(() => door.close())
  return door
}

test('a micro-app works in its frame, but reaches neither a network nor the labels', async () => {
  const doors = await Promise.all(WAYS_OUT.filter(({ alone }) => alone !== true).map(openListener))
  const run = path.join(scratch.path, 'hostile')
  const batches = Array.from({ length: Math.ceil(doors.length / 16) }, (_, index) => doors.slice(index * 16, index * 16 + 16))
  const apps = batches.map((batch) => {
    const scripts = batch.map((door) => `<script>${scriptOf(door).replaceAll('</script', '<\\/script')}</script>`)
    return `<!doctype html><body><p id=said>page</p>${scripts.join('')}<script>said.textContent = 'forged'</script>`
  })
  await madeRun(run, 'hitl_reg_01', [{ app: FORGER }, ...apps.map((app) => ({ app }))])
  const session = await label(run)
  const page = await opened(session.url)
  for (let item = 1; item <= apps.length + 1; item += 1) {
    await position(page, `${item} of ${apps.length + 1}`)
    const loaded = page.waitForEvent('framenavigated', (frame) => frame.url().endsWith(`/${item - 1}`))
    await page.keyboard.press('2')
    await loaded
    if (item === 1) await page.frameLocator('iframe').locator('#said', { hasText: 'forged' }).waitFor()
    if (item <= apps.length) await page.keyboard.press('ArrowRight')
  }
  // Not for what must happen, but for what must not: a way out takes a moment.
  await page.waitForTimeout(500)
  await page.keyboard.press('1')
  assert.equal(page.url(), session.url)
  assert.equal(page.context().pages().length, 1)
  assert.equal(await readFile(path.join(run, 'labels.jsonl'), 'utf8'), '')
  assert.deepEqual(
    doors.filter(({ arrived }) => arrived.length > 0).map(({ way, arrived }) => `${way.id}: ${arrived[0]}`),
    [],
  )
  // Else nothing was proved: the same app from the same address, served without its policy and outside of a frame, gets through.
  const bare = createHttpServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(apps[0]))
  bare.listen(0, '127.0.0.1')
  await once(bare, 'listening')
  after(() => bare.close())
  const address = bare.address()
  const free = await browser.newPage()
  await free.goto(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`)
  while (!doors.some(({ arrived }) => arrived.length > 0)) await free.waitForTimeout(50)
  await Promise.all([free.close(), page.close()])
  await session.interrupt()
})

test('scripts of common CDNs work in the frame, from the mirror', async () => {
  const run = path.join(scratch.path, 'mirror')
  const app =
    '<!doctype html><body><p id=said>no</p><script src="https://cdn.jsdelivr.net/npm/d3@7"></script><script>d3.select("#said").text("drawn")</script>'
  await madeRun(run, 'hitl_reg_01', [{ app }])
  const session = await label(run)
  const page = await opened(session.url)
  await page.keyboard.press('2')
  await page.frameLocator('iframe').locator('#said', { hasText: 'drawn' }).waitFor()
  assert.equal(await page.locator('iframe').getAttribute('sandbox'), 'allow-scripts allow-forms')
  await page.close()
  await session.interrupt()
})
