// The newest trades of a chain's markets in memory, from their first request on. In the database, each trade of a
// market lies on another page; here a block only adds its own. A fork replaces the objects of the markets that it
// changes, so their trades are read again.
import type { ChainContext } from '../chain-context.ts'
import { LIMITS } from '../kit/limits.ts'
import type { Page } from '../kit/snapshot.ts'
import type { TradeRange } from '../kit/trade-range.ts'
import { newestPoolTrades, type PoolTrade } from '../kit/trades/pool-trades.ts'
import { newestSpotTrades, type SpotTrade } from '../kit/trades/spot-trades.ts'
import type { MarketState, Series } from '../live-market/model.ts'
import { readTogether } from '../live-market/together.ts'
import type { FeedMarket } from './market.ts'
import { PackedTrades, type Trade } from './packed-trades.ts'

export type MarketType = FeedMarket['type']

/** Trades cached for each market: the number that an answer has by default. */
const MAX_TRADES = LIMITS.trades
/** Limit for all markets of a chain together. */
const MAX_BYTES = 64 * 1024 * 1024
const FULL = 0.9
/** Trades may arrive during a read, so it requests this many more. */
const SPARE = 8
const ATTEMPTS = 3

interface Newest {
  /** The market's object, and its number of trades when they were read. */
  of: Series
  count: number
  trades: PackedTrades
  /** Whether these are all trades of the market. */
  isAll: boolean
}

export class RecentTrades {
  private readonly context: ChainContext
  /** The most recently read market is last. */
  private readonly cache = new Map<string, Newest>()
  private bytes = 0

  constructor(context: ChainContext) {
    this.context = context
    context.market.listen((_state, changes) => {
      if (changes === null) this.clear()
    })
  }

  /** Whether reading more markets would evict others. */
  get isFull(): boolean {
    return this.bytes > MAX_BYTES * FULL
  }

  /**
   * Reads the missing trades of markets, as of the block of the chain's market when the read ends.
   *
   * @param ids  ids of markets of this type
   * @throws HttpError 503 when market and database never are at the same block
   */
  async bring(type: MarketType, ids: readonly number[]): Promise<void> {
    const { chain, pool } = this.context
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const wanted = this.missing(type, ids)
      if (wanted.size === 0) return
      const request = [[...wanted.keys()], [...wanted.values()]] as const
      const { read, state } = await readTogether<Page<PoolTrade | SpotTrade>>(this.context, () =>
        type === 'amm' ? newestPoolTrades(pool, chain, ...request) : newestSpotTrades(pool, chain, ...request),
      )
      const rows = new Map<number, Trade[]>([...wanted.keys()].map((id) => [id, []]))
      for (const row of read.rows) rows.get(Number('poolId' in row ? row.poolId : row.marketId))?.push(row)
      for (const [id, most] of wanted) this.put(type, id, state, rows.get(id) as Trade[], most)
    }
  }

  /** The markets whose trades are not all in memory. */
  unknown(type: MarketType, ids: readonly number[]): number[] {
    return [...this.missing(type, ids).keys()]
  }

  /**
   * The newest trades of a market in a range, newest first.
   *
   * @returns null when the database may have others
   */
  find(type: MarketType, id: number, { type: side, from, before, limit }: TradeRange): Trade[] | null {
    const newest = this.of(type, id, this.context.market.state)
    if (newest === null || newest.count !== newest.of.volumes.all.trades) return null
    const { isAll } = newest
    const trades = newest.trades.read()
    const found: Trade[] = []
    for (let i = 0; i < trades.length && found.length < limit; i++) {
      const time = trades.timeAt(i)
      if (from !== undefined && time < from) return found
      if ((before === undefined || time < before) && (side === undefined || trades.isOf(i, side)))
        found.push(trades.at(i))
    }
    return isAll || found.length === limit ? found : null
  }

  /** For each market with missing trades, the number of trades to read. */
  private missing(type: MarketType, ids: readonly number[]): Map<number, number> {
    const { state } = this.context.market
    const wanted = new Map<number, number>()
    for (const id of ids) {
      const series = state === null ? undefined : seriesOf(state, type, id)
      if (series === undefined) continue
      const newest = this.of(type, id, state)
      const more = newest === null ? MAX_TRADES : series.volumes.all.trades - newest.count
      if (more > 0) wanted.set(id, newest === null ? MAX_TRADES : Math.min(MAX_TRADES, more + SPARE))
    }
    return wanted
  }

  /**
   * @param rows  the newest trades of a market as of the state, newest first; @param most  number of trades requested
   */
  private put(type: MarketType, id: number, state: MarketState, rows: readonly Trade[], most: number): void {
    const series = seriesOf(state, type, id)
    if (series === undefined) return
    const count = series.volumes.all.trades
    if (rows.length < most || most === MAX_TRADES) {
      this.store(type, id, { of: series, count, trades: PackedTrades.of(rows), isAll: rows.length < most })
      return
    }
    // Another request may have read or evicted it meanwhile.
    const newest = this.of(type, id, state)
    const more = newest === null ? Number.POSITIVE_INFINITY : count - newest.count
    if (newest === null || more > rows.length) return
    const trades = newest.trades.after(PackedTrades.of(rows.slice(0, more)), MAX_TRADES)
    const isAll = newest.isAll && trades.length === newest.trades.length + more
    this.store(type, id, { of: series, count, trades, isAll })
  }

  /** The cached trades of a market; null if its object is not the one in the state. */
  private of(type: MarketType, id: number, state: MarketState | null): Newest | null {
    const newest = this.cache.get(`${type} ${id}`)
    return newest !== undefined && state !== null && newest.of === seriesOf(state, type, id) ? newest : null
  }

  private store(type: MarketType, id: number, newest: Newest): void {
    const key = `${type} ${id}`
    this.evict(key)
    this.cache.set(key, newest)
    this.bytes += newest.trades.size
    for (const oldest of this.cache.keys()) {
      if (this.bytes <= MAX_BYTES) break
      this.evict(oldest)
    }
  }

  private evict(key: string): void {
    this.bytes -= this.cache.get(key)?.trades.size ?? 0
    this.cache.delete(key)
  }

  private clear(): void {
    this.cache.clear()
    this.bytes = 0
  }
}

function seriesOf({ pools, books }: MarketState, type: MarketType, id: number): Series | undefined {
  return type === 'amm' ? pools.get(id) : books.get(id)
}
