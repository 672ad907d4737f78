// Reads the database for the valuation: current rows, before-images, quotes and scores; and runs the scoring of an
// hour. Uses a separate connection, because the writer's is busy with a batch while the next one is valued.

import type pg from 'pg'
import { TimePoint } from '../../core/antelope/time-point.ts'
import type { TokenId } from '../../core/price/token-id.ts'
import { parseUsdPrice } from '../../core/price/token-price.ts'
import { openClient } from '../../net/postgres.ts'
import { type ScoredChain, scoreHour } from '../derive/scores/score-hour.ts'
import type { BlockPosition } from '../source/source.ts'
import { databaseError } from '../store/errors.ts'
import type { MarketRow, OrderRow, PoolRow, TokenPriceRow } from './rows.ts'
import {
  BLOCK_TIME,
  MARKETS,
  MARKETS_BEFORE,
  ORDERS,
  ORDERS_BEFORE,
  POINT_BEFORE,
  POOLS,
  POOLS_BEFORE,
  PRICES,
  PRICES_BEFORE,
  QUOTES,
  SCORE_TIMES,
  SCORES,
  SESSION,
  USD_BEFORE,
} from './sql.ts'
import { NO_USD, type OraclePoint, type Quote, type UsdFact } from './usd-source.ts'

/** A row; `existed` is false when there was none with its key. */
type Image<T> = T & { existed: boolean }

export interface Rows {
  pools: Image<PoolRow>[]
  markets: Image<MarketRow>[]
  orders: Image<OrderRow>[]
  prices: Image<TokenPriceRow>[]
}

/** The scores valid at a time. */
export interface ScoresInForce {
  /** Start of their validity, Unix milliseconds; null when there are none. */
  validFrom: number | null
  /** Start of the next known scores; null when none are known. */
  next: number | null
}

export class StoredValues {
  private readonly client: pg.Client
  private readonly chain: string
  /** The first hour that this process has scored: earlier ones may be of other settings. */
  private scoredSince: number | null = null

  private constructor(client: pg.Client, chain: string) {
    this.client = client
    this.chain = chain
  }

  /** @throws RetryableError DATABASE_UNAVAILABLE */
  static async open(databaseUrl: string, chain: string): Promise<StoredValues> {
    const client = openClient({ connectionString: databaseUrl, application_name: `headwater value ${chain}` })
    try {
      await client.connect()
      await client.query(SESSION)
      return new StoredValues(client, chain)
    } catch (error) {
      await client.end().catch(() => {})
      throw databaseError(error, { chain })
    }
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => {})
  }

  /** Current rows as of the last indexed block. */
  async current(): Promise<Rows> {
    const there = <T>(rows: T[]) => rows.map((row) => ({ ...row, existed: true }))
    return {
      pools: there(await this.query<PoolRow>(POOLS)),
      markets: there(await this.query<MarketRow>(MARKETS)),
      orders: there(await this.query<OrderRow>(ORDERS)),
      prices: there(await this.query<TokenPriceRow>(PRICES)),
    }
  }

  /** Rows that reversible blocks from `block` on changed, with their values before `block`. */
  async before(block: number): Promise<Rows> {
    return {
      pools: await this.query(POOLS_BEFORE, block),
      markets: await this.query(MARKETS_BEFORE, block),
      orders: await this.query(ORDERS_BEFORE, block),
      prices: await this.query(PRICES_BEFORE, block),
    }
  }

  /** The USD price before a block. */
  async usdBefore(block: number): Promise<UsdFact> {
    const [row] = await this.query<{ usd: string | null; source: string | null }>(USD_BEFORE, block)
    return row && row.usd !== null ? { usd: parseUsdPrice(row.usd), source: row.source } : NO_USD
  }

  async pointBefore(block: number, contract: string, pair: string): Promise<OraclePoint | null> {
    const [row] = await this.query<Record<keyof OraclePoint, string>>(POINT_BEFORE, block, contract, pair)
    if (!row) return null
    return {
      blockNum: Number(row.blockNum),
      blockTime: new Date(row.blockTime).getTime(),
      pointId: BigInt(row.pointId),
      pointTime: TimePoint.ofMs(new Date(row.pointTime).getTime()),
      median: BigInt(row.median),
    }
  }

  /** Unix milliseconds; null when the block is not indexed. */
  async timeOf(block: number): Promise<number | null> {
    const [row] = await this.query<{ blockTime: Date }>(BLOCK_TIME, block)
    return row?.blockTime.getTime() ?? null
  }

  /** @param from  Unix milliseconds, like `to` */
  async quotes(from: number, to: number): Promise<Quote[]> {
    const rows = await this.query<{ quotedAt: Date; usd: string; source: string }>(QUOTES, new Date(from), new Date(to))
    return rows.map((row) => ({ ...row, quotedAt: row.quotedAt.getTime() }))
  }

  async scoreTimes(at: number): Promise<ScoresInForce> {
    const [row] = await this.query<Record<keyof ScoresInForce, Date | null>>(SCORE_TIMES, new Date(at))
    return { validFrom: row?.validFrom?.getTime() ?? null, next: row?.next?.getTime() ?? null }
  }

  /** @throws FencedError WRITER_FENCED, RetryableError DATABASE_UNAVAILABLE */
  async scoreHour(of: ScoredChain, hour: number, at: BlockPosition): Promise<void> {
    try {
      await scoreHour(this.client, of, { hour, at, since: this.scoredSince ?? hour })
      this.scoredSince ??= hour
    } catch (error) {
      throw databaseError(error, { chain: this.chain, block: at.num })
    }
  }

  async scores(validFrom: number): Promise<Map<TokenId, number>> {
    const rows = await this.query<{ tokenId: TokenId; score: number }>(SCORES, new Date(validFrom))
    return new Map(rows.map(({ tokenId, score }) => [tokenId, score]))
  }

  private async query<T extends object>(sql: string, ...values: unknown[]): Promise<T[]> {
    try {
      return (await this.client.query<T>(sql, [this.chain, ...values])).rows
    } catch (error) {
      throw databaseError(error, { chain: this.chain })
    }
  }
}
