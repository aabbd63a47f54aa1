/** Whether a quotation stands in the material. The rule is stated to the judge in its instructions. */

const SINGLE_QUOTES = /[\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc\u02b9`]/gu
const DOUBLE_QUOTES = /[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u02ba]/gu
const DASHES = /[\u2010-\u2015\u2212]/gu
/** Invisible characters, and the marks that stand for them in the prompt. */
const UNSEEN = /⟨u\+[0-9a-f]{4,6}⟩|[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/** A byte order mark is white space to JavaScript, but invisible to people. */
const WHITE_SPACE = /(?:[^\S\ufeff]|\u0085)+/gu
const WORD_CHARACTERS = /[\p{L}\p{N}]/gu

/** A quotation of fewer letters and digits counts only when it is a whole line of the material. */
export const LEAST_QUOTED = 3

/**
 * Compatible forms of a character (NFKC), letter case, kinds of quotes and dashes, and runs of white space are alike;
 * what cannot be seen does not count.
 */
export function normaliseQuotation(text: string): string {
  return text
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(WHITE_SPACE, ' ')
    .replace(UNSEEN, '')
    .replace(DASHES, '-')
    .replace(WHITE_SPACE, ' ')
    .trim()
}

/**
 * True when the quotation, or what stands between its outer quotes, is one passage of one of the pieces.
 * @param pieces texts of the material as sent; a text that was cut is two pieces, so that nobody quotes across the cut
 */
export function isQuoted(quotation: string, pieces: readonly string[]): boolean {
  const wanted = normaliseQuotation(quotation)
  const inner = /^(["'])(.*)\1$/su.exec(wanted)?.[2]?.trim()
  return [wanted, ...(inner === undefined ? [] : [inner])].some((text) => stands(text, pieces))
}

function stands(text: string, pieces: readonly string[]): boolean {
  const length = text.match(WORD_CHARACTERS)?.length ?? 0
  if (length >= LEAST_QUOTED) return pieces.some((piece) => normaliseQuotation(piece).includes(text))
  return length > 0 && pieces.some((piece) => piece.split('\n').some((line) => normaliseQuotation(line) === text))
}
