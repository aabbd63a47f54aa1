import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { readFile } from 'node:fs/promises'
import { UserError } from '../model/errors.ts'
import { judgeHealthSchema, type JudgeHealth } from '../model/judge-health.ts'

let validate: ValidateFunction<JudgeHealth> | undefined

/**
 * Reads a health file.
 * @throws UserError when it is not there or is none
 */
export async function readJudgeHealth(file: string): Promise<JudgeHealth> {
  const refuse = (at: string, message: string) => new UserError([{ where: file, at, message }])
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw refuse('', `cannot be read as a judge's health (${why}); write it with "genui-eval validate --judge … --write-health FILE"`)
  }
  validate ??= compile()
  if (validate(value)) return value
  const [error] = validate.errors ?? []
  throw refuse(error?.instancePath ?? '', `${error?.message ?? 'is wrong'}; this is no judge's health of this version`)
}

function compile(): ValidateFunction<JudgeHealth> {
  const ajv = new Ajv({ allErrors: false, allowUnionTypes: true })
  formats.default(ajv)
  return ajv.compile<JudgeHealth>(judgeHealthSchema)
}

/** Why a judge of this fingerprint may not gate; null when it may. */
export function whyUnfit(health: JudgeHealth, fingerprint: string): string | null {
  if (health.fingerprint !== fingerprint) {
    return `its health was measured under other conditions (${health.fingerprint}), this judge is ${fingerprint}: measure it again with "validate --judge"`
  }
  return health.healthy ? null : `its measured health is not good enough. ${health.why}`
}
