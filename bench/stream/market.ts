// A market in memory, without a database, and blocks with chosen changes. Blocks take the same step as those from the
// database: pools and books are replaced, prices computed, listeners called.

import { advanceMarket, type Changes } from '../../api/live-market/advance.ts'
import type { StepReads } from '../../api/live-market/advance-reads.ts'
import { indexTokens } from '../../api/live-market/index-tokens.ts'
import type { LiveMarket, MarketListener } from '../../api/live-market/live-market.ts'
import { emptySeries, type LoadedMarket } from '../../api/live-market/load.ts'
import type { LiveBook, LivePool } from '../../api/live-market/model.ts'
import { MarketPrices } from '../../api/live-market/pricing.ts'
import type { BookFacts, OrderRow, PoolFacts } from '../../api/live-market/rows.ts'
import type { ChainConfig } from '../../config/schema.ts'
import { required } from '../../core/required.ts'

const START = Date.parse('2026-01-05T00:00:00Z')
const USD = 4n * 10n ** 14n

/** Changes of a block. `price` moves the price of pools; `reserve` changes only their reserves. */
export interface Touch {
  pools: readonly number[]
  books?: readonly number[]
  change: 'price' | 'reserve'
}

/** Initial pools and order books. */
export interface Venues {
  pools: (PoolFacts & Pick<LivePool, 'ticks'>)[]
  books: (BookFacts & Pick<LiveBook, 'bids' | 'asks'>)[]
}

export class BenchMarket {
  readonly state: LoadedMarket
  private readonly listeners = new Set<MarketListener>()

  constructor(config: ChainConfig, venues: Venues) {
    const at = { block: 1000, id: blockId(1000), time: START }
    const pools = venues.pools.map(
      (pool): LivePool => ({ ...pool, ...emptySeries(at), createdAt: null, creationPrice: null }),
    )
    const books = venues.books.map((book): LiveBook => ({ ...book, ...emptySeries(at) }))
    const prices = new MarketPrices(config)
    for (const pool of pools) prices.putPool(pool)
    prices.update(START, { usd: USD, scores: new Map() })
    this.state = {
      at,
      lib: 0,
      since: START,
      isWhole: true,
      pools: new Map(pools.map((pool) => [pool.id, pool])),
      books: new Map(books.map((book) => [book.id, book])),
      closedBooks: new Map(),
      tokens: new Map(),
      poolsOf: new Map(),
      booksOf: new Map(),
      prices,
      aggregatorIds: new Map(),
      changed: { tokens: new Map(), pools: at, books: at, tokenSet: at, everything: at },
      digests: { pools: new Map(), books: new Map() },
      windowBlocks: { day: 0, week: 0, month: 0, quarter: 0, all: 0 },
      scoresFrom: null,
    }
    indexTokens(this.state)
  }

  listen(listener: MarketListener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** This market as the type of the live market, for the server. */
  asLive(): LiveMarket {
    return this as unknown as LiveMarket
  }

  /** The reads of a block, as they would come from the database. */
  read({ pools, books = [], change }: Touch): StepReads {
    const { state } = this
    const none = () => ({ come: [], left: [], day: [] })
    return {
      blocks: [],
      digests: null,
      everything: false,
      poolKeys: [...pools],
      bookKeys: [...books],
      pools: pools.map((id) => changedPool(required(state.pools.get(id), 'pool'), change)),
      books: books.map((id) => {
        const { base, target, minBuy, minBuyDecimals, minSell, minSellDecimals, frozen, fee } = required(
          state.books.get(id),
          'book',
        )
        return { id, base, target, minBuy, minBuyDecimals, minSell, minSellDecimals, frozen, fee }
      }),
      creations: new Map(),
      ticks: new Map(pools.map((id) => [id, required(state.pools.get(id), 'pool').ticks])),
      orders: books.flatMap((id) => {
        const { bids } = required(state.books.get(id), 'book')
        return bids.map(({ unitPrice, ask }, i) => order(id, i, unitPrice, ask + 1n))
      }),
      closed: [],
      farms: false,
      amm: none(),
      spot: none(),
      windowBlocks: state.windowBlocks,
      inputs: { usd: USD, scores: state.prices.scores },
      scoresFrom: null,
      undone: null,
    }
  }

  /** Advances the market by a block. Listeners are called by `tell`. */
  advance(reads: StepReads): Changes {
    const { state } = this
    const block = state.at.block + 1
    const position = { block, id: blockId(block), time: state.at.time + 500, lib: 0, firstBlock: 2, indexed: true }
    return advanceMarket(state, position, reads)
  }

  /** Calls the listeners. @param changes  null: as if the market had been loaded again */
  tell(changes: Changes | null): void {
    for (const listener of this.listeners) listener(this.state, changes)
  }
}

function blockId(block: number): string {
  return block.toString(16).padStart(8, '0').padEnd(64, 'b')
}

function changedPool(pool: LivePool, change: Touch['change']): PoolFacts {
  const { id, a, b, active, fee, feeProtocol, tickSpacing, maxLiquidityPerTick, tick, liquidity } = pool
  const { reserveA, reserveB, sqrtPriceX64, feeGrowthGlobalAX64, feeGrowthGlobalBX64, protocolFeeA, protocolFeeB } =
    pool
  // A different share for each pool: equal moves of two pools on a path would cancel out.
  const move = (sqrtPriceX64 * BigInt(4096 + (id % 4093))) >> 24n
  return {
    ...{ id, a, b, active, fee, feeProtocol, tickSpacing, maxLiquidityPerTick, tick, liquidity },
    ...{ reserveA: reserveA + 1n, reserveB, feeGrowthGlobalAX64, feeGrowthGlobalBX64, protocolFeeA, protocolFeeB },
    sqrtPriceX64: change === 'price' ? sqrtPriceX64 + move : sqrtPriceX64,
  }
}

function order(market: number, i: number, unitPrice: bigint, ask: bigint): OrderRow {
  const texts = { bid: '5000000000', ask: String(ask), unitPrice: String(unitPrice) }
  return { market, side: 'buy', id: String(i), account: 'alice', ...texts }
}
