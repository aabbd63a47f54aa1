import { cutToBytes, cutToUnits, LIMITS } from './limits.ts'

/** A remark on a file of the pull request. */
export interface Annotation {
  /** Relative to the repository's root, with `/`. */
  readonly path: string
  /** First line is 1. */
  readonly start_line: number
  readonly end_line: number
  readonly annotation_level: 'notice' | 'warning' | 'failure'
  readonly title: string
  readonly message: string
}

/** Keeps an annotation within GitHub's limits. Characters above U+FFFF are replaced: the API has refused them. */
export function prepareAnnotation(annotation: Annotation): Annotation {
  const start = Math.max(1, Math.trunc(annotation.start_line))
  return {
    ...annotation,
    path: annotation.path.replaceAll('\\', '/').replace(/^(?:\.{0,2}\/)+/, ''),
    start_line: start,
    end_line: Math.max(start, Math.trunc(annotation.end_line)),
    title: cutToUnits(inBasicPlane(annotation.title), LIMITS.annotation_title),
    // an empty message is refused
    message: cutToBytes(inBasicPlane(annotation.message) || annotation.title || '-', LIMITS.annotation_bytes),
  }
}

function inBasicPlane(text: string): string {
  return text.replace(/[\u{10000}-\u{10FFFF}]/gu, '\uFFFD').replace(/[\uD800-\uDFFF]/g, '\uFFFD')
}

/** The list in parts of at most `size`, in order. */
export function batches<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
}
