// One step of a swap: constant liquidity, from the current price towards a target price.
// Source: the AMM contract; derivation in docs/develop/amm.md, "Steps".
import { amountA, amountB, divideUp, priceAfterInput, priceAfterOutput } from './amounts.ts'
import { FEE_UNIT, Q64, type SqrtPrice } from './q64.ts'
import { AmmRefusal, CAST_OVERFLOW } from './refusal.ts'

export interface SwapStep {
  /** Price after the step: the target, or before it when the amount is used up. */
  price: SqrtPrice
  /** Raw units that enter the pool, without the fee. */
  amountIn: bigint
  /** Raw units that leave the pool. */
  amountOut: bigint
  /** Raw units of the input token. */
  fee: bigint
}

/**
 * Computes a step.
 *
 * @param target     price at which the step ends at the latest, on the side of the swap's direction
 * @param liquidity  L, 0 ≤ L < 2^64; 0 moves no amounts and jumps to the target
 * @param remaining  amount left, > 0: input with its fee for exact input, output for exact output
 * @param exactIn    whether `remaining` is input
 * @param fee        parts per million, 0 ≤ fee < 1,000,000
 * @param aForB      true when token A enters and the price falls
 * @throws AmmRefusal when the amount to the target reaches 2^64 (see docs/develop/amm.md, "Integer range")
 */
export function swapStep(
  price: SqrtPrice,
  target: SqrtPrice,
  liquidity: bigint,
  remaining: bigint,
  exactIn: boolean,
  fee: bigint,
  aForB: boolean,
): SwapStep {
  if (liquidity === 0n) return { price: target, amountIn: 0n, amountOut: 0n, fee: 0n }
  return exactIn
    ? stepForInput(price, target, liquidity, remaining, fee, aForB)
    : stepForOutput(price, target, liquidity, remaining, fee, aForB)
}

function stepForInput(
  price: SqrtPrice,
  target: SqrtPrice,
  liquidity: bigint,
  remaining: bigint,
  fee: bigint,
  aForB: boolean,
): SwapStep {
  const net = (remaining * (FEE_UNIT - fee)) / FEE_UNIT
  const needed = fits(input(price, target, liquidity, aForB))
  if (net >= needed) {
    const amountOut = fits(output(price, target, liquidity, aForB))
    return { price: target, amountIn: needed, amountOut, fee: divideUp(needed * fee, FEE_UNIT - fee) }
  }
  const next = priceAfterInput(price, liquidity, net, aForB)
  // Rounding can move the price exactly to the target; the fee then follows the rule for a reached target.
  const reached = next === target
  const amountIn = reached ? needed : fits(input(price, next, liquidity, aForB))
  const amountOut = fits(output(price, next, liquidity, aForB))
  return {
    price: next,
    amountIn,
    amountOut,
    fee: reached ? divideUp(amountIn * fee, FEE_UNIT - fee) : remaining - amountIn,
  }
}

/**
 * End price and output of an input that is known not to reach the target. Computes nothing else. If the input does
 * reach the target, the result is invalid.
 *
 * @param liquidity  L, 0 < L < 2^64
 * @param remaining  input with its fee, > 0
 * @returns null when rounding moves the price to the target
 */
export function stepWithin(
  price: SqrtPrice,
  target: SqrtPrice,
  liquidity: bigint,
  remaining: bigint,
  fee: bigint,
  aForB: boolean,
): Pick<SwapStep, 'price' | 'amountOut'> | null {
  const next = priceAfterInput(price, liquidity, (remaining * (FEE_UNIT - fee)) / FEE_UNIT, aForB)
  return next === target ? null : { price: next, amountOut: output(price, next, liquidity, aForB) }
}

function stepForOutput(
  price: SqrtPrice,
  target: SqrtPrice,
  liquidity: bigint,
  wanted: bigint,
  fee: bigint,
  aForB: boolean,
): SwapStep {
  const available = fits(output(price, target, liquidity, aForB))
  const next = wanted >= available ? target : priceAfterOutput(price, liquidity, wanted, aForB)
  const amountIn = fits(input(price, next, liquidity, aForB))
  const left = next === target ? available : fits(output(price, next, liquidity, aForB))
  return {
    price: next,
    amountIn,
    amountOut: left > wanted ? wanted : left,
    fee: divideUp(amountIn * fee, FEE_UNIT - fee),
  }
}

/** Input that moves the price from `price` to `next`, rounded up. */
function input(price: SqrtPrice, next: SqrtPrice, liquidity: bigint, aForB: boolean): bigint {
  return aForB ? amountA(liquidity, next, price, 'up') : amountB(liquidity, price, next, 'up')
}

/** Output of moving the price from `price` to `next`, rounded down. */
function output(price: SqrtPrice, next: SqrtPrice, liquidity: bigint, aForB: boolean): bigint {
  return aForB ? amountB(liquidity, next, price, 'down') : amountA(liquidity, price, next, 'down')
}

function fits(amount: bigint): bigint {
  if (amount >= Q64) throw new AmmRefusal(CAST_OVERFLOW)
  return amount
}
