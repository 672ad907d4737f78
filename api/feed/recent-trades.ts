// The newest trades of a chain's markets in memory, from the first time that somebody asks for them. In the database those
// of one market lie on as many pages as there are of them; here a block adds those that came with it. A fork replaces the
// market's objects of whatever it touches, so that theirs are read anew.
import type { ChainContext } from '../chain-context.ts'
import { newestPoolTrades, type PoolTrade } from '../exchange/amm-feed/trades.ts'
import { LIMITS } from '../exchange/meta.ts'
import type { Page } from '../exchange/snapshot.ts'
import { newestSpotTrades, type SpotTrade } from '../exchange/spot/trades.ts'
import type { TradeRange } from '../exchange/trade-range.ts'
import type { MarketState, Series } from '../market/model.ts'
import { readTogether } from '../market/together.ts'
import type { FeedMarket } from './market.ts'
import { PackedTrades, type Trade } from './packed-trades.ts'

export type MarketType = FeedMarket['type']

/** So many trades of a market are kept: as many as are told to who does not say how many. */
const KEPT = LIMITS.trades
/** Of all markets of a chain together. */
const MAX_BYTES = 64 * 1024 * 1024
const FULL = 0.9
/** Trades may come while those of a block are read: so many more are asked for. */
const SPARE = 8
const ATTEMPTS = 3

interface Newest {
  /** The market that they are of, and how many trades it had by then. */
  of: Series
  count: number
  trades: PackedTrades
  /** Whether it has no others. */
  isAll: boolean
}

export class RecentTrades {
  private readonly context: ChainContext
  /** Those read last at the end. */
  private readonly kept = new Map<string, Newest>()
  private bytes = 0

  constructor(context: ChainContext) {
    this.context = context
    context.market.listen((_state, changes) => {
      if (changes === null) this.clear()
    })
  }

  /** Whether what is read more takes the place of other markets'. */
  get isFull(): boolean {
    return this.bytes > MAX_BYTES * FULL
  }

  /**
   * Reads what is not known of markets as of the block that the chain's market is at when this ends.
   *
   * @param ids  of markets of the type
   * @throws HttpError 503 when market and database do not meet
   */
  async bring(type: MarketType, ids: readonly number[]): Promise<void> {
    const { chain, pool } = this.context
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const wanted = this.missing(type, ids)
      if (wanted.size === 0) return
      const asked = [[...wanted.keys()], [...wanted.values()]] as const
      const { read, state } = await readTogether<Page<PoolTrade | SpotTrade>>(this.context, () =>
        type === 'amm' ? newestPoolTrades(pool, chain, ...asked) : newestSpotTrades(pool, chain, ...asked),
      )
      const rows = new Map<number, Trade[]>([...wanted.keys()].map((id) => [id, []]))
      for (const row of read.rows) rows.get(Number('poolId' in row ? row.poolId : row.marketId))?.push(row)
      for (const [id, most] of wanted) this.put(type, id, state, rows.get(id) as Trade[], most)
    }
  }

  /** Those of some markets whose trades are not all at hand. */
  unknown(type: MarketType, ids: readonly number[]): number[] {
    return [...this.missing(type, ids).keys()]
  }

  /**
   * The newest trades of a market in a range, newest first.
   *
   * @returns null when there may be others than those at hand
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

  /** Of which markets how many trades are to be read. */
  private missing(type: MarketType, ids: readonly number[]): Map<number, number> {
    const { state } = this.context.market
    const wanted = new Map<number, number>()
    for (const id of ids) {
      const series = state === null ? undefined : seriesOf(state, type, id)
      if (series === undefined) continue
      const newest = this.of(type, id, state)
      const more = newest === null ? KEPT : series.volumes.all.trades - newest.count
      if (more > 0) wanted.set(id, newest === null ? KEPT : Math.min(KEPT, more + SPARE))
    }
    return wanted
  }

  /** @param rows  the newest of a market as of the state, newest first; @param most  so many were asked for */
  private put(type: MarketType, id: number, state: MarketState, rows: readonly Trade[], most: number): void {
    const series = seriesOf(state, type, id)
    if (series === undefined) return
    const count = series.volumes.all.trades
    if (rows.length < most || most === KEPT) {
      this.keep(type, id, { of: series, count, trades: PackedTrades.of(rows), isAll: rows.length < most })
      return
    }
    // Others may have read it meanwhile, or given it up.
    const newest = this.of(type, id, state)
    const more = newest === null ? Number.POSITIVE_INFINITY : count - newest.count
    if (newest === null || more > rows.length) return
    const trades = newest.trades.after(PackedTrades.of(rows.slice(0, more)), KEPT)
    const isAll = newest.isAll && trades.length === newest.trades.length + more
    this.keep(type, id, { of: series, count, trades, isAll })
  }

  /** What is kept of the market that a state has under an id. */
  private of(type: MarketType, id: number, state: MarketState | null): Newest | null {
    const newest = this.kept.get(`${type} ${id}`)
    return newest !== undefined && state !== null && newest.of === seriesOf(state, type, id) ? newest : null
  }

  private keep(type: MarketType, id: number, newest: Newest): void {
    const key = `${type} ${id}`
    this.forget(key)
    this.kept.set(key, newest)
    this.bytes += newest.trades.size
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= MAX_BYTES) break
      this.forget(oldest)
    }
  }

  private forget(key: string): void {
    this.bytes -= this.kept.get(key)?.trades.size ?? 0
    this.kept.delete(key)
  }

  private clear(): void {
    this.kept.clear()
    this.bytes = 0
  }
}

function seriesOf({ pools, books }: MarketState, type: MarketType, id: number): Series | undefined {
  return type === 'amm' ? pools.get(id) : books.get(id)
}
