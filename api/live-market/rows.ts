// Converts rows of the database to members of the model.

import { tokenId } from '../../core/antelope/asset.ts'
import type { BookOrder } from '../../core/book/order.ts'
import type { LiveBook, LivePool, LiveTick, TokenRef } from './model.ts'
import type { Volume } from './rolling.ts'

export interface PoolRow {
  id: number
  active: boolean
  contractA: string
  symbolA: string
  decimalsA: number
  reserveA: string
  contractB: string
  symbolB: string
  decimalsB: number
  reserveB: string
  fee: number
  feeProtocol: number
  tickSpacing: number
  maxLiquidityPerTick: string
  sqrtPriceX64: string
  tick: number
  feeGrowthGlobalAX64: string
  feeGrowthGlobalBX64: string
  protocolFeeA: string
  protocolFeeB: string
  liquidity: string
}

/** The members of a pool that come from its row. */
export type PoolFacts = Omit<LivePool, keyof import('./model.ts').Series | 'createdAt' | 'creationPrice' | 'ticks'>

export function poolFacts(row: PoolRow): PoolFacts {
  const { id, active, fee, feeProtocol, tickSpacing, tick } = row
  return {
    id,
    active,
    fee,
    feeProtocol,
    tickSpacing,
    tick,
    a: tokenRef(row.contractA, row.symbolA, row.decimalsA),
    b: tokenRef(row.contractB, row.symbolB, row.decimalsB),
    reserveA: BigInt(row.reserveA),
    reserveB: BigInt(row.reserveB),
    maxLiquidityPerTick: BigInt(row.maxLiquidityPerTick),
    sqrtPriceX64: BigInt(row.sqrtPriceX64),
    feeGrowthGlobalAX64: BigInt(row.feeGrowthGlobalAX64),
    feeGrowthGlobalBX64: BigInt(row.feeGrowthGlobalBX64),
    protocolFeeA: BigInt(row.protocolFeeA),
    protocolFeeB: BigInt(row.protocolFeeB),
    liquidity: BigInt(row.liquidity),
  }
}

export interface TickRow {
  pool: number
  id: number
  liquidityGross: string
  liquidityNet: string
  feeGrowthOutsideAX64: string
  feeGrowthOutsideBX64: string
}

export function liveTick(row: TickRow): LiveTick {
  return {
    id: row.id,
    liquidityGross: BigInt(row.liquidityGross),
    liquidityNet: BigInt(row.liquidityNet),
    feeGrowthOutsideAX64: BigInt(row.feeGrowthOutsideAX64),
    feeGrowthOutsideBX64: BigInt(row.feeGrowthOutsideBX64),
  }
}

export interface MarketRow {
  id: number
  baseContract: string
  baseSymbol: string
  baseDecimals: number
  targetContract: string
  targetSymbol: string
  targetDecimals: number
  minBuy: string
  minBuyDecimals: number
  minSell: string
  minSellDecimals: number
  frozen: boolean
  fee: number
}

/** The members of a market that come from its row. */
export type BookFacts = Omit<LiveBook, keyof import('./model.ts').Series | 'bids' | 'asks'>

export type ClosedMarketRow = Omit<
  MarketRow,
  'minBuy' | 'minBuyDecimals' | 'minSell' | 'minSellDecimals' | 'frozen' | 'fee'
>

/** What is known of a closed market, except its series. */
export type ClosedFacts = Pick<LiveBook, 'id' | 'base' | 'target'>

export function closedFacts({ id, ...row }: ClosedMarketRow): ClosedFacts {
  return {
    id,
    base: tokenRef(row.baseContract, row.baseSymbol, row.baseDecimals),
    target: tokenRef(row.targetContract, row.targetSymbol, row.targetDecimals),
  }
}

export function bookFacts(row: MarketRow): BookFacts {
  const { id, minBuyDecimals, minSellDecimals, frozen, fee } = row
  return {
    id,
    minBuyDecimals,
    minSellDecimals,
    frozen,
    fee,
    base: tokenRef(row.baseContract, row.baseSymbol, row.baseDecimals),
    target: tokenRef(row.targetContract, row.targetSymbol, row.targetDecimals),
    minBuy: BigInt(row.minBuy),
    minSell: BigInt(row.minSell),
  }
}

/** Digest of all ticks of a pool, or of all orders of a market. */
export interface DigestRow {
  id: number
  digest: string
}

export interface OrderRow {
  market: number
  side: string
  id: string
  account: string
  bid: string
  ask: string
  unitPrice: string
}

export function bookOrder(row: OrderRow): BookOrder {
  return {
    id: BigInt(row.id),
    account: row.account,
    bid: BigInt(row.bid),
    ask: BigInt(row.ask),
    unitPrice: BigInt(row.unitPrice),
  }
}

/** Sums and prices of the trades of a series. */
export interface TradesRow {
  id: number
  base: string
  target: string
  usd: string
  /** As in `Volume`; absent where the statement does not compute them. */
  fees?: string
  trades: number
  withoutUsd: number
  high: string | null
  low: string | null
  last?: string
  /** Time of the first trade, Unix milliseconds. */
  first?: number
}

export function volumeOf(row: TradesRow): Volume {
  const { trades, withoutUsd, fees = 0 } = row
  const amounts = { base: BigInt(row.base), target: BigInt(row.target), usd: BigInt(row.usd), fees: BigInt(fees) }
  return { ...amounts, trades, withoutUsd }
}

const known = new Map<string, TokenRef>()

/** One object for each token, shared by pools and books. */
export function tokenRef(contract: string, symbol: string, decimals: number): TokenRef {
  const key = `${symbol}-${contract}-${decimals}`
  let token = known.get(key)
  if (token === undefined) {
    token = { id: tokenId(symbol, contract), contract, symbol, decimals }
    known.set(key, token)
  }
  return token
}
