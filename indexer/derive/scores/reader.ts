// Reads the input of an hour's scores, as of the last block before the hour.
import type { ClientBase } from 'pg'
import type { PoolPrices, TokenFacts } from '../../../core/score/details.ts'
import { pricesOf } from '../../../core/score/details.ts'
import type { BlockPosition } from '../../source/source.ts'
import type { PoolRow } from '../../value/rows.ts'
import type { ExchangeRows, MarketTokenRow, TokenStanding } from './assemble.ts'
import {
  CREATIONS,
  HOLDERS,
  HOLDINGS,
  MARKET_TOKENS,
  POOLS,
  PRICES,
  SCORES_AT,
  STANDING,
  TRADERS,
  TRADERS_BEFORE,
  TRADERS_CHANGED,
  TRADES,
  USD_AT,
} from './sql.ts'

const DAY = 86_400_000

/** The chain as of the last indexed block. */
export interface Standing extends BlockPosition {
  firstBlock: number
  /** Whether the current state was read from a node at the start. */
  hasState: boolean
  time: Date
  /** Time of the first indexed block. */
  firstTime: Date
}

/** Trades of the windows that end at the hour. */
export type Windows = Omit<TokenFacts, 'tvlUsd' | 'holders' | 'prices' | 'firstSeen'>

export const NO_TRADES: Windows = {
  trades: 0,
  volumeUsd: 0,
  uniqueTraders: 0,
  trades7d: 0,
  volumeUsd7d: 0,
  uniqueTraders7d: 0,
  uniqueTradersPrev7d: 0,
  uniqueTraders24h: 0,
  uniqueTradersPrev24h: 0,
}

const TRADER_COUNTS = [
  'uniqueTraders',
  'uniqueTraders7d',
  'uniqueTraders24h',
  'uniqueTradersPrev7d',
  'uniqueTradersPrev24h',
] as const satisfies (keyof Windows)[]
type Traders = Pick<Windows, (typeof TRADER_COUNTS)[number]>
type TradersRow = Traders & { token: string }

interface Creation {
  id: number
  time: Date
  root: string
}

export class ScoreReader {
  private readonly client: ClientBase
  private readonly chain: string

  constructor(client: ClientBase, chain: string) {
    this.client = client
    this.chain = chain
  }

  /** The last indexed block, locked until the transaction ends. @returns null when nothing is indexed */
  async standing(): Promise<Standing | null> {
    const [row] = await this.rows<Standing>(STANDING)
    return row ?? null
  }

  /** @param exchange  accounts of the exchange's contracts */
  async exchange({ num, time, firstBlock, firstTime }: Standing, exchange: readonly string[]): Promise<ExchangeRows> {
    const creations = await this.rows<Creation>(CREATIONS)
    const [usd] = await this.rows<{ usd: string | null }>(USD_AT, num)
    const scores = await this.rows<{ token: string; score: number }>(SCORES_AT, time)
    const holdings = await this.rows<{ token: string; amount: string }>(HOLDINGS, exchange)
    return {
      at: time.getTime(),
      pools: await this.rows<PoolRow>(POOLS),
      marketTokens: await this.rows<MarketTokenRow>(MARKET_TOKENS, num),
      created: new Map(creations.map(({ id, time }) => [id, time.getTime()])),
      usd: usd?.usd ?? null,
      scores: new Map(scores.map(({ token, score }) => [token, score])),
      holdings: new Map(holdings.map(({ token, amount }) => [token, BigInt(amount)])),
      isWhole: firstBlock <= 2,
      since: firstTime.getTime(),
    }
  }

  /** Accounts with a balance, by token. */
  async holders(tokens: readonly TokenStanding[]): Promise<Map<string, number>> {
    const contracts = tokens.map(({ contract }) => contract)
    const symbols = tokens.map(({ symbol }) => symbol)
    const rows = await this.rows<{ token: string; holders: number }>(HOLDERS, contracts, symbols)
    return new Map(rows.map(({ token, holders }) => [token, holders]))
  }

  /**
   * @param hour      Unix milliseconds
   * @param tokens    ids
   * @param previous  whether the scores of the hour before may be used, if there are any
   */
  async windows(hour: number, tokens: readonly string[], previous: boolean): Promise<Map<string, Windows>> {
    const windows = new Map<string, Windows>()
    type Volumes = Record<'volumeUsd' | 'volumeUsd7d', string>
    for (const { token, volumeUsd, volumeUsd7d, ...row } of await this.rows<Windows & Volumes & { token: string }>(
      TRADES,
      new Date(hour),
    ))
      windows.set(token, { ...NO_TRADES, ...row, volumeUsd: Number(volumeUsd), volumeUsd7d: Number(volumeUsd7d) })
    for (const [token, traders] of await this.traders(new Date(hour), tokens, previous))
      windows.set(token, { ...(windows.get(token) ?? NO_TRADES), ...traders })
    return windows
  }

  /** Continues the numbers of the hour before; counts the whole windows of tokens that have none. */
  private async traders(hour: Date, tokens: readonly string[], previous: boolean): Promise<Map<string, Traders>> {
    const before = previous ? await this.rows<TradersRow>(TRADERS_BEFORE, hour) : []
    const traders = new Map(before.map(({ token, ...counts }) => [token, counts]))
    const others = tokens.filter((token) => !traders.has(token))
    if (before.length > 0) {
      for (const { token, ...changes } of await this.rows<TradersRow>(TRADERS_CHANGED, hour)) {
        const counts = traders.get(token)
        if (counts) for (const name of TRADER_COUNTS) counts[name] += changes[name]
      }
    }
    if (others.length > 0)
      for (const { token, ...counts } of await this.rows<TradersRow>(TRADERS, hour, others)) traders.set(token, counts)
    return traders
  }

  /** Prices of the tokens' pools, by token. */
  async prices(tokens: readonly TokenStanding[], hour: number): Promise<Map<string, PoolPrices>> {
    const ids = [...new Set(tokens.flatMap(({ pool }) => pool?.row.id ?? []))]
    const rows = await this.rows<PriceRow>(PRICES, ids, new Date(hour))
    const byPool = new Map(rows.map((row) => [row.id, row]))
    const created = new Map((await this.rows<Creation>(CREATIONS)).map((row) => [row.id, row]))
    const prices = new Map<string, PoolPrices>()
    for (const { id, pool } of tokens) {
      const row = pool && byPool.get(pool.row.id)
      if (row) prices.set(id, pricesOf(rootsOf(row, created.get(row.id), hour), pool.row, pool.side))
    }
    return prices
  }

  private async rows<T extends object>(sql: string, ...values: unknown[]): Promise<T[]> {
    return (await this.client.query<T>(sql, [this.chain, ...values])).rows
  }
}

interface PriceRow extends Record<'now' | 'before7d' | 'before30d' | 'before90d' | 'high' | 'low', string | null> {
  id: number
}

/** A price is valid until the next trade; before the first trade, the price at the pool's creation. */
function rootsOf(row: PriceRow, created: Creation | undefined, hour: number) {
  const at = (text: string | null, age: number) => {
    if (text !== null) return BigInt(text)
    return created !== undefined && created.time.getTime() < hour - age ? BigInt(created.root) : null
  }
  const before30d = at(row.before30d, 30 * DAY)
  const roots = {
    now: at(row.now, 0),
    before7d: at(row.before7d, 7 * DAY),
    before30d,
    before90d: at(row.before90d, 90 * DAY),
  }
  // Extremes of the window include the price at its start, or at the pool's creation.
  const seen = [row.high, row.low].flatMap((text) => (text === null ? [] : [BigInt(text)]))
  const start = before30d ?? (created !== undefined && created.time.getTime() < hour ? BigInt(created.root) : null)
  if (start !== null) seen.push(start)
  const compare = (x: bigint, y: bigint) => (x < y ? -1 : x > y ? 1 : 0)
  const sorted = seen.sort(compare)
  return { ...roots, low30d: sorted[0] ?? null, high30d: sorted.at(-1) ?? null }
}
