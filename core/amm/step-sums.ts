// Exact swaps in an unchanged pool, faster than step by step. Input and output of a complete step do not depend on the
// amount of the swap, so their prefix sums are cached, up to the largest amount so far. A swap is a binary search in the
// sums and one partial step. Results equal those of core/amm/swap.ts.
import { I64_LIMIT } from './q64.ts'
import { AmmRefusal } from './refusal.ts'
import { type SwapPool, type SwapResult, swap } from './swap.ts'
import { stepWithin, swapStep } from './swap-step.ts'
import type { TickList } from './tick-index.ts'
import { MAX_SQRT_PRICE, MIN_SQRT_PRICE, sqrtPriceAtTick } from './ticks.ts'

/** The amounts of a swap and the state after it. */
export interface Moved {
  amountIn: bigint
  amountOut: bigint
  sqrtPriceX64: bigint
  /** Null: the tick of the price. */
  tick: number | null
  liquidity: bigint
}

/** The price of a pool after some steps. */
type State = Pick<SwapPool, 'sqrtPriceX64' | 'tick' | 'liquidity'>

/** One direction of a pool. The pool must not change. */
export class StepSums {
  private readonly pool: SwapPool
  private readonly ticks: TickList
  private readonly aForB: boolean
  private readonly limit: bigint
  private readonly fee: bigint
  /** At the start of each step: input and output of all steps before it, and the price. */
  private readonly paid: bigint[] = [0n]
  private readonly given: bigint[] = [0n]
  private readonly states: State[]
  /** Whether the last step is the last one that can be summed. */
  private isWhole = false

  constructor(pool: SwapPool, ticks: TickList, aForB: boolean) {
    this.pool = pool
    this.ticks = ticks
    this.aForB = aForB
    this.fee = BigInt(pool.fee)
    // As in core/amm/swap.ts: a swap never reaches the minimum or maximum price itself.
    this.limit = aForB ? MIN_SQRT_PRICE + 1n : MAX_SQRT_PRICE - 1n
    const { sqrtPriceX64, tick, liquidity } = pool
    this.states = [{ sqrtPriceX64, tick, liquidity }]
  }

  /** @returns null when the contract refuses; fees of the protocol and fee growth are not followed */
  swap(exact: 'in' | 'out', amount: bigint): Moved | null {
    const sums = exact === 'in' ? this.paid : this.given
    while (!this.isWhole && (sums[sums.length - 1] as bigint) < amount) this.extend()
    const at = firstNotBelow(sums, amount)
    if (sums[at] === amount) return this.moved(at, 0n, 0n, this.states[at] as State)
    const before = at - 1
    const rest = amount - (sums[before] as bigint)
    const state = this.states[before] as State
    const short = exact === 'in' && at < sums.length ? this.within(state, this.states[at] as State, rest) : null
    if (short !== null) return this.moved(before, rest, short.amountOut, short)
    const { fee, tickSpacing } = this.pool
    const pool = { fee, tickSpacing, feeProtocol: 0, feeGrowthGlobalAX64: 0n, feeGrowthGlobalBX64: 0n, ...state }
    const done: SwapResult = swap(pool, this.ticks, { aForB: this.aForB, exact, amount: rest })
    return done.ok ? this.moved(before, done.amountIn, done.amountOut, done) : null
  }

  private moved(at: number, paid: bigint, given: bigint, state: Omit<Moved, 'amountIn' | 'amountOut'>): Moved | null {
    const amountIn = (this.paid[at] as bigint) + paid
    const amountOut = (this.given[at] as bigint) + given
    if (amountIn >= I64_LIMIT || amountOut >= I64_LIMIT) return null
    const { sqrtPriceX64, tick, liquidity } = state
    return { amountIn, amountOut, sqrtPriceX64, tick, liquidity }
  }

  /** An input that ends within a step; null when rounding moves the price to the end of the step. */
  private within(from: State, to: State, amount: bigint): Moved | null {
    const { sqrtPriceX64, liquidity } = from
    const step = stepWithin(sqrtPriceX64, to.sqrtPriceX64, liquidity, amount, this.fee, this.aForB)
    if (step === null) return null
    const { price, amountOut } = step
    const tick = price === sqrtPriceX64 ? from.tick : null
    return { amountIn: amount, amountOut, sqrtPriceX64: price, tick, liquidity }
  }

  private extend(): void {
    const last = this.states.length - 1
    const { sqrtPriceX64, tick, liquidity } = this.states[last] as State
    const { aForB, ticks, limit } = this
    const boundary = ticks.next(tick, this.pool.tickSpacing, aForB)
    const price = sqrtPriceAtTick(boundary)
    // The step to the last price, and one that the contract cannot count, are left to core/amm/swap.ts.
    if (aForB ? price <= limit || sqrtPriceX64 <= limit : price >= limit || sqrtPriceX64 >= limit) {
      this.isWhole = true
      return
    }
    const step = this.step(sqrtPriceX64, price, liquidity)
    const paid = step === null ? I64_LIMIT : (this.paid[last] as bigint) + step.paid
    const given = step === null ? I64_LIMIT : (this.given[last] as bigint) + step.given
    if (paid >= I64_LIMIT || given >= I64_LIMIT) {
      this.isWhole = true
      return
    }
    const net = ticks.net(boundary) ?? 0n
    this.paid.push(paid)
    this.given.push(given)
    this.states.push({
      sqrtPriceX64: price,
      tick: aForB ? boundary - 1 : boundary,
      liquidity: aForB ? liquidity - net : liquidity + net,
    })
  }

  /** Amounts of a step that is walked to its end; null when the contract cannot count it. */
  private step(price: bigint, target: bigint, liquidity: bigint): { paid: bigint; given: bigint } | null {
    try {
      const { amountIn, amountOut, fee } = swapStep(
        price,
        target,
        liquidity,
        I64_LIMIT << 64n,
        true,
        this.fee,
        this.aForB,
      )
      return { paid: amountIn + fee, given: amountOut }
    } catch (error) {
      if (error instanceof AmmRefusal) return null
      throw error
    }
  }
}

/** Index of the first sum that is not below the amount; their number when all are. */
function firstNotBelow(sums: readonly bigint[], amount: bigint): number {
  let low = 0
  let high = sums.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sums[middle] as bigint) < amount) low = middle + 1
    else high = middle
  }
  return low
}
