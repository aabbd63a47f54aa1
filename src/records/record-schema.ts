import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { recordSchema, type TrialRecord } from '../model/record.ts'

let validate: ValidateFunction<TrialRecord> | undefined

/** The value as a trial record, or what is wrong with it in one sentence. Compiled on first use. */
export function parseRecord(value: unknown): { ok: true; record: TrialRecord } | { ok: false; problem: string } {
  if (validate === undefined) {
    const ajv = new Ajv({ allErrors: false, allowUnionTypes: true })
    formats.default(ajv)
    validate = ajv.compile<TrialRecord>(recordSchema)
  }
  if (validate(value)) return { ok: true, record: value }
  const error = validate.errors?.[0]
  const place = error?.instancePath === undefined || error.instancePath === '' ? 'the record' : error.instancePath
  return { ok: false, problem: `${place} ${error?.message ?? 'does not match the record schema'}` }
}
