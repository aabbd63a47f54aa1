/**
 * How many requests may be with the model service at once. Halves when the service limits the rate, and grows by one
 * after as many untroubled answers as there are places, up to the maximum.
 */
export class AdaptiveLimit {
  readonly #maximum: number
  #places: number
  #busy = 0
  #calm = 0
  readonly #waiting: (() => void)[] = []

  constructor(maximum: number) {
    this.#maximum = Math.max(1, maximum)
    this.#places = this.#maximum
  }

  get places(): number {
    return this.#places
  }

  /** Waits for a place, runs the work and frees the place. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy >= this.#places) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#busy += 1
    try {
      return await work()
    } finally {
      this.#busy -= 1
      this.#admit()
    }
  }

  rateLimited(): void {
    this.#places = Math.max(1, Math.floor(this.#places / 2))
    this.#calm = 0
  }

  answered(): void {
    this.#calm += 1
    if (this.#calm < this.#places || this.#places >= this.#maximum) return
    this.#places += 1
    this.#calm = 0
    this.#admit()
  }

  #admit(): void {
    while (this.#busy < this.#places) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#busy += 1
      next()
    }
  }
}
