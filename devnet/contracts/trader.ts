// The traffic of a simulated exchange: for each moment the next transactions, like a market's. Prices follow a random
// walk, arbitrage keeps pools near them, activity follows the time of day. Deterministic for the same randomness,
// times and tables. All that it remembers is its state, so that it can be taken back with the blocks of a fork.

import type { ActionCall } from '../chain/contract.ts'
import type { Random } from '../random.ts'
import { call } from './actions.ts'
import { ORACLE } from './exchange.ts'
import type { Profile, TokenSpec } from './profile.ts'
import { arbitrage } from './trader/arbitrage.ts'
import { burnPosition, changeProtocolFee, collectFees, mintPosition, movePosition } from './trader/liquidity.ts'
import { orderTraffic } from './trader/orders.ts'
import { FairPrices, type PriceState } from './trader/prices.ts'
import { userSwap } from './trader/swaps.ts'
import { type Tables, transfer, View } from './trader/view.ts'

const DAY = 86_400_000

/** Never changed in place. */
export interface TraderState {
  readonly random: number
  readonly prices: PriceState
  /** Unix milliseconds of the last call and of the last quote; null before the first. */
  readonly last: number | null
  readonly quoted: number | null
}

export interface TraderPace {
  /** Transactions a second in the daily mean, without arbitrage. */
  rate: number
  /** Milliseconds from one quote of the oracle to the next. */
  quoteInterval: number
  /** By how much more than its fee a venue is off when somebody brings it back, as a share of the price. */
  slack: number
}

export class Trader {
  private readonly profile: Profile
  private readonly random: Random
  private readonly prices: FairPrices
  private last: number | null = null
  private quoted: number | null = null

  constructor(profile: Profile, random: Random) {
    this.profile = profile
    this.random = random
    this.prices = new FairPrices(profile.tokens, () => random.next())
  }

  get state(): TraderState {
    const { random, prices, last, quoted } = this
    return { random: random.state, prices: prices.state, last, quoted }
  }

  set state({ random, prices, last, quoted }: TraderState) {
    this.random.state = random
    this.prices.state = prices
    this.last = last
    this.quoted = quoted
  }

  /** What whoever trades sees, with the prices of the last call of `next`. */
  view(now: number, tables: Tables, random: Random = this.random): View {
    return new View(
      this.profile,
      () => random.next(),
      tables,
      now,
      (token) => this.prices.usd(token),
    )
  }

  /**
   * The transactions of the time since the last call, each made for what those before it have left. Arbitrage comes last.
   *
   * @param now     block time, Unix milliseconds, not before the last one
   * @param tables  tables of a contract as the last transaction left them
   * @param pace    of this time
   */
  *next(now: number, tables: Tables, { rate, quoteInterval, slack }: TraderPace): Generator<ActionCall[]> {
    const seconds = this.last === null ? 0 : Math.max(0, now - this.last) / 1000
    this.last = now
    this.prices.advance(now)
    const view = this.view(now, tables)
    if (this.quoted === null || now - this.quoted >= quoteInterval) yield this.quote(view)
    const expected = rate * seconds * rhythm(now)
    const count = Math.floor(expected) + (view.random() < expected % 1 ? 1 : 0)
    for (let i = 0; i < count; i++) {
      const calls = transaction(view)
      if (calls) yield calls
    }
    yield* arbitrage(view, slack)
  }

  private quote(view: View): ActionCall[] {
    this.quoted = view.now
    const value = BigInt(Math.round(view.usd(view.profile.tokens[0] as TokenSpec) * 10_000))
    return [
      call(ORACLE, 'write', 'oracle.svc', { owner: 'oracle.svc', quotes: [{ value, pair: view.profile.oraclePair }] }),
    ]
  }
}

function transaction(view: View): ActionCall[] | null {
  const kind = view.random()
  if (kind < 0.43) return userSwap(view)
  if (kind < 0.72) return orderTraffic(view)
  if (kind < 0.79) return mintPosition(view)
  if (kind < 0.83) return burnPosition(view)
  if (kind < 0.87) return collectFees(view)
  if (kind < 0.877) return movePosition(view)
  return kind < 0.88 ? changeProtocolFee(view) : payment(view)
}

/** Activity by time of day: from a half at night to one and a half in the afternoon, UTC. */
function rhythm(now: number): number {
  return 1 + 0.5 * Math.sin(((now % DAY) / DAY - 0.375) * 2 * Math.PI)
}

function payment(view: View): ActionCall[] | null {
  const from = view.user()
  const to = view.user()
  const token = view.pick(view.profile.tokens)
  const quantity = view.affordable(from, token, view.between(0.5, 40))
  return quantity && from !== to ? [transfer(token.contract, from, to, quantity, '')] : null
}
