// What signed transactions without `max_cpu_usage_ms` may cost: each as much CPU as the chain allows one, until it expires.

/** As clients get it. */
export interface UnboundedCost {
  /** Signed, without a bound, not expired. */
  transactions: number
  /** The most CPU that they can cost the payer together, milliseconds. */
  cpuMs: number
}

export class Unbounded {
  /** Signed since the start. */
  total = 0
  /** By the second in which they expire. */
  private readonly open = new Map<number, UnboundedCost>()

  /**
   * @param expiration  Unix seconds
   * @param cpuMs       the most CPU that the chain allows one transaction
   */
  add(expiration: number, cpuMs: number): void {
    this.total++
    const before = this.open.get(expiration) ?? { transactions: 0, cpuMs: 0 }
    this.open.set(expiration, { transactions: before.transactions + 1, cpuMs: before.cpuMs + cpuMs })
  }

  /** @param now  Unix milliseconds */
  cost(now: number): UnboundedCost {
    const sum = { transactions: 0, cpuMs: 0 }
    for (const [expiration, { transactions, cpuMs }] of this.open) {
      if (expiration * 1000 < now) this.open.delete(expiration)
      else {
        sum.transactions += transactions
        sum.cpuMs += cpuMs
      }
    }
    return sum
  }
}
