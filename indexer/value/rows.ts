// Rows that the valuation reads and completes, in the form of projections and of the database driver.
import type { PricePool } from '../../core/price/price-graph.ts'
import { type TokenId, tokenId } from '../../core/price/token-id.ts'
import type { TokenPrice } from '../../core/price/token-price.ts'
import type { DecimalNumber } from '../store/copy/numeric.ts'
import type { StateRow } from '../store/rows.ts'

/** A number of 64 bits or more: a bigint from a projection, text from the driver. */
type Wide = bigint | string

export interface PoolRow {
  poolId: Wide
  active: boolean
  contractA: string
  symbolA: string
  decimalsA: number
  reserveA: Wide
  contractB: string
  symbolB: string
  decimalsB: number
  reserveB: Wide
  sqrtPriceX64: Wide
  liquidity: Wide
  /** Millionths. */
  fee: number
}

export interface MarketRow {
  marketId: Wide
  baseContract: string
  baseSymbol: string
  targetContract: string
  targetSymbol: string
}

export interface OrderRow {
  marketId: Wide
  side: string
  orderId: Wide
  /** Remaining offer, raw units: target tokens of a buy order, base tokens of a sell order. */
  bidAmount: Wide
}

export interface TokenPriceRow {
  tokenId: TokenId
  decimals: number
  rateX192: Wide
  poolId: Wide | null
}

export interface SwapRow {
  poolId: bigint
  amountA: bigint
  amountB: bigint
  usd?: DecimalNumber
  /** Fee of the pool in millionths. */
  poolFee?: number
}

/** A transfer or lock has no amounts. */
export interface PositionEventRow {
  poolId: bigint
  amountA?: bigint
  amountB?: bigint
  usd?: DecimalNumber
  usdPriceA?: DecimalNumber
  usdPriceB?: DecimalNumber
}

export interface DealRow {
  marketId: bigint
  amountBase: bigint
  amountTarget: bigint
  usd?: DecimalNumber
}

export function pricePool(row: PoolRow): PricePool {
  return {
    id: Number(row.poolId),
    active: row.active,
    tokenA: tokenId(row.symbolA, row.contractA),
    tokenB: tokenId(row.symbolB, row.contractB),
    decimalsA: row.decimalsA,
    decimalsB: row.decimalsB,
    reserveA: BigInt(row.reserveA),
    reserveB: BigInt(row.reserveB),
    sqrtPriceX64: BigInt(row.sqrtPriceX64),
    liquidity: BigInt(row.liquidity),
  }
}

/** Base and target token of a market. */
export type MarketTokens = readonly [base: TokenId, target: TokenId]

export function marketTokens(row: MarketRow): MarketTokens {
  return [tokenId(row.baseSymbol, row.baseContract), tokenId(row.targetSymbol, row.targetContract)]
}

/** A price that is in use. */
export type PriceInForce = Pick<TokenPrice, 'rate' | 'decimals' | 'poolId'>

/** Current rows that turn the known prices into the next ones. */
export function priceChanges(
  known: ReadonlyMap<TokenId, PriceInForce>,
  next: ReadonlyMap<TokenId, PriceInForce>,
): StateRow[] {
  const rows: StateRow[] = []
  let kept = 0
  for (const [token, price] of next) {
    const old = known.get(token)
    if (old !== undefined) kept++
    // Most prices that have not changed are the same object.
    if (old === price || (old !== undefined && isSame(old, price))) continue
    const { decimals, rate, poolId } = price
    rows.push({ table: 'token_prices', row: { tokenId: token, decimals, rateX192: rate, poolId }, present: true })
  }
  if (kept === known.size) return rows
  for (const token of known.keys())
    if (!next.has(token)) rows.push({ table: 'token_prices', row: { tokenId: token }, present: false })
  return rows
}

function isSame(x: PriceInForce, y: PriceInForce): boolean {
  return x.rate === y.rate && x.poolId === y.poolId && x.decimals === y.decimals
}

export function priceInForce({ decimals, rateX192, poolId }: TokenPriceRow): PriceInForce {
  return { decimals, rate: BigInt(rateX192), poolId: poolId === null ? null : Number(poolId) }
}
