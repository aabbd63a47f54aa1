import type { Task } from '../model/task.ts'
import { escaped } from './page-edits.ts'
import { exampleOf } from './payload-schema.ts'

/**
 * Text to read where something to do was asked for: tabs of paragraphs and a button that says it was read. Holds the strings of the row, opens every tab,
 * sends a valid payload; nothing in it can be stepped through, tried or answered.
 */
export function readingPage(task: Task, notes: readonly string[]): string {
  const { must_contain_strings: words = [], min_interactive_elements: controls = 3 } = task.outcome_dom_assertions
  const tabs = Math.max(2, controls - 1)
  const perTab = Math.max(1, Math.ceil(notes.length / tabs))
  const pages = Array.from({ length: tabs }, (_, index) => notes.slice(index * perTab, (index + 1) * perTab)).filter(
    (page) => page.length > 0,
  )
  while (pages.length < tabs) pages.push(['Read the other pages once more and you are well prepared.'])
  const payload = JSON.stringify(exampleOf(task.expected_callback_schema)).replaceAll('<', '\\u003c')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Your notes</title>
<style>
  body { margin: 0; font: 18px/1.7 Georgia, serif; background: #f7f5f0; color: #26221c; }
  main { max-width: 720px; margin: 0 auto; padding: 40px 20px; }
  nav { display: flex; gap: 8px; margin: 16px 0; } button { font: inherit; font-size: 15px; padding: 8px 16px; border-radius: 8px; border: 1px solid #b9ae9b; background: #fff; cursor: pointer; }
  button[aria-selected=true] { background: #26221c; color: #fff; } .small { color: #7a7060; font-size: 15px; }
</style>
</head>
<body>
<main>
  <h1>What you need to know</h1>
  <p class="small">In short: ${words.map(escaped).join(', ')}.</p>
  <nav role="tablist">${pages.map((_, index) => `<button type="button" role="tab" data-page="${index}" aria-selected="${index === 0}">Part ${index + 1}</button>`).join('')}</nav>
  ${pages.map((page, index) => `<section data-part="${index}"${index === 0 ? '' : ' hidden'}>${page.map((note) => `<p>${escaped(note)}</p>`).join('')}</section>`).join('\n  ')}
  <p><button type="button" id="done">I have read it: tell Hermes</button> <span class="small" id="said" role="status"></span></p>
</main>
<script>
  for (const tab of document.querySelectorAll('[data-page]')) tab.addEventListener('click', () => {
    for (const part of document.querySelectorAll('[data-part]')) part.hidden = part.dataset.part !== tab.dataset.page
    for (const other of document.querySelectorAll('[data-page]')) other.setAttribute('aria-selected', String(other === tab))
  })
  document.getElementById('done').addEventListener('click', async () => {
    await window.hermes.sendAction(${payload})
    document.getElementById('said').textContent = 'Hermes knows.'
  })
</script>
</body>
</html>
`
}
