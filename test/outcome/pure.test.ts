import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mirrorFileFor } from '../../src/outcome/mirror-catalogue.ts'
import { mirrored } from '../../src/outcome/mirror.ts'
import { selectorAlternatives } from '../../src/outcome/selector-equivalents.ts'

for (const [selector, expected] of [
  ['form > input[type=range]#a', ['form > input[type=range]#a', 'form > [role="slider"]#a']],
  [
    '[type=checkbox]:checked',
    ['[type=checkbox]:checked', '[role="checkbox"][aria-checked="true"]', '[role="switch"][aria-checked="true"]'],
  ],
  ['div.card', ['div.card']],
  ['button div', ['button div']],
  ['bad[[', ['bad[[']],
] as const)
  test(`alternatives of ${selector}`, () => {
    assert.deepEqual(selectorAlternatives(selector), expected)
  })

test('the mirror answers what it has, in the right major, and nothing else', async () => {
  assert.deepEqual(mirrorFileFor('https://unpkg.com/vue@3.4.1/dist/vue.global.js'), { package: 'vue', file: 'dist/vue.global.prod.js' })
  assert.deepEqual(mirrorFileFor('https://cdnjs.cloudflare.com/ajax/libs/Chart.js/4.4.0/chart.umd.js'), {
    package: 'chart.js',
    file: 'dist/chart.umd.min.js',
  })
  for (const address of [
    'https://unpkg.com/vue@2',
    'https://evil.example/npm/vue@3',
    'https://unpkg.com/react@18/../../etc/passwd',
    'https://cdn.jsdelivr.net/npm/%E0%A4%A',
    'https://cdn.jsdelivr.net/gh/a/b',
    'not an address',
    'data:text/javascript,1',
  ])
    assert.equal(mirrorFileFor(address), null, address)
  assert.match((await mirrored('https://cdn.tailwindcss.com/')) ?? '', /tailwind/)
})
