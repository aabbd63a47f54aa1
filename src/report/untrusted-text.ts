/**
 * Everything that a model, a plugin, a page or a stranger's artifact wrote passes through here on its way to a reader.
 * One function a target; each returns text that is plain letters there, whatever was put in.
 */
import { cutBytes, cutText, visibleLine, visibleText } from './visible-text.ts'

/** An opened comment could forge or close a hidden marker of ours, even where a naive reader looks inside code. */
function withoutComments(text: string): string {
  return text.replaceAll('<!--', '<!‑‑').replaceAll('-->', '‑‑>').replaceAll('--!>', '‑‑!>')
}

function longestRun(text: string, character: string): number {
  let longest = 0
  let run = 0
  for (const letter of text) {
    run = letter === character ? run + 1 : 0
    if (run > longest) longest = run
  }
  return longest
}

/**
 * Markdown: a code span, usable in a sentence, a list item and a table cell. Nothing inside is Markdown, HTML, mention,
 * reference or address. A pipe becomes `│`: no escape of a pipe is read alike by all parsers of tables.
 * @param most UTF-16 units kept
 */
export function codeSpan(text: string, most = 200): string {
  const line = withoutComments(cutText(visibleLine(text), most)).replaceAll('|', '│')
  if (line === '') return '`(empty)`'
  const fence = '`'.repeat(longestRun(line, '`') + 1)
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${line}${pad}${fence}`
}

/**
 * Markdown: a block of literal text. Stands alone, between blank lines, never inside a list or a quote.
 * @param most UTF-16 units kept
 */
export function codeBlock(text: string, most = 2000, language: 'text' | 'json' | 'sh' = 'text'): string {
  const body = withoutComments(cutText(visibleText(text).replace(/^\n+|\s+$/gu, ''), most))
  const fence = '`'.repeat(Math.max(3, longestRun(body, '`') + 1))
  return `${fence}${language}\n${body === '' ? '(empty)' : body}\n${fence}`
}

/** Letters and figures with harmless punctuation at the edges. Excludes what could be a reference, an address, a list mark or math. */
const PLAIN_WORD =
  /^[("'“‘]{0,2}(?:[\p{L}\p{N}\p{Sc}](?:[\p{L}\p{M}\p{N}.,'’%^=–—→/-]*[\p{L}\p{M}\p{N}%])?|→|≤|≥|–|—|·|\p{Extended_Pictographic}\uFE0F?)[)"'”’]{0,2}[.,;:!?…]{0,3}[)"'”’]{0,2}$/u
/** Commit SHAs, `GH-1` and kin, `www.`, dotted hosts with a path, double slashes, money that could open a formula. */
const SUSPECT_WORD = /[0-9a-f]{7,}|\p{L}-\d|www\.|\/\/|\p{L}\.\p{L}.*\/|^\$|\$\S*\$/iu

function proseWord(word: string, first: boolean): string {
  const listMark = first && /^(?:\d+[.)]|[-+*=–—])$/u.test(word)
  return PLAIN_WORD.test(word) && !SUSPECT_WORD.test(word) && !listMark ? word : codeSpan(word)
}

/** What a sentence quotes, in straight quotes or backticks, as words of its own (`'` beside a letter is an apostrophe); the closing quote may have been cut off. */
const QUOTED =
  /(?<=(?:^| )\(?)(?:"([^"`\s][^"`]{0,199})"|`([^"`\s][^"`]{0,199})`|'([^'"`\s][^'"`]{0,79})'|"([^"`]{0,200}…)$)(?=[.,;:!?)…]{0,4}(?: |$))/gu

/**
 * Markdown: a sentence that reads as prose. What stands in quotes, and words that could mean something to GitHub (names with `_`,
 * mentions, references, addresses, markup), turn into code spans, neighbours into one unless a comma parts them; the rest stays as it is.
 */
export function proseText(text: string, most = 600): string {
  const line = cutText(visibleLine(text), most)
  const parts: string[] = []
  let from = 0
  for (const quoted of line.matchAll(QUOTED)) {
    parts.push(wordsAsProse(line.slice(from, quoted.index), from === 0))
    parts.push(codeSpan(quoted[1] ?? quoted[2] ?? quoted[3] ?? quoted[4] ?? '', Number.MAX_SAFE_INTEGER))
    from = quoted.index + quoted[0].length
  }
  parts.push(wordsAsProse(line.slice(from), from === 0))
  const prose = parts.join('').trim()
  return prose === '' ? codeSpan('') : prose
}

/** White space at both ends is kept, as one blank. */
function wordsAsProse(text: string, atStart: boolean): string {
  const [lead, trail] = [text.startsWith(' ') ? ' ' : '', text.trimStart() !== '' && text.endsWith(' ') ? ' ' : '']
  const parts: string[] = []
  let literal: string[] = []
  const flush = (): void => {
    if (literal.length > 0) parts.push(trailingPunctuationOutside(literal.join(' ')))
    literal = []
  }
  for (const [index, word] of text.trim().split(' ').entries()) {
    if (word === '') continue
    // what stands at the quotes: `(` before, `),` after
    const atQuotes = word === '(' || (/^[.,;:!?)…]{1,4}$/u.test(word) && index === 0 && !atStart)
    if (atQuotes || proseWord(word, atStart && index === 0) === word) {
      flush()
      parts.push(word)
    } else {
      literal.push(word)
      if (/[,;]$/u.test(word)) flush()
    }
  }
  flush()
  return `${lead}${parts.join(' ')}${trail}`
}

/** Punctuation that closes the sentence or a bracket opened before stays outside of the code span. */
function trailingPunctuationOutside(text: string): string {
  const [, core = text, tail = ''] = /^(.*[^.,;:!?)”])([.,;:!?)”]{1,3})$/su.exec(text) ?? []
  const closes = tail.includes(')') && core.includes('(')
  if (closes && core.lastIndexOf('(') === 0 && core.length > 1) return `(${codeSpan(core.slice(1), Number.MAX_SAFE_INTEGER)}${tail}`
  return closes ? codeSpan(text, Number.MAX_SAFE_INTEGER) : `${codeSpan(core, Number.MAX_SAFE_INTEGER)}${tail}`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** HTML text or a quoted attribute value, characters otherwise kept as they are. */
export function escapeHtml(text: string): string {
  return text.toWellFormed().replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** HTML: like `escapeHtml`, with what is invisible made visible. */
export function htmlText(text: string): string {
  return escapeHtml(visibleText(text))
}

/**
 * One line for a raw-HTML block in Markdown (a `<summary>`): `<code>` keeps GitHub from linking mentions and references.
 * Never contains a line break, since a blank line would end the block.
 */
export function htmlCode(text: string, most = 160): string {
  const line = withoutComments(cutText(visibleLine(text), most))
  return `<code>${escapeHtml(line === '' ? '(empty)' : line).replaceAll('`', '&#96;')}</code>`
}

/** JSON for a `<script type="application/json">`: no `<`, so that no tag, comment or `</script>` can stand in it. */
export function scriptJson(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * One line of a log of GitHub Actions. The runner executes `::command::` at the start of a line and `##[command]`
 * anywhere in it, and splits lines at a lone CR; here line breaks are written `⏎` and both command marks are broken.
 */
export function inertLogLine(text: string, most = 2000): string {
  const line = cutText(visibleText(text).replaceAll('\n', ' ⏎ ').replaceAll('\t', ' ').trim(), most)
  return line.replaceAll('##[', '## [').replaceAll('::', ': :')
}

/** Several lines of a log, each inert. */
export function inertLog(text: string, mostLines = 200): string {
  const lines = visibleText(text).split('\n')
  const kept = lines.slice(0, mostLines).map((line) => inertLogLine(line))
  return [...kept, ...(lines.length > mostLines ? [`… ${lines.length - mostLines} more lines`] : [])].join('\n')
}

/** Breaks what a plain-text view might still link: addresses, mentions, references. */
function withoutLinks(text: string): string {
  return text
    .replaceAll('://', ': //')
    .replace(/www\./giu, 'www .')
    .replace(/\b(mailto|javascript|data|vbscript):(?=\S)/giu, '$1: ')
    .replace(/@(?=[\p{L}\p{N}_-])/gu, '@ ')
    .replace(/#(?=\d)/gu, '# ')
    .replace(/\bGH-(?=\d)/giu, 'GH ')
}

/**
 * Plain text of a check-run annotation. Characters beyond U+FFFF (emoji) are replaced by `□`: the API has refused them.
 * @param mostBytes UTF-8 bytes kept (the API takes 64 KB in a message, 255 characters in a title)
 */
export function annotationText(text: string, mostBytes: number): string {
  const plain = withoutLinks(withoutComments(visibleText(text)))
    .replace(/[\u{10000}-\u{10FFFF}]/gu, '□')
    .replaceAll('##[', '## [')
    .replace(/^(\s*)::/gmu, '$1: :')
  return cutBytes(plain, mostBytes).trim()
}

/** A single line of plain text: titles of check runs and annotations. */
export function titleText(text: string, most = 255): string {
  return cutText(annotationText(visibleLine(text), most * 4), most)
}

/** Code points that XML 1.0 cannot hold are gone after `visibleText`; `]]>` is split, since it would end a CDATA section. */
export function xmlText(text: string): string {
  return visibleText(text).replaceAll(']]>', ']] >')
}

/**
 * A Markdown link of ours. The address must be absolute http(s); anything else gives the bare label.
 * @param label our own words, already safe Markdown
 */
export function ownLink(label: string, address: string | null): string {
  const safe = safeAddress(address)
  return safe === null ? label : `[${label}](${safe})`
}

/** The address with everything escaped that Markdown or HTML could stumble over; null when it is no absolute http(s) address. */
export function safeAddress(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return null
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  return url.href.replace(
    /[()<>"'`|\\*[\]{}\s]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}
