// Sets the USD values of trades and liquidity at the time of their block. Prices are of the last minute boundary of block
// time, from the pools as of the last block before it; scores are of the last hour. Depends only on the
// blocks, the settings and stored quotes. The prices in use are current rows of the chain (state.token_prices), so that
// they survive a restart and follow forks.
import { PriceGraph } from '../../core/price/price-graph.ts'
import { thresholdOf } from '../../core/price/threshold.ts'
import { type TokenId, tokenId } from '../../core/price/token-id.ts'
import { RATE_ONE } from '../../core/price/token-price.ts'
import { type Scores, TrustRules } from '../../core/price/trust.ts'
import { type Side, USD_VALUE_DIGITS, type UsdValue, Valuation } from '../../core/price/usd-value.ts'
import { minuteOf } from '../project/projection.ts'
import type { BlockPosition } from '../source/source.ts'
import { DecimalNumber } from '../store/copy/numeric.ts'
import type { Position } from '../store/position.ts'
import type { BlockRows, LedgerRow, ProjectedBlock, StateRow } from '../store/rows.ts'
import { hourOf, inexactTo } from './boundaries.ts'
import { HOUR, Holdings } from './holdings.ts'
import { hourRows, pricesAt } from './hour-rows.ts'
import type { ValuationOptions } from './options.ts'
import {
  type DealRow,
  type MarketRow,
  type MarketTokens,
  marketTokens,
  type OrderRow,
  type PoolRow,
  type PositionEventRow,
  type PriceInForce,
  priceChanges,
  priceInForce,
  pricePool,
  type SwapRow,
} from './rows.ts'
import { type Rows, StoredValues } from './stored.ts'
import { usdDecimal, usdPriceDecimal } from './usd-price.ts'
import { NO_USD, OracleUsd, QUOTE_DELAY, QuotedUsd, type UsdFact, type UsdSource, usdSource } from './usd-source.ts'

/** Properties of a block that the valuation needs before its rows. */
export interface MinuteBlock {
  num: number
  /** Unix milliseconds. */
  time: number
  stateBlock?: number
}

/** Block time for which quotes are read ahead, ms. */
const READ_AHEAD = 7 * 86_400_000

export class Valuer {
  private readonly chain: string
  private readonly stored: StoredValues
  private readonly options: ValuationOptions
  private readonly rules: TrustRules
  private readonly source: UsdSource
  private readonly systemToken: { id: TokenId; decimals: number }
  private readonly graph = new PriceGraph()
  private readonly markets = new Map<number, MarketTokens>()
  private readonly holdings = new Holdings()
  /** Fees of pools in millionths. */
  private readonly fees = new Map<number, number>()
  /** Null while the pools at the last boundary are unknown. */
  private prices: ReadonlyMap<TokenId, PriceInForce> | null = null
  private usd: UsdFact = NO_USD
  private valuation: Valuation | null = null
  /** Minute of the last block; null when there is none. */
  private minute: number | null = null
  /** The last block before which the pools are not known exactly. */
  private inexactTo = 0
  /** Inputs of the current prices; null when prices must be recomputed. */
  private pricedFor: { threshold: bigint; scams: number } | null = null
  private scores: Scores = new Map()
  private scoresFrom: number | null = null
  private nextScores: number | null = null
  /** Block time up to which quotes were read, Unix milliseconds. */
  private readTo = Number.NEGATIVE_INFINITY
  private readonly trusted = new Map<TokenId, boolean>()

  private constructor(chain: string, stored: StoredValues, options: ValuationOptions) {
    const { contract, symbol, decimals } = options.systemToken
    this.chain = chain
    this.stored = stored
    this.options = options
    this.systemToken = { id: tokenId(symbol, contract), decimals }
    this.rules = new TrustRules(this.systemToken.id, options.trust)
    this.source = usdSource(options.usd)
  }

  /**
   * Opens a valuer at the chain's position. The caller must hold the chain's lease.
   *
   * @param position  null when nothing is indexed
   * @throws RetryableError DATABASE_UNAVAILABLE
   */
  static async open(
    databaseUrl: string,
    chain: string,
    options: ValuationOptions,
    position: Position | null,
  ): Promise<Valuer> {
    const stored = await StoredValues.open(databaseUrl, chain)
    const valuer = new Valuer(chain, stored, options)
    try {
      if (position) await valuer.resume(position)
      return valuer
    } catch (error) {
      await stored.close()
      throw error
    }
  }

  async close(): Promise<void> {
    await this.stored.close()
  }

  /** Whether `catchUp` must run before a block of this time is valued. */
  lags(time: number): boolean {
    const minute = minuteOf(time)
    return minute !== this.minute && (minute > this.readTo || (this.nextScores !== null && minute >= this.nextScores))
  }

  /** Whether a block of this time starts a new hour: `scoreHour` must then run before it. */
  beginsHour(time: number): boolean {
    return this.options.scores !== undefined && this.minute !== null && hourOf(time) > hourOf(this.minute)
  }

  /**
   * Computes the scores of the hour that a block starts.
   *
   * @param time      of the block, Unix milliseconds
   * @param position  the block before it; all rows up to it must be written
   * @throws FencedError WRITER_FENCED, RetryableError DATABASE_UNAVAILABLE
   */
  async scoreHour(time: number, position: BlockPosition): Promise<void> {
    const { chain, options } = this
    // Skipped while current rows may be newer than the block: scores would depend on later blocks.
    if (options.scores === undefined || position.num < this.inexactTo) return
    await this.stored.scoreHour({ chain, valuation: options, scores: options.scores }, hourOf(time), position)
    await this.readScores(minuteOf(time))
  }

  /** Reads quotes and the valid scores. @throws RetryableError DATABASE_UNAVAILABLE */
  async catchUp(time: number): Promise<void> {
    const minute = minuteOf(time)
    const now = Date.now()
    if (this.source instanceof QuotedUsd)
      this.source.quotes = await this.stored.quotes(minute - this.source.maxAge - QUOTE_DELAY, minute + READ_AHEAD)
    await this.readScores(minute)
    this.readTo = Math.min(now, minute + READ_AHEAD)
  }

  /** Values the next block. At a new minute, adds the rows of its prices. `lags` must be false. */
  value(block: ProjectedBlock): ProjectedBlock {
    this.startMinute(block, block)
    this.observe(block)
    for (const { table, row } of block.ledger) this.fill(table, row, block.num)
    this.forget(block.state)
    if (!block.more) return block
    return { ...block, more: this.observing(block.more) }
  }

  /**
   * Restores the state before a block, while the database still has its before-images.
   *
   * @throws RetryableError DATABASE_UNAVAILABLE
   */
  async rewind(block: number): Promise<void> {
    this.apply(await this.stored.before(block))
    const time = await this.stored.timeOf(block - 1)
    await this.resumeAt(block, time)
  }

  /** Starts a minute when the block is in a new one: adds the rows of its prices. */
  startMinute(block: MinuteBlock, rows: BlockRows): void {
    const minute = minuteOf(block.time)
    if (minute === this.minute) return
    if (this.minute === null) this.inexactTo = inexactTo(block.num, block.stateBlock)
    const before = this.minute
    this.minute = minute
    this.trusted.clear()
    this.setUsd(this.source.at(minute), block, rows)
    if (block.num > this.inexactTo) this.setPrices(minute, rows)
    if (before !== null) this.endHours(before, minute, block, rows)
  }

  /** Applies present rows and oracle points. Removed rows must wait until the trades are valued. */
  observe({ ledger, state }: Pick<BlockRows, 'ledger' | 'state'>): void {
    for (const { table, row, present } of state) {
      if (!present) continue
      if (table === 'pools') this.putPool(row as PoolRow)
      else if (table === 'markets') this.putMarket(row as MarketRow)
      else if (table === 'orders') this.holdings.putOrder(row as OrderRow)
    }
    if (!(this.source instanceof OracleUsd)) return
    for (const { table, row } of ledger) if (table === 'oracle_points') this.source.note(row as never)
  }

  /** Drops removed rows. */
  forget(state: readonly StateRow[]): void {
    for (const { table, row, present } of state) {
      if (present) continue
      if (table === 'pools') this.removePool(Number((row as PoolRow).poolId))
      else if (table === 'markets') this.markets.delete(Number((row as MarketRow).marketId))
      else if (table === 'orders') this.holdings.removeOrder(row as OrderRow)
    }
  }

  /** USD value of a row in the current minute; undefined when unknown or when the row has no amounts. */
  valueOf(table: LedgerRow['table'], row: object): DecimalNumber | undefined {
    if (!this.prices || !this.valuation) return undefined
    let value: UsdValue | null | undefined
    if (table === 'swaps') {
      const { poolId, amountA, amountB } = row as SwapRow
      const pool = this.graph.pool(Number(poolId))
      value = pool && this.valuation.trade(this.side(pool.tokenA, amountA), this.side(pool.tokenB, amountB))
    } else if (table === 'deals') {
      const { marketId, amountBase, amountTarget } = row as DealRow
      const tokens = this.markets.get(Number(marketId))
      value = tokens && this.valuation.trade(this.side(tokens[0], amountBase), this.side(tokens[1], amountTarget))
    } else if (table === 'position_events') {
      const { poolId, amountA, amountB } = row as PositionEventRow
      const pool = this.graph.pool(Number(poolId))
      if (!pool || amountA === undefined || amountB === undefined) return undefined
      value = this.valuation.liquidity(this.side(pool.tokenA, amountA), this.side(pool.tokenB, amountB))
    }
    return value === undefined || value === null ? undefined : new DecimalNumber(value, USD_VALUE_DIGITS)
  }

  /** USD prices of an event's tokens, if it has amounts; undefined for a token without price. */
  pricesOf({ poolId, amountA, amountB }: PositionEventRow): [a?: DecimalNumber, b?: DecimalNumber] {
    const pool = this.graph.pool(Number(poolId))
    const { usd } = this.usd
    if (!this.prices || usd === null || !pool || amountA === undefined || amountB === undefined) return []
    const [a, b] = [this.prices.get(pool.tokenA), this.prices.get(pool.tokenB)]
    const { decimals } = this.systemToken
    return [a && usdPriceDecimal(a, decimals, usd), b && usdPriceDecimal(b, decimals, usd)]
  }

  /**
   * Fee of a pool in millionths, for a trade in a block. Undefined when the row of the pool is not known, and in blocks up
   * to `inexactTo`: there, the order of rows and trades depends on the way of indexing.
   */
  feeOf(poolId: bigint, block: number): number | undefined {
    return block > this.inexactTo ? this.fees.get(Number(poolId)) : undefined
  }

  private fill(table: string, row: object, block: number): void {
    if (table !== 'swaps' && table !== 'deals' && table !== 'position_events') return
    ;(row as SwapRow).usd = this.valueOf(table, row)
    if (table === 'swaps') (row as SwapRow).poolFee = this.feeOf((row as SwapRow).poolId, block)
    if (table !== 'position_events') return
    const event = row as PositionEventRow
    ;[event.usdPriceA, event.usdPriceB] = this.pricesOf(event)
  }

  private side(token: TokenId, amount: bigint): Side {
    let isTrusted = this.trusted.get(token)
    if (isTrusted === undefined) {
      isTrusted = this.rules.isTrusted(token, this.minute as number, this.scores)
      this.trusted.set(token, isTrusted)
    }
    return { amount, price: this.prices?.get(token), isTrusted }
  }

  private *observing(more: Iterable<BlockRows>): Generator<BlockRows> {
    for (const rows of more) {
      this.observe(rows)
      this.forget(rows.state)
      yield rows
    }
  }

  private putPool(row: PoolRow): void {
    const pool = pricePool(row)
    this.graph.put(pool)
    this.fees.set(pool.id, row.fee)
    this.holdings.pools.set(pool.id, pool)
    this.pricedFor = null
  }

  private removePool(id: number): void {
    this.graph.remove(id)
    this.fees.delete(id)
    this.holdings.pools.delete(id)
    this.pricedFor = null
  }

  private putMarket(row: MarketRow): void {
    this.markets.set(Number(row.marketId), marketTokens(row))
  }

  /** Adds the exchange's holdings at the end of each past hour. The state is still of the previous block. */
  private endHours(before: number, minute: number, { num, time }: MinuteBlock, rows: BlockRows): void {
    const first = Math.floor(before / HOUR) * HOUR
    if (minute < first + HOUR) return
    const valuation = this.prices === null ? null : this.valuation
    const side = (token: TokenId, amount: bigint) => this.side(token, amount)
    const values = this.holdings.poolValues(valuation, side)
    const held = { ...this.holdings.values(values, valuation, side, this.markets), markets: this.markets.size }
    const threshold = { amount: this.threshold(), price: { rate: RATE_ONE } }
    const pools = { values, least: valuation?.holding(threshold, { amount: 0n, price: undefined }) ?? 0n }
    const prices = pricesAt(this.prices ?? new Map(), this.systemToken.decimals, this.usd.usd)
    for (let hour = first; hour + HOUR <= minute; hour += HOUR)
      for (const row of hourRows({ chain: this.chain, hour, blockNum: num, blockTime: time }, held, prices, pools))
        rows.ledger.push(row)
  }

  private setUsd(fact: UsdFact, { num, time }: MinuteBlock, rows: BlockRows): void {
    if (fact.usd === this.usd.usd && fact.source === this.usd.source) return
    this.useUsd(fact)
    const { usd, source } = fact
    const row = {
      chain: this.chain,
      blockNum: num,
      blockTime: time,
      usd: usd === null ? null : usdDecimal(usd),
      source,
    }
    rows.ledger.push({ table: 'usd_prices', row })
  }

  private useUsd(fact: UsdFact): void {
    this.usd = fact
    this.valuation = fact.usd === null ? null : new Valuation(fact.usd, this.systemToken.decimals)
  }

  /** Value from which a pool can price tokens, raw units of the system token. */
  private threshold(): bigint {
    return thresholdOf(this.options.threshold, this.usd.usd, this.systemToken.decimals)
  }

  private setPrices(minute: number, rows: BlockRows): void {
    const { systemToken, rules } = this
    const threshold = this.threshold()
    const scams = rules.scamEntries(minute)
    const { pricedFor } = this
    if (this.prices && pricedFor?.threshold === threshold && pricedFor.scams === scams) return
    const isExcluded = scams > 0 ? (token: TokenId) => rules.isScam(token, minute) : undefined
    const next = this.graph.prices({ systemToken, threshold, isExcluded })
    for (const row of priceChanges(this.prices ?? new Map(), next)) rows.state.push(row)
    this.prices = next
    this.pricedFor = { threshold, scams }
  }

  private async readScores(minute: number): Promise<void> {
    const { validFrom, next } = await this.stored.scoreTimes(minute)
    // Scores of this hour may have been recomputed.
    if (validFrom !== this.scoresFrom || validFrom === hourOf(minute))
      this.scores = validFrom === null ? new Map() : await this.stored.scores(validFrom)
    this.scoresFrom = validFrom
    this.nextScores = next
  }

  private async resume({ num, time, firstBlock, stateBlock }: Position): Promise<void> {
    this.inexactTo = inexactTo(firstBlock, stateBlock ?? undefined)
    this.apply(await this.stored.current())
    await this.resumeAt(num + 1, time)
  }

  /** @param time  of the block before `block`; null when there is none */
  private async resumeAt(block: number, time: number | null): Promise<void> {
    this.trusted.clear()
    this.pricedFor = null
    this.minute = time === null ? null : minuteOf(time)
    this.useUsd(await this.stored.usdBefore(block))
    const { usd } = this.options
    if (this.source instanceof OracleUsd && usd?.kind === 'oracle')
      this.source.newest = await this.stored.pointBefore(block, usd.contract, usd.pair)
    this.readTo = Number.NEGATIVE_INFINITY
    if (time !== null) await this.catchUp(time)
  }

  private apply({ pools, markets, orders, prices }: Rows): void {
    for (const row of orders) {
      if (row.existed) this.holdings.putOrder(row)
      else this.holdings.removeOrder(row)
    }
    for (const row of pools) {
      if (row.existed) this.putPool(row)
      else this.removePool(Number(row.poolId))
    }
    for (const row of markets) {
      if (row.existed) this.putMarket(row)
      else this.markets.delete(Number(row.marketId))
    }
    const known = new Map<TokenId, PriceInForce>(this.prices)
    for (const row of prices) {
      if (row.existed) known.set(row.tokenId, priceInForce(row))
      else known.delete(row.tokenId)
    }
    // If there are any prices, the system token has one.
    this.prices = known.has(this.systemToken.id) ? known : null
  }
}
