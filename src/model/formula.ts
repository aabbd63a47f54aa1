/** Arithmetic that a task states as text: `1 - (1 - p)^k`. */

/** A formula's value for these inputs; NaN where it has none. */
export type Formula = (inputs: Readonly<Record<string, number>>) => number

export type ParsedFormula = { readonly ok: true; readonly formula: Formula } | { readonly ok: false; readonly reason: string }

const FUNCTIONS: Readonly<Record<string, (x: number) => number>> = { exp: Math.exp, ln: Math.log }
const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([a-zA-Z][a-zA-Z0-9_]*)|([-+*/^()]))/uy

/**
 * Reads `+ - * / ^`, brackets, decimal numbers, `exp(x)`, `ln(x)` and the given names. `^` binds to the right and before a minus sign: `-2^2` is −4.
 */
export function parseFormula(text: string, names: readonly string[]): ParsedFormula {
  const tokens = tokensOf(text)
  if (tokens === null) return { ok: false, reason: `"${text}" holds something other than numbers, names, brackets and + - * / ^` }
  try {
    const reader = new FormulaReader(tokens, new Set(names))
    return { ok: true, formula: reader.whole() }
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, reason: `"${text}": ${error.message}` }
    throw error
  }
}

function tokensOf(text: string): string[] | null {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (text.slice(TOKEN.lastIndex).trim() !== '') {
    const match = TOKEN.exec(text)
    if (match === null) return null
    tokens.push(match[0].trim())
  }
  return tokens
}

/** Recursive descent; nesting is bounded by what a person writes into a task. */
class FormulaReader {
  readonly #tokens: readonly string[]
  readonly #names: ReadonlySet<string>
  #at = 0

  constructor(tokens: readonly string[], names: ReadonlySet<string>) {
    this.#tokens = tokens
    this.#names = names
  }

  whole(): Formula {
    const formula = this.#sum()
    const left = this.#tokens[this.#at]
    if (left !== undefined) throw new SyntaxError(`"${left}" is not expected`)
    return formula
  }

  #take(...wanted: readonly string[]): string | null {
    const token = this.#tokens[this.#at]
    if (token === undefined || !wanted.includes(token)) return null
    this.#at += 1
    return token
  }

  #sum(): Formula {
    let left = this.#product()
    for (let sign = this.#take('+', '-'); sign !== null; sign = this.#take('+', '-')) {
      const [before, right, factor] = [left, this.#product(), sign === '+' ? 1 : -1]
      left = (inputs) => before(inputs) + factor * right(inputs)
    }
    return left
  }

  #product(): Formula {
    let left = this.#signed()
    for (let sign = this.#take('*', '/'); sign !== null; sign = this.#take('*', '/')) {
      const [before, right] = [left, this.#signed()]
      left = sign === '*' ? (inputs) => before(inputs) * right(inputs) : (inputs) => before(inputs) / right(inputs)
    }
    return left
  }

  #signed(): Formula {
    if (this.#take('-') === null) return this.#power()
    const inner = this.#signed()
    return (inputs) => -inner(inputs)
  }

  #power(): Formula {
    const base = this.#atom()
    if (this.#take('^') === null) return base
    const exponent = this.#signed()
    return (inputs) => base(inputs) ** exponent(inputs)
  }

  #atom(): Formula {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw new SyntaxError('it ends too early')
    this.#at += 1
    if (/^\d/u.test(token)) return () => Number(token)
    if (token === '(') return this.#closing(this.#sum())
    const apply = Object.hasOwn(FUNCTIONS, token) ? FUNCTIONS[token] : undefined
    if (apply !== undefined && this.#take('(') !== null) {
      const inner = this.#closing(this.#sum())
      return (inputs) => apply(inner(inputs))
    }
    if (this.#names.has(token)) return (inputs) => inputs[token] ?? Number.NaN
    throw new SyntaxError(/^[a-zA-Z]/u.test(token) ? `"${token}" is no input of it` : `"${token}" is not expected`)
  }

  #closing(inner: Formula): Formula {
    if (this.#take(')') === null) throw new SyntaxError('a bracket is not closed')
    return inner
  }
}
