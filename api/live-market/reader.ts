// Reads the rows of the market, in one snapshot of the database.
import type { Pool, PoolClient } from 'pg'
import type { BlockId } from './branch.ts'
import type { BlockMark } from './model.ts'
import type { ClosedMarketRow, DigestRow, MarketRow, OrderRow, PoolRow, TickRow, TradesRow } from './rows.ts'
import * as sql from './sql.ts'

export type SeriesKind = 'amm' | 'spot'

export interface Position extends BlockMark {
  lib: number
  firstBlock: number
  indexed: boolean
}

export interface Creation {
  id: number
  time: number
  price: string
}

/** The chain's position, and the changes of the blocks after a known one. */
export interface StepRow extends Position {
  /** Whether the known block is still on the followed branch. */
  follows: boolean
  /** The newest blocks after it. */
  blocks: BlockId[]
  /** Pools and markets that the blocks changed, and the current rows of those that still exist. */
  poolKeys: number[]
  bookKeys: number[]
  pools: PoolRow[]
  books: MarketRow[]
  /** By pool, then by id. */
  ticks: TickRow[]
  /** By market and side, best first. */
  orders: OrderRow[]
  /** The changed markets that are closed. */
  closed: ClosedMarketRow[]
  creations: Creation[]
  swaps: TradesRow[]
  deals: TradesRow[]
  /** As of the last block. */
  scoresFrom: number | null
  /** Whether before-images show a change of farms. */
  farms: boolean
  /** USD for one system token as of the last block. */
  usd: string | null
}

const HOUR = 3_600_000
const DAY = 86_400_000

/** Reads one chain in one snapshot. Ids are ids of pools or markets; null means all. */
export class SnapshotReader {
  private readonly client: PoolClient
  private readonly chain: string

  private constructor(client: PoolClient, chain: string) {
    this.client = client
    this.chain = chain
  }

  /** Runs `work` on one snapshot. */
  static within<T>(pool: Pool, chain: string, work: (reader: SnapshotReader) => Promise<T>): Promise<T> {
    return onClient(pool, async (client) => {
      await client.query(sql.SNAPSHOT)
      const result = await work(new SnapshotReader(client, chain))
      await client.query('commit')
      return result
    })
  }

  /** Runs one statement. A single statement sees one snapshot without a transaction. */
  static once<T>(pool: Pool, chain: string, statement: (reader: SnapshotReader) => Promise<T>): Promise<T> {
    return onClient(pool, (client) => statement(new SnapshotReader(client, chain)))
  }

  async position(): Promise<Position | null> {
    return (await this.rows<Position>(sql.POSITION))[0] ?? null
  }

  /** The newest of some blocks that is on the followed branch; null if none is. */
  async newestThere(marks: readonly BlockMark[]): Promise<BlockMark | null> {
    const [row] = await this.rows<{ id: string }>(
      sql.NEWEST_ON_BRANCH,
      marks.map(({ id }) => id),
      marks.map(({ block }) => block),
    )
    return marks.find(({ id }) => id === row?.id) ?? null
  }

  /** Time of the first indexed block, Unix milliseconds. */
  async firstTime(firstBlock: number): Promise<number> {
    return (await this.rows<{ time: number }>(sql.BLOCK_FROM, firstBlock))[0]?.time ?? 0
  }

  pools(ids: number[] | null): Promise<PoolRow[]> {
    return this.rows(sql.POOLS, ids)
  }

  creations(ids: number[] | null): Promise<Creation[]> {
    return this.rows(sql.CREATIONS, ids)
  }

  ticks(ids: number[] | null): Promise<TickRow[]> {
    return this.rows(sql.TICKS, ids)
  }

  /** Digests of the ticks of each pool that has any. */
  tickDigests(): Promise<DigestRow[]> {
    return this.rows(sql.TICK_DIGESTS)
  }

  /** Digests of the orders of each market that has any. */
  orderDigests(): Promise<DigestRow[]> {
    return this.rows(sql.ORDER_DIGESTS)
  }

  markets(ids: number[] | null): Promise<MarketRow[]> {
    return this.rows(sql.MARKETS, ids)
  }

  /** Closed markets. */
  closedMarkets(): Promise<ClosedMarketRow[]> {
    return this.rows(sql.CLOSED_MARKETS)
  }

  orders(ids: number[] | null): Promise<OrderRow[]> {
    return this.rows(sql.ORDERS, ids)
  }

  /** Sums from a whole minute on; `start` minus infinity: over all trades. */
  windowSums(kind: SeriesKind, ids: number[], start: number): Promise<TradesRow[]> {
    if (start === Number.NEGATIVE_INFINITY) return this.rows(sql.ALL_SUMS, kind, ids)
    return this.rows(sql.WINDOW_SUMS, kind, ids, new Date(start), ceil(start, HOUR), ceil(start, DAY))
  }

  /** Rates of markets, and the correction for deals since a whole minute that paid an earlier rate. */
  rates(ids: number[], start: number): Promise<{ id: number; fee: number; other: string }[]> {
    return this.rows(sql.RATES, ids, start === Number.NEGATIVE_INFINITY ? '-infinity' : new Date(start))
  }

  lastBefore(kind: SeriesKind, ids: number[], start: number): Promise<{ id: number; price: string }[]> {
    return this.rows(sql.LAST_BEFORE, kind, ids, new Date(start))
  }

  firstTrades(kind: SeriesKind, ids: number[]): Promise<{ id: number; time: number }[]> {
    return this.rows(sql.FIRST_TRADES, kind, ids)
  }

  /** Trades of the blocks from `first` to `last`, both included. */
  tradesBetween(kind: SeriesKind, first: number, last: number): Promise<TradesRow[]> {
    return this.rows(kind === 'amm' ? sql.SWAPS_BETWEEN : sql.DEALS_BETWEEN, first, last)
  }

  /** Changes after a block; null without a chain, or when there are more than `most` new blocks. */
  async step({ block, id }: BlockMark, most = 2 ** 32): Promise<StepRow | null> {
    return (await this.rows<StepRow>(sql.STEP, block, id, block + most))[0] ?? null
  }

  /** The first block from `from` on whose time is at or after `time`; `end` if there is none before it. */
  async blockNotBefore(from: number, time: number, end: number): Promise<number> {
    const [row] = await this.rows<{ block: number }>(sql.BLOCK_NOT_BEFORE, from, new Date(time))
    return row?.block ?? end
  }

  /** The same for a range of any length: it does not read the blocks between. */
  async findBlock(time: number, end: number): Promise<number> {
    if (time === Number.NEGATIVE_INFINITY) return 0
    let low = 0
    let high = end
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const [row] = await this.rows<{ block: number; time: number }>(sql.BLOCK_FROM, middle)
      if (row === undefined || row.time >= time) high = middle
      else low = row.block + 1
    }
    return high
  }

  /** USD for one system token as decimal text; null if the ledger has none. */
  async usdPrice(): Promise<string | null> {
    return (await this.rows<{ usd: string | null }>(sql.USD_PRICE))[0]?.usd ?? null
  }

  /** Start of validity of the scores in force at a time; null without scores. */
  async scoresFrom(time: number): Promise<number | null> {
    return (await this.rows<{ validFrom: number | null }>(sql.SCORES_FROM, new Date(time)))[0]?.validFrom ?? null
  }

  /** Scores by token; empty when `validFrom` is null. */
  async scoresAt(validFrom: number | null): Promise<Map<string, number>> {
    if (validFrom === null) return new Map()
    const rows = await this.rows<{ token: string; score: number }>(sql.SCORES, new Date(validFrom))
    return new Map(rows.map(({ token, score }) => [token, score]))
  }

  private async rows<T>(text: string, ...values: unknown[]): Promise<T[]> {
    const { rows } = await this.client.query({ name: nameOf(text), text, values: [this.chain, ...values] })
    return rows
  }
}

async function onClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    return await work(client)
  } catch (error) {
    failure = error as Error
    throw error
  } finally {
    // A connection whose transaction failed is not used again.
    client.release(failure)
  }
}

const names = new Map<string, string>()

/** A named statement is parsed once for each connection: the statements of a step take longer to parse than to run. */
function nameOf(text: string): string {
  const name = names.get(text) ?? `market_${names.size}`
  names.set(text, name)
  return name
}

function ceil(time: number, unit: number): Date {
  return new Date(Math.ceil(time / unit) * unit)
}
