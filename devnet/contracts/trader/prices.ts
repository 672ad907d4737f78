// Fair prices: a random walk with a slow pull back to the first price, so that weeks stay sane.
import type { TokenSpec } from '../profile.ts'

const DAY = 86_400_000
/** Standard deviation of a day, and the part of a deviation that a day takes back. */
const DAILY_VOLATILITY = 0.05
const DAILY_PULL = 0.15

/** Never changed in place. */
export interface PriceState {
  /** Unix milliseconds; null before the first move. */
  readonly last: number | null
  /** Logarithm of each token's price over its first one, and the price, USD. */
  readonly logs: readonly number[]
  readonly usd: readonly number[]
}

export class FairPrices {
  state: PriceState
  private readonly tokens: readonly TokenSpec[]
  private readonly random: () => number

  constructor(tokens: readonly TokenSpec[], random: () => number) {
    this.tokens = tokens
    this.random = random
    this.state = { last: null, logs: tokens.map(() => 0), usd: tokens.map(({ usd }) => usd) }
  }

  /** Moves all prices on to a time, Unix milliseconds. */
  advance(now: number): void {
    const { last, logs } = this.state
    const days = last === null ? 0 : Math.max(0, now - last) / DAY
    const pull = 1 - DAILY_PULL * Math.min(1, days)
    const reach = DAILY_VOLATILITY * Math.sqrt(days)
    const moved = this.tokens.map((token, i) => (isStable(token) ? 0 : logs[i]! * pull + this.normal() * reach))
    const usd = this.tokens.map((token, i) => token.usd * Math.exp(moved[i]!))
    this.state = { last: now, logs: moved, usd }
  }

  /** USD. @throws RangeError for a token that is not among those of the constructor */
  usd(token: TokenSpec): number {
    const price = this.state.usd[this.tokens.indexOf(token)]
    if (price === undefined) throw new RangeError(`no price of ${token.code}@${token.contract}`)
    return price
  }

  private normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random())
  }
}

function isStable({ code }: TokenSpec): boolean {
  return code === 'USDT' || code === 'USDC'
}
