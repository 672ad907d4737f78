// Fair prices: a random walk that slowly reverts to the first price, so that prices stay realistic for weeks.
import { itemAt } from '../../../core/required.ts'
import type { TokenSpec } from '../profile.ts'

const DAY = 86_400_000
/** Daily standard deviation, and the share of a deviation that reverts within a day. */
const DAILY_VOLATILITY = 0.05
const DAILY_REVERSION = 0.15

/** Immutable. */
export interface PriceState {
  /** Unix milliseconds; null before the first move. */
  readonly last: number | null
  /** For each token the logarithm of its price over the first one, and its price in USD. */
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

  /** Advances all prices to a time, Unix milliseconds. */
  advance(now: number): void {
    const { last, logs } = this.state
    const days = last === null ? 0 : Math.max(0, now - last) / DAY
    const pull = 1 - DAILY_REVERSION * Math.min(1, days)
    const reach = DAILY_VOLATILITY * Math.sqrt(days)
    const moved = this.tokens.map((token, i) => (isStable(token) ? 0 : itemAt(logs, i) * pull + this.normal() * reach))
    const usd = this.tokens.map((token, i) => token.usd * Math.exp(itemAt(moved, i)))
    this.state = { last: now, logs: moved, usd }
  }

  /** Price in USD. @throws RangeError for a token that was not passed to the constructor */
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
