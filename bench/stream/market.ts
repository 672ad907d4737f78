// A market in memory as large as WAX, without a database, and blocks that change what they are told to. Blocks go through
// the same step as those of the database: pools and books are replaced, prices computed, listeners told.
import { advanceMarket, type Changes } from '../../api/market/advance.ts'
import type { StepReads } from '../../api/market/advance-reads.ts'
import { indexTokens } from '../../api/market/index-tokens.ts'
import type { LiveMarket, MarketListener } from '../../api/market/live-market.ts'
import { emptySeries, type LoadedMarket } from '../../api/market/load.ts'
import type { LiveBook, LivePool } from '../../api/market/model.ts'
import { MarketPrices } from '../../api/market/pricing.ts'
import { type BookFacts, type OrderRow, type PoolFacts, tokenRef } from '../../api/market/rows.ts'
import type { ChainConfig } from '../../config/schema.ts'
import { Random } from '../../test/support/random.ts'

const START = Date.parse('2026-01-05T00:00:00Z')
const USD = 4n * 10n ** 14n
const ORDERS = 20

/** What a block changes. `price` moves the price of pools, `reserve` only what they hold. */
export interface Touch {
  pools: readonly number[]
  books?: readonly number[]
  change: 'price' | 'reserve'
}

export class BenchMarket {
  readonly state: LoadedMarket
  private readonly listeners = new Set<MarketListener>()

  constructor(config: ChainConfig, size: { tokens: number; pools: number; books: number }) {
    const random = new Random(1)
    const at = { block: 1000, id: blockId(1000), time: START }
    const wax = tokenRef('eosio.token', 'WAX', 8)
    const tokens = Array.from({ length: size.tokens }, (_, i) => tokenRef(account(i), 'TOKEN', 4))
    // Every token has a pool with the system token; the rest are pairs of tokens.
    const pools = Array.from({ length: size.pools }, (_, id): LivePool => {
      const pair = id < size.tokens ? [wax, tokens[id]!] : [random.pick(tokens), random.pick(tokens)]
      const reserve = () => 100_000_0000_0000n + random.bigint(1n << 50n)
      const facts = poolFacts(id, pair[0]!, pair[1]!, reserve(), reserve(), (1n << 63n) + random.bigint(1n << 64n))
      return { ...facts, ...emptySeries(at), createdAt: null, creationPrice: null, ticks: new Map() }
    })
    const books = Array.from({ length: size.books }, (_, id): LiveBook => {
      const facts = bookFacts(id, tokens[id]!, wax)
      const side = (low: number) => Array.from({ length: ORDERS }, (_, i) => order(id, i, BigInt(low + i)))
      return { ...facts, ...emptySeries(at), bids: side(20_000_000).reverse().map(bookOrder), asks: [] }
    })
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
      windowBlocks: { day: 0, week: 0, month: 0, quarter: 0, all: 0 },
      scoresFrom: null,
    }
    indexTokens(this.state)
  }

  listen(listener: MarketListener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** This market in the place of one of a database. */
  asLive(): LiveMarket {
    return this as unknown as LiveMarket
  }

  /** What a block would have been read as. */
  read({ pools, books = [], change }: Touch): StepReads {
    const { state } = this
    const none = () => ({ come: [], left: [], day: [] })
    return {
      everything: false,
      poolKeys: [...pools],
      bookKeys: [...books],
      pools: pools.map((id) => changedPool(state.pools.get(id)!, change)),
      books: books.map((id) => {
        const { base, target } = state.books.get(id)!
        return bookFacts(id, base, target)
      }),
      creations: new Map(),
      ticks: new Map(),
      orders: books.flatMap((id) => {
        const { bids } = state.books.get(id)!
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

  /** Takes the next block in, and tells who listens. */
  advance(reads: StepReads): Changes {
    const { state } = this
    const block = state.at.block + 1
    const position = { block, id: blockId(block), time: state.at.time + 500, lib: 0, firstBlock: 2, indexed: true }
    return advanceMarket(state, position, reads)
  }

  tell(changes: Changes): void {
    for (const listener of this.listeners) listener(this.state, changes)
  }
}

function blockId(block: number): string {
  return block.toString(16).padStart(8, '0').padEnd(64, 'b')
}

/** Twelve letters. */
function account(i: number): string {
  return `token${i.toString(5).replaceAll('0', '5').padStart(6, 'x')}.a`
}

type Token = ReturnType<typeof tokenRef>

function poolFacts(
  id: number,
  a: Token,
  b: Token,
  reserveA: bigint,
  reserveB: bigint,
  sqrtPriceX64: bigint,
): PoolFacts {
  const fees = { feeGrowthGlobalAX64: 0n, feeGrowthGlobalBX64: 0n, protocolFeeA: 0n, protocolFeeB: 0n }
  const setting = { active: true, fee: 3000, feeProtocol: 0, tickSpacing: 60, maxLiquidityPerTick: 1n }
  return { id, a, b, reserveA, reserveB, sqrtPriceX64, tick: 0, liquidity: 1n, ...fees, ...setting }
}

function changedPool(pool: LivePool, change: Touch['change']): PoolFacts {
  const { id, a, b, reserveA, reserveB, sqrtPriceX64 } = pool
  // Not the same share of all: the moves of two pools on a path would take each other back.
  const move = (sqrtPriceX64 * BigInt(4096 + (id % 4093))) >> 24n
  const root = change === 'price' ? sqrtPriceX64 + move : sqrtPriceX64
  return poolFacts(id, a, b, reserveA + 1n, reserveB, root)
}

function bookFacts(id: number, base: Token, target: Token): BookFacts {
  const least = { minBuy: 1n, minBuyDecimals: 8, minSell: 1n, minSellDecimals: 4 }
  return { id, base, target, ...least, frozen: false, fee: 20 }
}

function order(market: number, i: number, unitPrice: bigint, ask = 123_456n): OrderRow {
  const texts = { bid: '5000000000', ask: String(ask), unitPrice: String(unitPrice) }
  return { market, side: 'buy', id: String(i), account: 'alice', ...texts }
}

function bookOrder({ id, account: owner, bid, ask, unitPrice }: OrderRow): LiveBook['bids'][number] {
  return { id: BigInt(id), account: owner, bid: BigInt(bid), ask: BigInt(ask), unitPrice: BigInt(unitPrice) }
}
