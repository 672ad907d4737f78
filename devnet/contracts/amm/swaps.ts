// Swaps by token transfer: exact input over a path of pools, exact output over one pool.

import { AmmRefusal } from '../../../core/amm/refusal.ts'
import { type SwapDone, type SwapRequest, swap } from '../../../core/amm/swap.ts'
import { crossTick } from '../../../core/amm/tick-state.ts'
import type { ExtendedAsset } from '../../../core/antelope/asset.ts'
import type { PoolRow } from '../../../core/contract-rows.ts'
import { log, pay } from '../actions.ts'
import { plus, poolState, sameToken, withAmount } from './rows.ts'
import type { AmmStore } from './store.ts'

export interface SwapOrder {
  poolIds: bigint[]
  sender: string
  recipient: string
  /** The tokens sent by the user. */
  input: ExtendedAsset
  /** Minimum output of an exact input, or the exact output. */
  output: ExtendedAsset
}

export function swapExactIn(store: AmmStore, { poolIds, sender, recipient, input, output }: SwapOrder): void {
  let paid = input
  for (const [i, poolId] of poolIds.entries()) {
    const last = i === poolIds.length - 1
    store.check(paid.quantity.amount > 0n, 'swapInToken must be positive value')
    const pool = store.pool(poolId)
    const aForB = direction(store, pool, paid)
    const token = aForB ? pool.tokenB : pool.tokenA
    if (last) store.check(sameToken(token, output), 'Invalid tokenOut')
    const done = run(store, pool, { aForB, exact: 'in', amount: paid.quantity.amount })
    if (last) {
      const text = `Received lower than minTokenOut: ${done.amountOut}`
      store.check(done.amountOut >= output.quantity.amount, text)
    }
    const after = settle(store, pool, aForB, done)
    store.savePool(after)
    const received = { contract: token.contract, quantity: withAmount(token.quantity, done.amountOut) }
    if (last) payOut(store, poolId, recipient, received)
    logSwap(store, after, aForB, done, sender, last ? recipient : store.self, 0n)
    paid = received
  }
}

export function swapExactOut(store: AmmStore, { poolIds, sender, recipient, input, output }: SwapOrder): void {
  const { context } = store
  const poolId = poolIds[0] as bigint
  const pool = store.pool(poolId)
  const forward = sameToken(pool.tokenA, input)
  const backward = sameToken(pool.tokenB, input) && sameToken(pool.tokenA, output)
  store.check(!forward || sameToken(pool.tokenB, output), 'Invalid tokenOut')
  store.check(forward || backward, 'Invalid tokenIn or tokenOut')
  requireActive(store, pool)
  const { amount: maxIn } = input.quantity
  const done = run(store, pool, { aForB: forward, exact: 'out', amount: output.quantity.amount, maxIn })
  const change = maxIn - done.amountIn
  const after = settle(store, pool, forward, done)
  store.savePool(after)
  payOut(store, poolId, recipient, { ...output, quantity: withAmount(output.quantity, done.amountOut) })
  logSwap(store, after, forward, done, sender, recipient, change)
  if (change > 0n) {
    pay(context, input.contract, sender, withAmount(input.quantity, change), `Swap Change - Pool ID #${poolId}`)
  }
}

function direction(store: AmmStore, pool: PoolRow, input: ExtendedAsset): boolean {
  requireActive(store, pool)
  const aForB = sameToken(pool.tokenA, input)
  store.check(aForB || sameToken(pool.tokenB, input), 'Invalid tokenIn')
  return aForB
}

function requireActive(store: AmmStore, pool: PoolRow): void {
  store.check(pool.active, 'poolId is not active yet')
}

function run(store: AmmStore, pool: PoolRow, request: SwapRequest): SwapDone {
  const result = swap(poolState(pool), store.ticks(pool.id), request)
  if (!result.ok) throw new AmmRefusal(result.error)
  return result
}

/** The pool's row after a swap; stores crossed ticks and the accumulator. */
function settle(store: AmmStore, pool: PoolRow, aForB: boolean, done: SwapDone): PoolRow {
  if (done.crossings.length > 0) {
    const seen = store.observed(pool)
    for (const { tick: id, feeGrowthGlobalX64 } of done.crossings) {
      const global = aForB
        ? { a: feeGrowthGlobalX64, b: pool.feeGrowthGlobalBX64 }
        : { a: pool.feeGrowthGlobalAX64, b: feeGrowthGlobalX64 }
      const tick = store.tick(pool.id, id)
      if (tick) store.saveTick(pool.id, crossTick(tick, global, seen))
    }
  }
  if (done.tick !== pool.currSlot.tick) store.writeObservation(pool)
  const { protocolFeeA: feeA, protocolFeeB: feeB } = pool
  const intoA = aForB ? done.amountIn : -done.amountOut
  const intoB = aForB ? -done.amountOut : done.amountIn
  return {
    ...pool,
    tokenA: plus(pool.tokenA, intoA),
    tokenB: plus(pool.tokenB, intoB),
    currSlot: { ...pool.currSlot, sqrtPriceX64: done.sqrtPriceX64, tick: done.tick },
    feeGrowthGlobalAX64: aForB ? done.feeGrowthGlobalX64 : pool.feeGrowthGlobalAX64,
    feeGrowthGlobalBX64: aForB ? pool.feeGrowthGlobalBX64 : done.feeGrowthGlobalX64,
    protocolFeeA: aForB && done.protocolFee > 0n ? withAmount(feeA, feeA.amount + done.protocolFee) : feeA,
    protocolFeeB: !aForB && done.protocolFee > 0n ? withAmount(feeB, feeB.amount + done.protocolFee) : feeB,
    liquidity: done.liquidity,
  }
}

function payOut(store: AmmStore, poolId: bigint, recipient: string, output: ExtendedAsset): void {
  if (output.quantity.amount === 0n) return
  pay(store.context, output.contract, recipient, output.quantity, `Swap tokenOut - Pool ID #${poolId}`)
}

/** @param change  input that is returned afterwards: the logged reserve still contains it */
function logSwap(
  store: AmmStore,
  pool: PoolRow,
  aForB: boolean,
  done: SwapDone,
  sender: string,
  recipient: string,
  change: bigint,
): void {
  const reserveA = plus(pool.tokenA, aForB ? change : 0n).quantity
  const reserveB = plus(pool.tokenB, aForB ? 0n : change).quantity
  log(store.context, 'logswap', {
    poolId: pool.id,
    sender,
    recipient,
    tokenA: withAmount(reserveA, aForB ? done.amountIn : -done.amountOut),
    tokenB: withAmount(reserveB, aForB ? -done.amountOut : done.amountIn),
    sqrtPriceX64: done.sqrtPriceX64,
    liquidity: done.liquidity,
    tick: done.tick,
    reserveA,
    reserveB,
  })
}
