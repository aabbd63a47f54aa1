/** Results → the body of the pull request's one comment. */
import type { Results } from '../model/results.ts'
import type { Pictures } from './failing-trial.ts'
import { markdownReport } from './markdown-report.ts'
import type { ReportLinks } from './markdown-sections.ts'

export interface CommentOptions {
  /** First line of the body, by which the comment is found again: `<!-- … -->`, or the text to put inside one. */
  readonly marker: string
  readonly links: ReportLinks
  /** UTF-8 bytes; default 60,000. GitHub refuses somewhere between 65,536 characters and 262,144 bytes. */
  readonly maxBytes?: number
  /** UTF-16 units; default 60,000. */
  readonly maxUnits?: number
  /** Public addresses of screenshots by path; none by default. */
  readonly pictures?: Pictures
}

export interface CommentBody {
  readonly body: string
  /** What did not fit and stands in the report only, in words. */
  readonly leftOut: readonly string[]
}

export const COMMENT_LIMIT = 60_000

/** The comment: hidden marker, verdict, diff table, failing trials, costs, how to repeat; within the limits and well-formed. */
export function commentBody(results: Results, options: CommentOptions): CommentBody {
  const { marker, links, maxBytes = COMMENT_LIMIT, maxUnits = COMMENT_LIMIT, pictures = {} } = options
  const hidden = marker.startsWith('<!--') ? marker : `<!-- ${marker} -->`
  return markdownReport(results, { maxBytes, maxUnits, links, pictures, before: [hidden] })
}
