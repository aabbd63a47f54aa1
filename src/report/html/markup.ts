/** HTML by tagged template: every inserted string is escaped unless it is markup already, so forgetting is safe. */
import { escapeHtml, htmlText } from '../untrusted-text.ts'

/** Finished, trusted HTML. Only `markup` and `trusted` make it. */
export class Markup {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

export type Insert = Markup | string | number | null | readonly Insert[]

function write(value: Insert): string {
  if (value === null) return ''
  if (value instanceof Markup) return value.source
  if (typeof value === 'string') return htmlText(value)
  if (typeof value === 'number') return `${value}`
  return value.map(write).join('')
}

/** Strings become visible, escaped text (also safe in quoted attributes); arrays are joined; null is nothing. */
export function markup(parts: TemplateStringsArray, ...values: readonly Insert[]): Markup {
  let source = parts[0] ?? ''
  for (const [index, value] of values.entries()) source += write(value) + (parts[index + 1] ?? '')
  return new Markup(source)
}

/** Our own constant source (style, script). */
export function trusted(source: string): Markup {
  return new Markup(source)
}

/** A quoted attribute value that must arrive unchanged, invisible characters included: the document of a micro-app. */
export function exactAttribute(value: string): Markup {
  return new Markup(escapeHtml(value))
}

/** A PNG, JPEG or WebP as a data URI; null for anything else. */
export function imageSource(uri: string | undefined): Markup | null {
  return uri !== undefined && /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/u.test(uri) ? new Markup(uri) : null
}

/** A `<details>`; closed unless told otherwise. */
export function disclosure(summary: Insert, content: Insert, options: { readonly className: string; readonly open?: boolean }): Markup {
  return markup`<details class="${options.className}"${options.open === true ? trusted(' open') : null}><summary>${summary}</summary>${content}</details>`
}

/** Literal text that keeps its line breaks. */
export function literal(text: string): Markup {
  return markup`<pre>${text}</pre>`
}
