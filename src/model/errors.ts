import type { Problem } from './schema.ts'

/** Exit codes of every command and of the Action (documented in the README). */
export const EXIT = { pass: 0, regression: 1, usage: 2, inconclusive: 3, internal: 4 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** The user can fix this: bad input, broken file, missing program. Printed as one sentence a problem, never with a stack trace; exit code 2. */
export class UserError extends Error {
  override readonly name = 'UserError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[] | string) {
    const list = typeof problems === 'string' ? [{ where: '', at: '', message: problems }] : problems
    super(toldProblems(list).join('\n'))
    this.problems = list
  }
}

/** Problems of one file that are told; a wrong file would fill the screen. */
const MOST_OF_ONE_FILE = 5

function toldProblems(problems: readonly Problem[]): string[] {
  const byFile = Map.groupBy(problems, ({ where }) => where)
  return [...byFile].flatMap(([where, own]) => {
    const most = where === '' ? own.length : MOST_OF_ONE_FILE
    const left = own.length - most
    return [...own.slice(0, most).map(formatProblem), ...(left > 0 ? [`${where}: and ${left} more problem${left === 1 ? '' : 's'}`] : [])]
  })
}

/** Why a trial could not be measured. Never a grade: such a trial is counted as missing. */
export const INFRA_CLASSES = ['model_unavailable', 'quota', 'judge_error', 'browser_error', 'harness_error', 'budget'] as const
export type InfraClass = (typeof INFRA_CLASSES)[number]

/** The harness, the model service, the judge or the browser stopped us. */
export class InfraError extends Error {
  override readonly name = 'InfraError'
  readonly infraClass: InfraClass

  constructor(infraClass: InfraClass, message: string, options?: ErrorOptions) {
    super(message, options)
    this.infraClass = infraClass
  }
}

/** `where (at): message`, leaving out what is empty. */
export function formatProblem(problem: Problem): string {
  const place = [problem.where, problem.at === '' ? '' : `(${problem.at})`].filter((part) => part !== '').join(' ')
  return place === '' ? problem.message : `${place}: ${problem.message}`
}
