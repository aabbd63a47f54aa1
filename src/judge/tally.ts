import type { JudgeVotes, RubricAnswer } from '../model/judge.ts'
import type { VotedVerdict } from './read-answer.ts'
import type { Ballot } from './vote.ts'

/** Counts the votes on one rubric. Votes that say nothing count for neither side, yet the majority is one of all votes. */
export class Tally {
  readonly #rubricId: string
  readonly #votes: JudgeVotes
  readonly #pass: VotedVerdict[] = []
  readonly #fail: VotedVerdict[] = []
  #lost = 0
  #problem: string | null = null
  #cached = true

  constructor(rubricId: string, votes: JudgeVotes) {
    this.#rubricId = rubricId
    this.#votes = votes
  }

  add(ballot: Ballot, cached: boolean): void {
    this.#cached &&= cached
    if (ballot.valid) (ballot.voted.verdict === 'PASS' ? this.#pass : this.#fail).push(ballot.voted)
    else {
      this.#lost += 1
      this.#problem ??= ballot.problem
    }
  }

  get #majority(): number {
    return Math.floor(this.#votes / 2) + 1
  }

  /** The answer as soon as a majority is certain. */
  get answer(): RubricAnswer | null {
    const first = this.#pass.length >= this.#majority ? this.#pass[0] : this.#fail.length >= this.#majority ? this.#fail[0] : undefined
    if (first === undefined) return null
    return {
      rubric_id: this.#rubricId,
      ...first,
      votes: { pass: this.#pass.length, fail: this.#fail.length },
      cached: this.#cached,
    }
  }

  /** Whether further votes could still bring a majority. */
  get open(): boolean {
    if (this.answer !== null) return false
    const left = this.#votes - this.#pass.length - this.#fail.length - this.#lost
    return Math.max(this.#pass.length, this.#fail.length) + left >= this.#majority
  }

  /** Why there is no answer. */
  get problem(): string {
    const problem = this.#problem ?? 'No vote was cast.'
    const count =
      this.#votes === 1 ? '' : ` (${this.#pass.length} PASS, ${this.#fail.length} FAIL, ${this.#lost} unusable of ${this.#votes} votes)`
    return `Rubric ${this.#rubricId}${count}: ${problem}`
  }
}
