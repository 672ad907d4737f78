// Whether something is asked for more than once: what nobody asks for again is not worth keeping. Bytes outside of the
// heap that outlive a collection or two have all of the heap marked again and again, and everybody waits for that.

/** Nobody has a reason to ask at length: longer keys, which come from requests, are not remembered. */
const LONGEST = 1000

export class RecentKeys {
  private latest = new Set<string>()
  private before = new Set<string>()
  private readonly most: number

  /** @param most  so many keys make a period at most */
  constructor(most: number) {
    this.most = most
  }

  /** Notes that a key is asked for. @returns whether it was in this period or in the one before */
  note(key: string): boolean {
    if (key.length > LONGEST) return false
    const isKnown = this.latest.has(key) || this.before.has(key)
    if (!this.latest.has(key) && this.latest.size >= this.most) this.begin()
    this.latest.add(key)
    return isKnown
  }

  /** Begins a period. */
  begin(): void {
    this.before = this.latest
    this.latest = new Set()
  }
}
