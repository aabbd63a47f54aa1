/**
 * Text normalising for data grounding: two texts that a reader takes for the same data become the same string.
 * Rules are those of docs: Unicode NFKC, case, dashes, quotes, white space, sizes, thousands, currency, exponents.
 */

/** How digit groups are read: left alone, joined at unambiguous marks (`1,234` `1_234` `1'234`, no-break space), or joined at any space too. */
export type DigitGroups = 'kept' | 'marked' | 'spaced'

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ'
const SUPERSCRIPT_RUN = new RegExp(`[${SUPERSCRIPTS}]+`, 'gu')
const MARKED_GROUPS =
  /(?<![\d.,_'’\u00a0\u2007\u2009\u202f])\d{1,3}(?:([,_'’\u00a0\u2007\u2009\u202f])\d{3})(?:\1\d{3})*(?![\d_]|[,'’]\d)/gu
const SPACED_GROUPS = /(?<![\d.,] ?)\d{1,3}(?: \d{3})+(?! ?\d)/gu
/** Shown as nothing: zero-width and bidi marks, soft hyphen, variation selectors. */
const INVISIBLE = /\u00ad|\u034f|\u061c|\u180e|\p{Variation_Selector}|[\u200b-\u200f]|[\u202a-\u202e]|[\u2060-\u2069]|\ufeff/gu
const SINGLE_QUOTES = /[\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc\u02b9`]/gu
const DOUBLE_QUOTES = /[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u02ba]/gu
const DASHES = /[\u2010-\u2015\u2212\u2043\ufe58\ufe63\uff0d]/gu
const CURRENCY_CODES: Readonly<Record<string, string>> = { usd: '$', us$: '$', eur: '€', gbp: '£', jpy: '¥' }
/** Lengths of time, frequencies and the like that are written with and without a space. */
const UNIT_AFTER_SPACE = /(?<=\d) (?=(?:[kmgtp]|ms|s|min|h|hz|khz|mhz|ghz|kwh|px|%)(?![\p{L}\p{N}^@_-]))/gu

/**
 * The form in which grounded strings are compared. Idempotent for each reading of digit groups.
 * @param groups how digit groups are read; `marked` unless said otherwise
 */
export function normaliseText(text: string, groups: DigitGroups = 'marked'): string {
  let current = text
  // Removing one mark can bring two others together, so the rules run until nothing moves; two rounds are usual.
  for (let round = 0; round < 20; round += 1) {
    const next = normaliseOnce(current, groups)
    if (next === current) break
    current = next
  }
  return current
}

function normaliseOnce(text: string, groups: DigitGroups): string {
  const joined = groups === 'kept' ? text : text.replace(MARKED_GROUPS, (group) => group.replace(/\D/gu, ''))
  const plain = plainCharacters(joined)
  const spaced = groups === 'spaced' ? plain.replace(SPACED_GROUPS, (group) => group.replaceAll(' ', '')) : plain
  return currency(sizes(exponents(spaced)))
    .replace(UNIT_AFTER_SPACE, '')
    .replace(/(?<=\p{L})-(?=\p{L})/gu, ' ') // compounds are hyphenated freely: Open-Ended, open ended
    .trim()
}

function plainCharacters(text: string): string {
  return text
    .replace(SUPERSCRIPT_RUN, (run) => `^${run}`)
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('ς', 'σ')
    .replace(INVISIBLE, '')
    .replace(DASHES, '-')
    .replace(/\s+/gu, ' ')
}

/** `p^{k}`, `p^(k)`, `p<sup>k</sup>`, `p\^k`, `p ^ k` → `p^k`. */
function exponents(text: string): string {
  return text
    .replace(/<sup(?: [^<>]*)?>([^<>]{1,20})<\/sup>/gu, '^$1')
    .replace(/\\(?=\^)/gu, '')
    .replace(/ ?\^+ ?/gu, '^')
    .replace(/\^\{ ?([^{}]{1,20}?) ?\}/gu, '^$1')
    .replace(/\^\( ?([\p{L}\p{N}]{1,20}) ?\)/gu, '^$1')
}

/** `1.4 GB`, `1.4GiB`, `1,4 GB`, `1.40 gigabytes` → `1.4g`. */
function sizes(text: string): string {
  return text
    .replace(/(?<![\d.,])(\d+),(\d{1,2})(?= ?(?:[kmgtp](?:i?b)?(?![\p{L}\p{N}])|[€$£¥%]))/gu, '$1.$2')
    .replace(/(?<=\d) ?([kmgtp])(?:i?b)(?![\p{L}\p{N}])/gu, '$1')
    .replace(/(?<=\d)[ -]?(k|m|g|t|p)(?:ilo|ega|iga|era|eta)bytes?(?![\p{L}\p{N}])/gu, '$1')
    .replace(/(?<=\d) ([kmgtp])(?![\p{L}\p{N}^@_-])/gu, '$1')
    .replace(/(?<![\d.])(\d+)\.(\d*?)0+(?=[kmgtp](?![\p{L}\p{N}]))/gu, (_, whole: string, rest: string) =>
      rest === '' ? whole : `${whole}.${rest}`,
    )
}

/** `1.89 $`, `USD 1.89`, `US$1.89`, `1.89 usd` → `$1.89`. */
function currency(text: string): string {
  return text
    .replace(/(?<![\p{L}])(us\$|usd|eur|gbp|jpy|[$€£¥]) ?(?=\d)/gu, (_, mark: string) => CURRENCY_CODES[mark] ?? mark)
    .replace(
      /(?<![\p{L}\d.,$€£¥])(\d[\d.,]*) ?(us\$|usd|eur|gbp|jpy|[$€£¥])(?![\p{L}\p{N}]| \d)/gu,
      (_, amount: string, mark: string) => `${CURRENCY_CODES[mark] ?? mark}${amount}`,
    )
    .replace(/(?<=[$€£¥]\d+),(?=\d{2}(?![\d.,]))/gu, '.')
}
