import type { Task } from '../model/task.ts'
import { exampleOf } from './payload-schema.ts'

/**
 * `plain`: the row's strings in a label, its selectors, dummy buttons, a constant valid payload.
 * `reactive`: the same, and every control changes some text that means nothing.
 */
export type FakeKind = 'plain' | 'reactive'

/** An app made from the row alone, without any understanding of the prompt. It must not pass. */
export function rowFake(task: Task, kind: FakeKind): string {
  const { must_contain_strings = [], required_selectors = [], min_interactive_elements = 1 } = task.outcome_dom_assertions
  const payload = JSON.stringify(exampleOf(task.expected_callback_schema))
  const controls = required_selectors.map(elementFor)
  const buttons = Math.max(1, min_interactive_elements - controls.filter((control) => !control.startsWith('<button')).length)
  const dummies = Array.from({ length: buttons - 1 }, (_, index) => `<button type="button">Option ${index + 1}</button>`)
  const reaction =
    kind === 'plain'
      ? ''
      : `let n = 0
  for (const el of document.querySelectorAll('button, input, textarea, select')) {
    for (const type of ['click', 'input']) el.addEventListener(type, () => { document.querySelector('output').textContent = 'Updated ' + (++n) })
  }`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Micro-app</title></head>
<body>
<label>${must_contain_strings.map(escaped).join(' | ')}</label>
${controls.filter((control) => !control.startsWith('<button')).join('\n')}
<button type="button" id="send">Send to Hermes</button>
${dummies.join('\n')}
<output></output>
<script>
  document.getElementById('send').addEventListener('click', () => window.hermes.sendAction(${payload.replaceAll('<', '\\u003c')}))
  ${reaction}
</script>
</body>
</html>
`
}

/** An element that a plain selector matches: `tag`, `tag[attribute='value']`. */
function elementFor(selector: string): string {
  const tag = /^[a-z][a-z0-9-]*/iu.exec(selector)?.[0] ?? 'div'
  const attributes = [...selector.matchAll(/\[([a-z-]+)(?:=(['"]?)([^\]'"]*)\2)?\]/giu)].map(
    (match) => `${match[1] ?? ''}="${match[3] ?? ''}"`,
  )
  const id = /#([\w-]+)/u.exec(selector)?.[1]
  const classes = [...selector.matchAll(/\.([\w-]+)/gu)].map((match) => match[1] ?? '')
  const start = [
    tag,
    ...attributes,
    ...(id === undefined ? [] : [`id="${id}"`]),
    ...(classes.length === 0 ? [] : [`class="${classes.join(' ')}"`]),
  ].join(' ')
  return ['input', 'img', 'br', 'hr'].includes(tag) ? `<${start}>` : `<${start}></${tag}>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
