// Shares of a core that the parts of a measurement take: who uses the processors decides what its times mean.

/** Processor seconds of each part, by name. */
export type Parts = ReadonlyMap<string, () => number>

export class Shares {
  readonly #parts: Parts
  readonly #before: ReadonlyMap<string, number>
  readonly #started = performance.now()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#before = new Map([...parts].map(([name, seconds]) => [name, seconds()]))
  }

  /** Share of a core since the start, percent, by part. */
  text(): string {
    const elapsed = (performance.now() - this.#started) / 1000
    return [...this.#parts]
      .map(([name, seconds]) => {
        const used = seconds() - (this.#before.get(name) ?? 0)
        return `${name} ${((used / elapsed) * 100).toFixed(0)} %`
      })
      .join(', ')
  }
}
