// A swap in one pool, with the contract's exact results and error texts. Pure: it does not change the pool. To apply a
// swap, the caller stores the new price and crosses the ticks in `crossings` (tick-state.ts).
// Source: the AMM contract; docs/develop/amm.md, "Swaps".
import { I64_LIMIT, Q64, type SqrtPrice } from './q64.ts'
import { AmmRefusal, CAST_OVERFLOW } from './refusal.ts'
import { type SwapStep, swapStep } from './swap-step.ts'
import type { TickIndex } from './tick-index.ts'
import { MAX_SQRT_PRICE, MIN_SQRT_PRICE, sqrtPriceAtTick, tickAtSqrtPrice } from './ticks.ts'

/** Fields of a pool that a swap reads. */
export interface SwapPool {
  /** Parts per million of the input. */
  fee: number
  tickSpacing: number
  sqrtPriceX64: SqrtPrice
  tick: number
  liquidity: bigint
  /** The protocol gets 1/feeProtocol of the fee. 0: it gets nothing. */
  feeProtocol: number
  feeGrowthGlobalAX64: bigint
  feeGrowthGlobalBX64: bigint
}

/** An initialised tick that the price crossed. */
interface Crossing {
  tick: number
  /** Global fee growth of the input side when the price crossed the tick, modulo 2^128. */
  feeGrowthGlobalX64: bigint
}

export interface SwapDone {
  ok: true
  /** Raw units paid by the user, fee included. */
  amountIn: bigint
  /** Raw units received by the user. */
  amountOut: bigint
  sqrtPriceX64: SqrtPrice
  tick: number
  liquidity: bigint
  /** Global fee growth of the input side after the swap, modulo 2^128. */
  feeGrowthGlobalX64: bigint
  /** Raw units of the input token for the protocol. */
  protocolFee: bigint
  crossings: Crossing[]
}

interface SwapRefused {
  ok: false
  /** The contract's own text. */
  error: string
}

export type SwapResult = SwapDone | SwapRefused

export interface SwapRequest {
  /** Whether token A is the input and token B the output. */
  aForB: boolean
  exact: 'in' | 'out'
  /** Raw units: the input for exact input, the output for exact output. 0 < amount < 2^63. */
  amount: bigint
  /** Maximum input of an exact-output swap: the amount that the user sent. Default: no limit. */
  maxIn?: bigint
}

/**
 * Swaps an exact amount.
 *
 * A swap that cannot be filled completely is refused, as in the contract: there are no partial fills.
 */
export function swap(pool: SwapPool, ticks: TickIndex, request: SwapRequest): SwapResult {
  try {
    return swapInSteps(pool, ticks, request)
  } catch (error) {
    if (error instanceof AmmRefusal) return { ok: false, error: error.message }
    throw error
  }
}

/** One step for each range of ticks with constant liquidity, until the amount is used up or the price is at its limit. */
function swapInSteps(pool: SwapPool, ticks: TickIndex, { aForB, exact, amount, maxIn }: SwapRequest): SwapResult {
  const limit = aForB ? MIN_SQRT_PRICE + 1n : MAX_SQRT_PRICE - 1n
  if (aForB ? pool.sqrtPriceX64 <= limit : pool.sqrtPriceX64 >= limit) return refuse('Invalid sqrtPriceLimit')
  const isExactIn = exact === 'in'
  const fee = BigInt(pool.fee)
  const feeProtocol = BigInt(pool.feeProtocol)
  let { sqrtPriceX64: price, tick, liquidity } = pool
  let growth = aForB ? pool.feeGrowthGlobalAX64 : pool.feeGrowthGlobalBX64
  let remaining = amount
  /** The amount that the request leaves open: output of an exact input, input of an exact output. */
  let otherAmount = 0n
  let protocolFee = 0n
  const crossings: Crossing[] = []
  while (remaining > 0n && price !== limit) {
    const boundary = ticks.next(tick, pool.tickSpacing, aForB)
    const boundaryPrice = sqrtPriceAtTick(boundary)
    const target = (aForB ? boundaryPrice < limit : boundaryPrice > limit) ? limit : boundaryPrice
    const step = swapStep(price, target, liquidity, remaining, isExactIn, fee, aForB)
    const paid = stepInput(step)
    if (isExactIn) {
      remaining -= paid
      otherAmount = checkedSum(otherAmount, checkedInt64(step.amountOut))
    } else {
      remaining -= checkedInt64(step.amountOut)
      otherAmount = checkedSum(otherAmount, paid)
    }
    let feeOfOwners = step.fee
    if (feeProtocol > 0n) {
      const share = feeOfOwners / feeProtocol
      feeOfOwners -= share
      protocolFee += share
    }
    if (liquidity > 0n && feeOfOwners > 0n) growth = BigInt.asUintN(128, growth + (feeOfOwners << 64n) / liquidity)
    if (step.price === boundaryPrice) {
      const net = ticks.net(boundary)
      if (net !== undefined) {
        crossings.push({ tick: boundary, feeGrowthGlobalX64: growth })
        liquidity = aForB ? liquidity - net : liquidity + net
      }
      tick = aForB ? boundary - 1 : boundary
    } else if (step.price !== price) {
      tick = tickAtSqrtPrice(step.price)
    }
    price = step.price
  }
  const swapped = amount - remaining
  const amountIn = isExactIn ? swapped : otherAmount
  const isAboveMaxIn = maxIn !== undefined && amountIn > maxIn
  if (amountIn === 0n || isAboveMaxIn) return refuse('Insufficient transfer amount')
  if (remaining > 0n) return refuse(`not enough to swap exact ${isExactIn ? 'tokenIn' : 'tokenOut'}: ${swapped}`)
  const amountOut = isExactIn ? otherAmount : swapped
  return {
    ok: true,
    amountIn,
    amountOut,
    sqrtPriceX64: price,
    tick,
    liquidity,
    feeGrowthGlobalX64: growth,
    protocolFee,
    crossings,
  }
}

function refuse(error: string): SwapRefused {
  return { ok: false, error }
}

/**
 * Input plus fee of a step. The contract adds them in unsigned 64 bits and stores the sum in signed 64 bits.
 *
 * @throws AmmRefusal when one of these overflows
 */
function stepInput(step: SwapStep): bigint {
  const sum = step.amountIn + step.fee
  if (step.fee >= Q64) throw new AmmRefusal(CAST_OVERFLOW)
  if (sum >= Q64) throw new AmmRefusal(`OverflowException, (${step.amountIn})+(${step.fee})`)
  return checkedInt64(sum)
}

/** @throws AmmRefusal when the amount is 2^63 or more */
function checkedInt64(amount: bigint): bigint {
  if (amount >= I64_LIMIT) throw new AmmRefusal(CAST_OVERFLOW)
  return amount
}

/** @throws AmmRefusal when the sum is 2^63 or more */
function checkedSum(sum: bigint, amount: bigint): bigint {
  if (sum + amount >= I64_LIMIT) throw new AmmRefusal(`OverflowException, (${sum})+(${amount})`)
  return sum + amount
}
