import { UserError } from './errors.ts'
import type { Problem } from './schema.ts'

/** Inputs as they come from a door: names in kebab-case, empty string or undefined = not given. */
export type RawInputs = Readonly<Record<string, string | undefined>>

interface NumberRange {
  readonly min: number
  readonly max: number
}

/** Reads inputs one by one, collects every problem, and throws them together. */
export class InputReader {
  readonly #raw: RawInputs
  readonly #problems: Problem[] = []

  constructor(raw: RawInputs) {
    this.#raw = raw
  }

  problem(name: string, message: string): void {
    this.#problems.push({ where: `input "${name}"`, at: '', message })
  }

  /** Throws UserError when any input was bad. */
  throwIfBad(): void {
    if (this.#problems.length > 0) throw new UserError(this.#problems)
  }

  optional(name: string): string | null {
    const value = this.#raw[name]?.trim()
    return value === undefined || value === '' ? null : value
  }

  text(name: string, fallback: string): string {
    return this.optional(name) ?? fallback
  }

  required(name: string): string {
    const value = this.optional(name)
    if (value === null) this.problem(name, 'is required')
    return value ?? ''
  }

  choice<const T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const value = this.optional(name)
    if (value === null) return fallback
    const found = choices.find((choice) => choice === value)
    if (found === undefined) this.problem(name, `must be one of ${choices.join(', ')}; it is "${value}"`)
    return found ?? fallback
  }

  /** Null when not given, so that a default can be told from a choice. */
  list(name: string): readonly string[] | null {
    const value = this.optional(name)
    return value === null ? null : value.split(/[\s,]+/).filter((item) => item !== '')
  }

  flag(name: string, fallback: boolean): boolean {
    return this.choice(name, ['true', 'false'] as const, fallback ? 'true' : 'false') === 'true'
  }

  number(name: string, range: NumberRange & { readonly fallback: number }): number {
    return this.optionalNumber(name, range) ?? range.fallback
  }

  integer(name: string, range: NumberRange & { readonly fallback: number }): number {
    return this.optionalInteger(name, range) ?? range.fallback
  }

  optionalNumber(name: string, { min, max }: NumberRange): number | null {
    const value = this.optional(name)
    if (value === null) return null
    const number = Number(value)
    if (Number.isFinite(number) && number >= min && number <= max) return number
    this.problem(name, `must be a number from ${min} to ${max}; it is "${value}"`)
    return null
  }

  optionalInteger(name: string, range: NumberRange): number | null {
    const value = this.optional(name)
    if (value === null) return null
    const number = Number(value)
    if (Number.isInteger(number) && number >= range.min && number <= range.max) return number
    this.problem(name, `must be a whole number from ${range.min} to ${range.max}; it is "${value}"`)
    return null
  }

  url(name: string, fallback: string): string {
    const value = this.text(name, fallback)
    const parsed = URL.canParse(value) ? new URL(value) : null
    if (parsed === null || !/^https?:$/.test(parsed.protocol)) this.problem(name, `must be an http(s) address; it is "${value}"`)
    return value.replace(/\/+$/, '')
  }
}

/** Reads one input after another and remembers every problem; for commands with few inputs. */
export function readInputs<T>(raw: RawInputs, body: (read: InputReader) => T): T {
  const read = new InputReader(raw)
  const value = body(read)
  read.throwIfBad()
  return value
}
