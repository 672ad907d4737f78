// Generates the traffic of a simulated exchange, transaction by transaction. Fair prices follow a random walk, arbitrage
// keeps pools near them, and activity follows the time of day. The same seed, times and tables give the same traffic.
// Everything that a trader remembers is in `state`, so that a fork can restore it.

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

/** Immutable. */
export interface TraderState {
  readonly random: number
  readonly prices: PriceState
  /** Time of the last call of `next`, Unix milliseconds; null before the first. */
  readonly last: number | null
  /** Time of the oracle's last quote, Unix milliseconds; null before the first. */
  readonly quoted: number | null
}

export interface TraderPace {
  /** Mean number of transactions per second over a day, without arbitrage. */
  rate: number
  /** Milliseconds between two quotes of the oracle. */
  quoteInterval: number
  /** Arbitrage trades in a venue whose price deviates from the fair one by more than its fee and this share of the price. */
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

  /** Tables and fair prices as a trader sees them; prices are those of the last call of `next`. */
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
   * Transactions for the time since the last call. Each is made from the tables that the previous one left. Arbitrage
   * comes last.
   *
   * @param now     block time, Unix milliseconds, not before the last call
   * @param tables  reads a contract's tables as of the last transaction
   * @param pace    rates at this time
   */
  *next(now: number, tables: Tables, { rate, quoteInterval, slack }: TraderPace): Generator<ActionCall[]> {
    const seconds = this.last === null ? 0 : Math.max(0, now - this.last) / 1000
    this.last = now
    this.prices.advance(now)
    const view = this.view(now, tables)
    if (this.quoted === null || now - this.quoted >= quoteInterval) yield this.quote(view)
    const expected = rate * seconds * dailyActivity(now)
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

/** Activity by time of day (UTC): from 0.5 at night to 1.5 in the afternoon. */
function dailyActivity(now: number): number {
  return 1 + 0.5 * Math.sin(((now % DAY) / DAY - 0.375) * 2 * Math.PI)
}

function payment(view: View): ActionCall[] | null {
  const from = view.user()
  const to = view.user()
  const token = view.pick(view.profile.tokens)
  const quantity = view.affordable(from, token, view.between(0.5, 40))
  return quantity && from !== to ? [transfer(token.contract, from, to, quantity, '')] : null
}
