import { pick } from './seeded.ts'

/** How apps end that were written by a model which was not told of any bridge: something in the page's own reach. */
const ENDINGS: readonly string[] = [
  `async function finishUp(result) {
  localStorage.setItem('lastResult', JSON.stringify(result));
  return { ok: true };
}`,
  `async function finishUp(result) {
  window.parent.postMessage({ type: 'result', result: result }, '*');
  return { ok: true };
}`,
  `async function finishUp(result) {
  console.log('Result', result);
  return { ok: true };
}`,
  `async function finishUp(result) {
  alert('Saved: ' + JSON.stringify(result));
  return { ok: true };
}`,
  `async function finishUp(result) {
  var box = document.createElement('pre');
  box.textContent = 'Copy this into the chat: ' + JSON.stringify(result, null, 2);
  document.body.appendChild(box);
  return { ok: true };
}`,
]

/** The same app as a model writes it that does not know `window.hermes`. */
export function withoutBridge(html: string, ...seed: readonly (string | number)[]): string {
  const ending = pick(ENDINGS, ...seed, 'ending') ?? ''
  const body = html
    .replaceAll(/\b(?:window|globalThis|self|top|parent)\s*(?:\?\.|\.)\s*hermes\s*(?:\?\.|\.)\s*sendAction\b/g, 'finishUp')
    .replaceAll(/(?<![\w.$'"`])hermes\s*(?:\?\.|\.)\s*sendAction\b/g, 'finishUp')
    .replaceAll(/\b(?:window|globalThis|self)\s*(?:\?\.|\.)\s*hermes\b/g, '({ sendAction: finishUp })')
  return insertScript(body, ending)
}

function insertScript(html: string, script: string): string {
  const opening = /<head\b[^>]*>|<html\b[^>]*>|<!doctype\b[^>]*>/gi
  const places = [...html.matchAll(opening)]
  const head = places.find((match) => /^<head/i.test(match[0])) ?? places.at(-1)
  const at = head === undefined ? 0 : head.index + head[0].length
  return `${html.slice(0, at)}\n<script>\n${script}\n</script>${html.slice(at)}`
}
