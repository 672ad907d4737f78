// Fair prices: a random walk with a slow pull back to the first price, so that weeks stay sane.
import type { TokenSpec } from '../profile.ts'

const DAY = 86_400_000
/** Standard deviation of a day, and the part of a deviation that a day takes back. */
const DAILY_VOLATILITY = 0.05
const DAILY_PULL = 0.15

export class FairPrices {
  private readonly logs = new Map<string, number>()
  private readonly random: () => number
  private last: number | null = null

  constructor(random: () => number) {
    this.random = random
  }

  /** Moves all prices on to a time, Unix milliseconds. */
  advance(tokens: readonly TokenSpec[], now: number): void {
    const days = this.last === null ? 0 : Math.max(0, now - this.last) / DAY
    this.last = now
    for (const token of tokens) {
      if (isStable(token)) continue
      const key = `${token.code}@${token.contract}`
      const before = this.logs.get(key) ?? 0
      const step = this.normal() * DAILY_VOLATILITY * Math.sqrt(days)
      this.logs.set(key, before * (1 - DAILY_PULL * Math.min(1, days)) + step)
    }
  }

  /** USD. */
  usd(token: TokenSpec): number {
    return token.usd * Math.exp(this.logs.get(`${token.code}@${token.contract}`) ?? 0)
  }

  private normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random())
  }
}

function isStable({ code }: TokenSpec): boolean {
  return code === 'USDT' || code === 'USDC'
}
