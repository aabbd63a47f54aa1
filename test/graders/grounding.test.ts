import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groundingOf } from '../../src/graders/grounding.ts'
import { aState, anOutcome } from './trial-builders.ts'

const meeting = (source: string, wanted: string): string | null => groundingOf(anOutcome({ source })).find(wanted)?.meeting ?? null

test('says the best way in which a user meets a string', () => {
  const text = { rendered: 'alpha', hidden: 'alpha hush', attributes: 'label', form_values: 'typed' }
  const outcome = anOutcome({
    states: [aState({ text }), aState({ index: 1, label: 'after 1', rendered: 'later' })],
    source: '<p>alpha</p><script>const answer = "in script"</script>',
  })
  const grounding = groundingOf(outcome)
  const all = ['alpha', 'later', 'typed', 'label', 'hush', 'in script', 'absent'].map((wanted) => grounding.find(wanted)?.meeting ?? null)
  assert.deepEqual(all, ['rendered', 'revealed', 'form_value', 'attribute', 'hidden', 'source', null])
  assert.equal(grounding.find('later')?.state?.index, 1)
  assert.equal(grounding.visibleIn('typed')?.index, 0)
  assert.equal(grounding.visibleIn('hush'), null)
})

test('the source counts outside comments only, with escapes and entities decoded', () => {
  assert.equal(meeting('<p>a</p><!-- PACELC -->', 'PACELC'), null)
  assert.equal(meeting('<script>// PACELC\n/* PACELC */ let a = 1</script>', 'PACELC'), null)
  assert.equal(meeting('<script>let a = { PACELC: 1 }</script>', 'PACELC'), 'source')
  assert.equal(meeting('<script>let a = "\\u0050ACELC"</script>', 'PACELC'), 'source')
  assert.equal(meeting('<script>let a = "https://x.y/z" // gone\n</script>', 'z'), 'source')
  assert.equal(meeting('<script>draw("R&amp;D <b>Low</b>-Rank")</script>', 'R&D Low-Rank'), 'source')
  assert.equal(meeting('<p>PR&nbsp;&#35;42</p>', 'PR #42'), 'source')
  assert.equal(meeting('<p><b>Low</b>-<i>Rank</i></p>', 'Low-Rank'), 'source')
  assert.equal(meeting('<p>one</p><p>two</p>', 'onetwo'), null)
  assert.equal(meeting('<script type="application/json">{"name":"RAGAS"}</script>', 'RAGAS'), 'source')
  assert.equal(meeting('<template><p>RAGAS</p></template>', 'RAGAS'), 'source')
  assert.equal(meeting('<button onclick="show(&quot;RAGAS&quot;)">x</button>', 'RAGAS'), 'source')
  assert.equal(meeting('<script>if (i<n && x.name==="RAGAS" && y>3) go()</script>', 'RAGAS'), 'source')
  assert.equal(meeting('<script>broken ( "RAGAS"</script>', 'RAGAS'), 'source')
})

test('names of variables, ids and classes are no data; literals, templates, numbers and keys are', () => {
  assert.equal(
    meeting(
      '<p id="gradient" class="gradient">x</p><script>let gradient = 1; function backward() { return gradient }; f({ gradient })</script>',
      'gradient',
    ),
    null,
  )
  assert.equal(meeting('<script>el.innerHTML = `<p class="gradient">${x}</p>`</script>', 'gradient'), null)
  assert.equal(meeting('<script>el.innerHTML = `<p class="a" x="${x}">the gradient</p>`</script>', 'the gradient'), 'source')
  assert.equal(meeting('<script>let a = { gradient: 1 }</script>', 'gradient'), 'source')
  assert.equal(meeting('<script>let pids = [4812,1102,330]</script>', '1102'), 'source')
  assert.equal(meeting('<script>let cost = 4_200</script>', '$4200'), null)
  assert.equal(meeting('<script>let cost = 4_200</script>', '4200'), 'source')
  assert.equal(meeting('<script>let s = `pass^${k}`</script>', 'pass^k'), null)
})

test('CSS is no data', () => {
  assert.equal(meeting('<style>p { color: rgb(1,2,3) }</style><p style="color: rgb(1,2,3)">x</p>', 'RGB'), null)
  assert.equal(meeting('<script>ctx.fillStyle = "rgb(1,2,3)"; c = "rgba(0,0,0,.1)"</script>', 'RGB'), null)
  assert.equal(meeting('<style>p::after { content: "RGB benchmark" }</style>', 'RGB'), 'source')
})

test('an exponent painted without its mark counts as rendered only where the document writes an exponent', () => {
  const states = [aState({ rendered: 'passk = pk' })]
  const asSup = groundingOf(anOutcome({ states, source: '<p>pass<sup>k</sup> = p<sup>k</sup></p>' }))
  assert.equal(asSup.find('pass^k')?.meeting, 'rendered')
  const asScript = groundingOf(anOutcome({ states, source: '<script>el.innerHTML = "pass<sup>k</sup>"</script>' }))
  assert.equal(asScript.find('pass^k')?.meeting, 'rendered')
  const plain = groundingOf(anOutcome({ states, source: '<p>passk = pk</p>' }))
  assert.equal(plain.find('pass^k'), null)
})

test('hostile documents are read in time that grows with their length', () => {
  const many = (text: string): string => text.repeat(Math.floor(400_000 / text.length))
  const documents = [
    many('<div>'),
    many('<br>'),
    `<style>${many('/*')}</style>`,
    `<style>${many('content:"')}</style>`,
    `<script>${many('/*')}</script>`,
    `<script>${many('<!--')}</script>`,
    `<script>(${many('[')}</script>`,
    `<script>"${many("<a title='")}</script>`,
    many('1 234 '),
    many('1,234,'),
    many('^{'),
    many('<sup '),
    many('$ 1 '),
    many('\u200b'),
    many('⁰1'),
  ]
  for (const source of documents) {
    const started = performance.now()
    groundingOf(anOutcome({ source, states: [aState({ rendered: source })] })).find('not there')
    const seconds = (performance.now() - started) / 1000
    assert.ok(seconds < 6, `${source.slice(0, 40)}: ${seconds} s`)
  }
})
