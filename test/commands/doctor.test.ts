import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { after, test } from 'node:test'
import { asList, asText, at, parseJson } from '../github/json.ts'
import { flags, genuiEval, HEALTHY, PROJECT, scratchFolder, type Ended } from './command-line.ts'

const scratch = await scratchFolder()
after(() => scratch[Symbol.asyncDispose]())

const KEY = 'sk-doctor-0123456789'

/** A model service that lists one model to whoever has the key, and echoes a refused key as some services do. */
async function modelService(status?: number): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    const allowed = request.headers.authorization === `Bearer ${KEY}`
    response.writeHead(status ?? (allowed ? 200 : 401), { 'content-type': 'application/json' })
    response.end(JSON.stringify(allowed ? { data: [{ id: 'model-a' }] } : { error: `bad key ${request.headers.authorization ?? ''}` }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}/v1`, [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) }
}

function finding(ended: Ended, name: string) {
  return asList(at(parseJson(ended.stdout), 'findings')).find((one) => at(one, 'name') === name)
}

test('a machine that has everything is healthy, and the key is shown nowhere', async () => {
  await using service = await modelService()
  const options = { plugin: HEALTHY, 'base-url': service.url, model: 'model-a', 'output-folder': path.join(scratch.path, 'run') }
  const ended = await genuiEval(['doctor', '--json', ...flags(options)], { env: { GENUI_EVAL_API_KEY: KEY } })
  assert.equal(ended.code, 0, ended.stdout)
  const document = parseJson(ended.stdout)
  assert.deepEqual([at(document, 'schema'), at(document, 'healthy')], ['genui-eval/doctor@1', true])
  for (const name of ['Node', 'git', 'Python', 'browser', 'fonts', 'plugin', 'model service', 'run folder'])
    assert.equal(at(finding(ended, name), 'status'), 'ok', name)
  assert.match(asText(at(finding(ended, 'browser'), 'detail')), /starts and its network walls hold/)
  assert.match(asText(at(finding(ended, 'plugin'), 'detail')), /^genui 1\.4\.0 loads and registers render_micro_app$/)
  assert.match(asText(at(finding(ended, 'model service'), 'detail')), /takes the key, 1 model$/)
  assert.doesNotMatch(ended.stdout + ended.stderr, new RegExp(KEY))
})

test('what is missing is named with what to do, all of it in one go', async () => {
  await using service = await modelService()
  const broken = path.join(scratch.path, 'broken')
  await mkdir(broken)
  await writeFile(path.join(broken, 'plugin.yaml'), 'name: half\nversion: 0.1.0\n')
  await writeFile(path.join(broken, '__init__.py'), 'raise RuntimeError("half a refactoring")\n')
  const options = { plugin: broken, 'base-url': service.url, 'browser-path': path.join(scratch.path, 'no-browser') }
  const ended = await genuiEval(['doctor', ...flags(options)], { cwd: scratch.path, env: { GENUI_EVAL_API_KEY: 'sk-wrong-9876543210' } })
  assert.equal(ended.code, 2)
  assert.match(ended.stdout, /^✔ Node +24\./m)
  assert.match(ended.stdout, /^! git .* is no repository\n +→ run inside a checkout/m)
  assert.match(ended.stdout, /^✘ browser .*no-browser.*\n +→ install Google Chrome/m)
  assert.match(ended.stdout, /^✘ plugin .*half a refactoring/m)
  assert.match(ended.stdout, /^✘ model service .*refuses the key \(401\)\n +→ set GENUI_EVAL_API_KEY/m)
  assert.match(ended.stdout, /To be mended: browser, plugin, model service\.$/m)
  assert.doesNotMatch(ended.stdout, /sk-wrong/)
})

test('a service is told apart: no key, no such model, trouble, nobody there, and one that does not list its models', async () => {
  const ask = async (url: string, more: Readonly<Record<string, string>> = {}, env: Readonly<Record<string, string>> = {}) =>
    finding(
      await genuiEval(['doctor', '--json', ...flags({ 'base-url': url, 'browser-path': '/nowhere', ...more })], { env }),
      'model service',
    )
  await using service = await modelService()
  assert.match(asText(at(await ask(service.url), 'detail')), /wants a key \(401\)/)
  const other = await ask(service.url, { model: 'model-b' }, { GENUI_EVAL_API_KEY: KEY })
  assert.match(asText(at(other, 'detail')), /lists no model "model-b"/)
  assert.match(asText(at(other, 'advice')), /model-a/)
  await using sick = await modelService(503)
  assert.match(asText(at(await ask(sick.url), 'detail')), /in trouble \(503\)/)
  await using silent = await modelService(404)
  assert.equal(at(await ask(silent.url), 'status'), 'warning')
  const gone = await modelService()
  await gone[Symbol.asyncDispose]()
  assert.match(asText(at(await ask(gone.url), 'detail')), /nothing listens there/)
})

test('an adapter is held against the protocol: the example conforms, one that says nothing does not', async () => {
  const adapter = path.join(PROJECT, 'examples/adapters/node/adapter.mjs')
  const check = (command: string) => genuiEval(['doctor', '--json', ...flags({ 'agent-command': command, 'browser-path': '/nowhere' })])
  const results = (ended: Ended) => asList(at(parseJson(ended.stdout), 'findings')).filter((one) => at(one, 'name') === 'agent command')
  const good = results(await check(`"${process.execPath}" "${adapter}"`))
  assert.ok(good.length >= 8)
  assert.deepEqual(
    good.filter((one) => at(one, 'status') !== 'ok'),
    [],
  )
  const mute = results(await check(`"${process.execPath}" -e ""`))
  assert.match(asText(at(mute[0], 'detail')), /^comes to its end: .*it ended \(exit code 0\) before done/)
  assert.match(asText(at(mute[0], 'advice')), /agent-protocol\.md/)
})
