// Ticks and square-root prices: price(tick) = 1.0001^tick, so sqrtPriceX64(tick) = 1.0001^(tick/2) · 2^64 in the
// contract's own rounding. Derivation: docs/develop/amm.md, "Ticks".
import { UserError } from '../errors.ts'
import { Q64, type SqrtPrice } from './q64.ts'

export const MIN_TICK = -443636
export const MAX_TICK = 443636
export const MIN_SQRT_PRICE: SqrtPrice = 4295048017n
export const MAX_SQRT_PRICE: SqrtPrice = 79226673515401279992447579062n

/** 1.0001^(-2^i / 2) in Q128, for the bits i = 0..18 of |tick|. */
const RATIOS = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
] as const

const ONE_Q128 = 1n << 128n
const MAX_U256 = (1n << 256n) - 1n
const LOG_SQRT_BASE = Math.log(1.0001) / 2

// A direct-mapped cache: swaps revisit the same few boundaries. Word edges are multiples of 256 times the tick spacing,
// so the slot is a multiplicative hash: the low bits of the tick would put them into a few slots.
const CACHE_BITS = 14
const CACHE_SIZE = 1 << CACHE_BITS
/** 2^32 divided by the golden ratio, odd. */
const HASH_FACTOR = 0x9e3779b1
const cachedTicks = new Int32Array(CACHE_SIZE).fill(MAX_TICK + 1)
const cachedPrices: SqrtPrice[] = new Array<SqrtPrice>(CACHE_SIZE).fill(0n)

/**
 * Square-root price of a tick, rounded up to Q64.64.
 *
 * @param tick  integer, MIN_TICK ≤ tick ≤ MAX_TICK
 * @throws UserError TICK_OUT_OF_RANGE
 */
export function sqrtPriceAtTick(tick: number): SqrtPrice {
  const slot = Math.imul(tick, HASH_FACTOR) >>> (32 - CACHE_BITS)
  if (cachedTicks[slot] === tick) return cachedPrices[slot] as SqrtPrice
  const price = computeSqrtPrice(tick)
  cachedTicks[slot] = tick
  cachedPrices[slot] = price
  return price
}

function computeSqrtPrice(tick: number): SqrtPrice {
  if (!Number.isInteger(tick) || tick < MIN_TICK || tick > MAX_TICK) {
    throw new UserError('TICK_OUT_OF_RANGE', `tick ${tick} is not an integer from ${MIN_TICK} to ${MAX_TICK}`)
  }
  let ratio = ONE_Q128
  for (let bits = Math.abs(tick), i = 0; bits > 0; bits >>= 1, i++) {
    if (bits & 1) ratio = (ratio * (RATIOS[i] as bigint)) >> 128n
  }
  if (tick > 0) ratio = MAX_U256 / ratio
  return (ratio + Q64 - 1n) >> 64n
}

/**
 * Greatest tick whose square-root price is at most the given one.
 *
 * @param sqrtPrice  MIN_SQRT_PRICE ≤ sqrtPrice < MAX_SQRT_PRICE
 * @throws UserError PRICE_OUT_OF_BOUNDS
 */
export function tickAtSqrtPrice(sqrtPrice: SqrtPrice): number {
  if (sqrtPrice < MIN_SQRT_PRICE || sqrtPrice >= MAX_SQRT_PRICE) {
    throw new UserError('PRICE_OUT_OF_BOUNDS', `square-root price ${sqrtPrice} is outside the contract's range`)
  }
  // The double is accurate to about 1e-9 of a tick; the exact function decides at boundaries.
  let tick = Math.floor(Math.log(Number(sqrtPrice) / 2 ** 64) / LOG_SQRT_BASE)
  tick = Math.min(Math.max(tick, MIN_TICK), MAX_TICK - 1)
  while (tick < MAX_TICK && sqrtPriceAtTick(tick + 1) <= sqrtPrice) tick++
  while (sqrtPriceAtTick(tick) > sqrtPrice) tick--
  return tick
}

/** Maximum liquidity that may refer to one tick: 2^64 - 1, divided among all usable ticks of the spacing. */
export function maxLiquidityPerTick(tickSpacing: number): bigint {
  const usable = 2 * Math.floor(MAX_TICK / tickSpacing) + 1
  return (Q64 - 1n) / BigInt(usable)
}
