// Detects repeated requests, so that only their answers are cached. An answer is a buffer outside of the heap. If it
// survives one or two garbage collections, V8 marks the whole heap more often, which delays every request.

/** Longer keys are not remembered, characters. Keys come from requests, and no real request is that long. */
const MAX_KEY = 1000

export class RecentKeys {
  private latest = new Set<string>()
  private previous = new Set<string>()
  private readonly max: number

  /** @param max  limit of keys in a period; at the limit a new period begins */
  constructor(max: number) {
    this.max = max
  }

  /** Records a request for a key. @returns whether it was requested in this period or the previous one */
  note(key: string): boolean {
    if (key.length > MAX_KEY) return false
    const isKnown = this.latest.has(key) || this.previous.has(key)
    if (!this.latest.has(key) && this.latest.size >= this.max) this.begin()
    this.latest.add(key)
    return isKnown
  }

  /** Begins a new period. */
  begin(): void {
    this.previous = this.latest
    this.latest = new Set()
  }
}
