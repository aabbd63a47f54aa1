/** Where the edge says what it does. Every text is made inert before it reaches the runner's log. */
export interface Log {
  info(text: string): void
  /** Shown as an annotation of the step. */
  warning(text: string): void
  error(text: string): void
}

// C0 without tab and newline, DEL, C1: a terminal or the runner could act on them.
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g
// oxlint-disable-next-line no-control-regex
const ANSI = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-_])/g
const INVISIBLE = /[\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g

/**
 * Text that the runner cannot read as a workflow command: `::name::` at the start of a line and `##[name]` anywhere in it
 * are broken up, a lone CR (which the runner takes for a line end) becomes a newline; ANSI, controls, bidi and zero-width characters go.
 */
export function inertLogText(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(ANSI, '')
    .replace(CONTROLS, '')
    .replace(INVISIBLE, '')
    .replace(/##(?=\[)/g, '## ')
    .replace(/^(\s*):(?=:)/gm, '$1: ')
}

/** The log of a running Action: plain lines on stdout, warnings and errors as annotations. `redact` sees every text first. */
export function actionLog(write: (text: string) => void, redact: (text: string) => string): Log {
  const command = (name: string, text: string) => write(`::${name}::${escapeCommandData(inertLogText(redact(text)))}\n`)
  return {
    info: (text) => write(`${inertLogText(redact(text))}\n`),
    warning: (text) => command('warning', text),
    error: (text) => command('error', text),
  }
}

function escapeCommandData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
