// Possible cost of signed transactions without `max_cpu_usage_ms`: each may use the chain's CPU limit until it expires.

/** As clients receive it. */
export interface UnboundedCost {
  /** Signed without a bound and not expired. */
  transactions: number
  /** Maximum CPU that they can cost the payer in total, ms. */
  cpuMs: number
}

export class Unbounded {
  /** Number signed since the start. */
  total = 0
  /** Costs by second of expiry. */
  private readonly open = new Map<number, UnboundedCost>()

  /**
   * @param expiration  Unix seconds
   * @param cpuMs       the chain's CPU limit of one transaction
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
