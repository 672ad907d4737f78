// Liquidity from amounts, and amounts of a position from its liquidity.
// Source: the AMM contract; derivation in docs/develop/amm.md, "Liquidity".
import { amountA, amountB } from './amounts.ts'
import { Q64, type Round, type SqrtPrice } from './q64.ts'
import { AmmRefusal, CAST_OVERFLOW } from './refusal.ts'
import { sqrtPriceAtTick } from './ticks.ts'

/** Both tokens, raw units. */
export interface Amounts {
  a: bigint
  b: bigint
}

/** Range of a position: in range when lower ≤ tick < upper. */
export interface Range {
  tickLower: number
  tickUpper: number
}

/**
 * Maximum liquidity that the desired amounts pay for, rounded down.
 *
 * @throws AmmRefusal when the ends coincide (`DivideByZeroException`) or the result has more than 64 bits
 */
export function liquidityForAmounts(price: SqrtPrice, { tickLower, tickUpper }: Range, desired: Amounts): bigint {
  const first = sqrtPriceAtTick(tickLower)
  const second = sqrtPriceAtTick(tickUpper)
  const [lower, upper] = first < second ? [first, second] : [second, first]
  if (price <= lower) return fits(liquidityForA(lower, upper, desired.a))
  if (price >= upper) return fits(liquidityForB(lower, upper, desired.b))
  const fromA = fits(liquidityForA(price, upper, desired.a))
  const fromB = fits(liquidityForB(lower, price, desired.b))
  return fromA < fromB ? fromA : fromB
}

function liquidityForA(lower: SqrtPrice, upper: SqrtPrice, amount: bigint): bigint {
  return (amount * ((lower * upper) / Q64)) / width(lower, upper)
}

function liquidityForB(lower: SqrtPrice, upper: SqrtPrice, amount: bigint): bigint {
  return (amount << 64n) / width(lower, upper)
}

function width(lower: SqrtPrice, upper: SqrtPrice): bigint {
  if (lower === upper) throw new AmmRefusal('DivideByZeroException')
  return upper - lower
}

function fits(liquidity: bigint): bigint {
  if (liquidity >= Q64) throw new AmmRefusal(CAST_OVERFLOW)
  return liquidity
}

/**
 * Amounts that correspond to liquidity in a range at the current price: rounded up when paid in, down when paid out.
 * The tick, not the price, determines the pool's side of the range.
 *
 * @throws AmmRefusal when an amount has more than 64 bits
 */
export function amountsForLiquidity(
  pool: { sqrtPriceX64: SqrtPrice; tick: number },
  { tickLower, tickUpper }: Range,
  liquidity: bigint,
  round: Round,
): Amounts {
  const lower = sqrtPriceAtTick(tickLower)
  const upper = sqrtPriceAtTick(tickUpper)
  if (pool.tick < tickLower) return { a: fits(amountA(liquidity, lower, upper, round)), b: 0n }
  if (pool.tick >= tickUpper) return { a: 0n, b: fits(amountB(liquidity, lower, upper, round)) }
  return {
    a: fits(amountA(liquidity, pool.sqrtPriceX64, upper, round)),
    b: fits(amountB(liquidity, lower, pool.sqrtPriceX64, round)),
  }
}
