// Sums over all pools and order books of a chain, kept from block to block: what a block changed is taken off and added
// again. Exact integers; what is read of them is of the state given.
import type { LiveMarket } from '../market/live-market.ts'
import { poolMark, tokenMark } from '../market/marks.ts'
import type { BlockMark, LiveBook, LivePool, MarketState, TokenRef } from '../market/model.ts'
import { usdValueNumber } from '../market/pricing.ts'
import { usdNumber, WINDOW_NAMES, type WindowName } from '../market/rolling.ts'

const POOL_FEE_ONE = 1_000_000n
const BOOK_FEE_ONE = 10_000n

/** Trades of a window: USD times 10^18, and USD times 10^18 times the rate. */
interface Traded {
  usd: bigint
  fees: bigint
  trades: number
}

type ByWindow = Record<WindowName, Traded>

/** What one pool or order book has in the sums. */
interface Share {
  of: LivePool | LiveBook
  /** Since when its trades are what they are. */
  traded: BlockMark
  windows: ByWindow
  /** Since when its value is what it is, and the value. Of pools alone. */
  valued: BlockMark | null
  value: bigint
  /** Raw units that its orders offer. Of order books alone. */
  offers: [token: TokenRef, amount: bigint][]
}

/** What open orders offer of a token. */
interface Offered {
  token: TokenRef
  amount: bigint
  /** Since when the value is what it is; null when it is to be made anew. */
  valued: BlockMark | null
  value: bigint
}

export class Totals {
  private at = ''
  private readonly shares = { pools: new Map<number, Share>(), books: new Map<number, Share>() }
  private readonly swaps = nothing()
  private readonly deals = nothing()
  private inPools = 0n
  private inOrders = 0n
  private readonly offered = new Map<string, Offered>()

  /** Everything but the users. USD where monetary. */
  stats(state: MarketState, window: WindowName) {
    this.follow(state)
    const [swaps, deals] = [this.swaps[window], this.deals[window]]
    const [swapFees, spotFees] = [swaps.fees / POOL_FEE_ONE, deals.fees / BOOK_FEE_ONE]
    return {
      tvl: usdValueNumber(this.inPools + this.inOrders),
      volume: usdNumber(swaps.usd + deals.usd),
      fees: usdNumber(swapFees + spotFees),
      swapVolume: usdNumber(swaps.usd),
      spotVolume: usdNumber(deals.usd),
      swapFees: usdNumber(swapFees),
      spotFees: usdNumber(spotFees),
      swapTx: swaps.trades,
      spotTx: deals.trades,
      poolsTotal: state.pools.size,
      spotPairsTotal: state.books.size,
    }
  }

  private follow(state: MarketState): void {
    if (this.at === state.at.id) return
    this.forget(this.swaps, this.shares.pools, state.pools)
    this.forget(this.deals, this.shares.books, state.books)
    for (const pool of state.pools.values()) this.followPool(state, pool)
    for (const book of state.books.values()) this.followBook(book)
    for (const offered of this.offered.values()) this.followOffered(state, offered)
    this.at = state.at.id
  }

  private followPool(state: MarketState, pool: LivePool): void {
    const share = this.shareOf(this.shares.pools, pool)
    if (share.traded !== pool.changed) replace(this.swaps, share, pool)
    const valued = poolMark(state, pool)
    if (share.valued === valued) return
    const value = state.prices.poolUsd(pool)
    this.inPools += value - share.value
    share.valued = valued
    share.value = value
  }

  private followBook(book: LiveBook): void {
    const share = this.shareOf(this.shares.books, book)
    if (share.traded === book.changed) return
    replace(this.deals, share, book)
    for (const [token, amount] of share.offers) this.offer(token, -amount)
    share.offers = [
      [book.target, sumOf(book.bids)],
      [book.base, sumOf(book.asks)],
    ]
    for (const [token, amount] of share.offers) this.offer(token, amount)
  }

  private followOffered(state: MarketState, offered: Offered): void {
    const { token, amount } = offered
    const { prices } = state
    const valued = tokenMark(state, token.id)
    if (offered.valued === valued) return
    const value = prices.quote(token.id).isTrusted ? prices.holdingUsd(token, amount, token, 0n) : 0n
    this.inOrders += value - offered.value
    offered.valued = valued
    offered.value = value
  }

  private offer(token: TokenRef, amount: bigint): void {
    if (amount === 0n) return
    const known = this.offered.get(token.id)
    if (known === undefined) this.offered.set(token.id, { token, amount, valued: null, value: 0n })
    else {
      known.amount += amount
      known.valued = null
    }
  }

  private shareOf(shares: Map<number, Share>, of: LivePool | LiveBook): Share {
    let share = shares.get(of.id)
    if (share === undefined) {
      const traded = { block: 0, id: '', time: 0 }
      share = { of, traded, windows: nothing(), valued: null, value: 0n, offers: [] }
      shares.set(of.id, share)
    }
    return share
  }

  /** Takes off what is no longer there: a fork replaces pools and order books. */
  private forget(sums: ByWindow, shares: Map<number, Share>, items: ReadonlyMap<number, object>): void {
    for (const [id, share] of shares) {
      if (items.get(id) === share.of) continue
      for (const name of WINDOW_NAMES) {
        const [sum, { usd, fees, trades }] = [sums[name], share.windows[name]]
        sum.usd -= usd
        sum.fees -= fees
        sum.trades -= trades
      }
      this.inPools -= share.value
      for (const [token, amount] of share.offers) this.offer(token, -amount)
      shares.delete(id)
    }
  }
}

/** Puts what was traded now in the place of what was traded before. */
function replace(sums: ByWindow, share: Share, { volumes, fee, changed }: LivePool | LiveBook): void {
  for (const name of WINDOW_NAMES) {
    const { usd, trades } = volumes[name]
    const [sum, before] = [sums[name], share.windows[name]]
    const now = { usd, fees: usd * BigInt(fee), trades }
    sum.usd += now.usd - before.usd
    sum.fees += now.fees - before.fees
    sum.trades += now.trades - before.trades
    share.windows[name] = now
  }
  share.traded = changed
}

function nothing(): ByWindow {
  const none = () => ({ usd: 0n, fees: 0n, trades: 0 })
  return { day: none(), week: none(), month: none(), quarter: none(), all: none() }
}

function sumOf(orders: LiveBook['bids']): bigint {
  let sum = 0n
  for (const { bid } of orders) sum += bid
  return sum
}

const markets = new WeakMap<LiveMarket, Totals>()

/** The sums of a market. */
export function totalsOf(market: LiveMarket): Totals {
  let totals = markets.get(market)
  if (totals === undefined) markets.set(market, (totals = new Totals()))
  return totals
}
