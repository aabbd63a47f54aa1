import PQueue from 'p-queue'
import { InfraError } from '../model/errors.ts'
import type { RubricVerdict } from '../model/judge.ts'
import type { BrowserEngine } from '../outcome/engine.ts'
import type { JudgeExample } from './judge-examples.ts'
import { exampleMaterial } from './judge-material.ts'
import type { Judging, OpenJudge } from './open-judge.ts'

/** One rubric of one example, put to the judge once. */
export interface Judged {
  readonly example: JudgeExample
  readonly rubric_id: string
  /** From 1. */
  readonly repetition: number
  readonly expected: RubricVerdict
  /** Null = no verdict. */
  readonly seen: RubricVerdict | null
  /** The judge's reason and quotation, or why there is no verdict. */
  readonly why: string
  /** Whose fault it is that there is no verdict: the judge's (it counts), or that of service or browser (it does not). */
  readonly lost_by: 'judge' | 'surroundings' | null
}

/** Whether the judge is to blame: a wrong verdict, or none. */
export function isMissed({ seen, expected, lost_by: by }: Judged): boolean {
  return seen !== expected && by !== 'surroundings'
}

/** One call, or what several votes took together. */
export interface JudgingCost {
  readonly calls: number
  readonly malformed_answers: number
  /** Null = the model has no price. */
  readonly cost_usd: number | null
  /** Estimated; 0 when nothing was asked. */
  readonly prompt_tokens: number
  readonly example: JudgeExample
}

export interface MeasureOptions {
  readonly examples: readonly JudgeExample[]
  readonly judge: OpenJudge
  /** Null when no example has an app to operate. */
  readonly engine: BrowserEngine | null
  readonly screenshots: boolean
  /** How often every question is asked, 1 or more. */
  readonly repeat: number
  /** Pages at once. */
  readonly concurrency: number
  /** Questions at once. */
  readonly questions: number
  readonly signal: AbortSignal
  /** Told of each question when it is decided. */
  readonly onJudged: (judged: readonly Judged[], done: number, planned: number) => void
}

export interface Measurement {
  readonly judged: readonly Judged[]
  readonly costs: readonly JudgingCost[]
  readonly repeat: number
}

/** Puts every example to the judge; results are in the order of the examples. A judge that is not there is not asked on and on. */
export async function measureJudge(options: MeasureOptions): Promise<Measurement> {
  const pages = new PQueue({ concurrency: options.concurrency })
  const questions = new PQueue({ concurrency: options.questions })
  const costs: JudgingCost[] = []
  const planned = options.examples.length * options.repeat
  let done = 0
  const judged = await Promise.all(
    options.examples.map(async (example) => {
      const results: Judged[] = []
      const conclude = (repetition: number, result: readonly Judged[]): void => {
        done += 1
        results.push(...result)
        options.onJudged(result, done, planned)
        if (result.length === 0) throw new Error(`nothing was asked about ${example.specimen} (${repetition})`)
      }
      const hopeless = (): string | null => (options.signal.aborted ? 'interrupted' : options.judge.hopeless())
      const material = await pages.add(async () => {
        const why = hopeless()
        if (why !== null) return why
        return exampleMaterial(example, options.engine, options.screenshots).catch((error: unknown) => {
          if (error instanceof InfraError) return error.message
          throw error
        })
      })
      for (let repetition = 1; repetition <= options.repeat; repetition += 1) {
        if (typeof material === 'string') {
          conclude(repetition, lost(example, repetition, material, 'surroundings'))
          continue
        }
        await questions.add(async () => {
          const why = hopeless()
          if (why !== null) return conclude(repetition, lost(example, repetition, why, 'surroundings'))
          const request = { account: `${example.id}-${repetition}`, rubrics: example.task.model_grader_rubrics, material }
          const judging = await options.judge.ask(request, options.signal)
          costs.push(costOf(judging, example))
          conclude(repetition, verdicts(example, repetition, judging))
        })
      }
      return results
    }),
  )
  return { judged: judged.flat(), costs, repeat: options.repeat }
}

function verdicts(example: JudgeExample, repetition: number, { result }: Judging): Judged[] {
  return [...example.expected].flatMap(([rubricId, expected]) => {
    const answer = result.answers.find((each) => each.rubric_id === rubricId)
    if (answer !== undefined) {
      const why = `${answer.reason} — “${answer.evidence}”`
      return [{ example, rubric_id: rubricId, repetition, expected, seen: answer.verdict, why, lost_by: null }]
    }
    const [why, by] =
      result.status === 'judged'
        ? ['the judge left this rubric out', 'judge' as const]
        : [result.detail, result.infra_class === 'judge_error' ? ('judge' as const) : ('surroundings' as const)]
    return lost(example, repetition, why, by).filter((each) => each.rubric_id === rubricId)
  })
}

function lost(example: JudgeExample, repetition: number, why: string, by: 'judge' | 'surroundings'): Judged[] {
  return [...example.expected].map(([rubricId, expected]) => ({
    example,
    rubric_id: rubricId,
    repetition,
    expected,
    seen: null,
    why,
    lost_by: by,
  }))
}

function costOf({ usage }: Judging, example: JudgeExample): JudgingCost {
  const { model_calls: calls, malformed_answers, cost_usd, prompt_tokens } = usage
  return { calls, malformed_answers, cost_usd, prompt_tokens, example }
}
