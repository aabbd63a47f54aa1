import { RENDER_TOOL, type MicroApp, type ToolCall, type Transcript } from '../model/transcript.ts'

/** Reads a file of the trial's scratch folder; null when it is missing or lies outside. The reader, not this module, keeps the border. */
export type ReadScratchFile = (path: string) => Promise<string | null> | string | null

/** Keys under which plugins are known to return or take the document. */
const DOCUMENT_KEYS = ['html', 'html_content', 'document', 'content']
const FILE_KEYS = ['html_path', 'html_file', 'file_path', 'path', 'file', 'artifact_path', 'output_path']
/** Results may wrap their data once. */
const WRAPPERS = ['data', 'result', 'artifact', 'app', 'micro_app']

/** Status ok, and a result that reports no error of its own. */
export function isSuccessfulRender(call: ToolCall): boolean {
  if (call.name !== RENDER_TOOL || call.status !== 'ok') return false
  const result = jsonObject(call.result)
  if (result === null) return true
  if (result['ok'] === false || result['success'] === false || result['is_error'] === true) return false
  if (result['status'] === 'error' || result['status'] === 'failed') return false
  const error = result['error']
  return error === undefined || error === null || error === false || error === ''
}

/**
 * The micro-app of a trial: the document of the last successful `render_micro_app` call, from the tool's result (inline, then a file it names),
 * else from the call's arguments. Null when there is no such call or it left no document.
 */
export async function findMicroApp(transcript: Transcript, readScratchFile: ReadScratchFile): Promise<MicroApp | null> {
  const call = transcript.tool_calls.findLast(isSuccessfulRender)
  if (call === undefined) return null
  const result = jsonObject(call.result)
  const layers = result === null ? [] : [result, ...WRAPPERS.map((key) => objectOf(result[key])).filter((inner) => inner !== null)]
  for (const layer of layers) {
    const html = documentIn(layer)
    if (html !== null) return { html, from: 'result' }
  }
  for (const layer of layers) {
    const html = await fileIn(layer, readScratchFile)
    if (html !== null) return { html, from: 'file' }
  }
  if (result === null && looksLikeDocument(call.result)) return { html: call.result, from: 'result' }
  const args = typeof call.args === 'string' ? null : call.args
  const html = args === null ? null : documentIn(args)
  return html === null ? null : { html, from: 'arguments' }
}

function documentIn(layer: Readonly<Record<string, unknown>>): string | null {
  const { html } = layer
  if (typeof html === 'string' && html.trim() !== '' && !/^[^<\s]+\.html?$/iu.test(html.trim())) return html
  for (const key of DOCUMENT_KEYS) {
    const value = layer[key]
    if (typeof value === 'string' && looksLikeDocument(value)) return value
  }
  return null
}

async function fileIn(layer: Readonly<Record<string, unknown>>, read: ReadScratchFile): Promise<string | null> {
  for (const key of [...FILE_KEYS, 'html']) {
    const path = layer[key]
    if (typeof path !== 'string' || path === '' || looksLikeDocument(path)) continue
    const html = await read(path)
    if (html !== null && html.trim() !== '') return html
  }
  return null
}

function looksLikeDocument(text: string): boolean {
  return /<\s*(?:!doctype|html|head|body|div|main|section|script|form|style)\b/iu.test(text)
}

function jsonObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return null
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}
