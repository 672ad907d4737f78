// Arbitrage: trades on each venue that pays more than the input is worth. Without slack, after each block no venue
// deviates from the fair price by more than its fee, and no round trip gains.

import type { PoolRow } from '../../../core/contract-rows.ts'
import type { ActionCall } from '../../chain/contract.ts'
import { AMM } from '../exchange.ts'
import { arbitrageOrders } from './orders.ts'
import { fairRoot, Q64, sides } from './pool-sides.ts'
import { exactIn } from './swaps.ts'
import type { View } from './view.ts'

const MAKERS = ['walter.mm', 'zoe.mm']
/** Maximum swaps to correct one pool: its liquidity changes on the way. */
const STEPS = 4
/** Deviation of a corrected pool that is accepted, as a share of its fee. */
const ACCEPTED_DEVIATION = 0.5
/** USD. */
const MAX_ENTRIES = 20_000

/**
 * Transactions in order. Each depends on the tables after the previous one.
 *
 * @param slack  deviation beyond its fee from which a venue is corrected, as a share of the price
 */
export function* arbitrage(view: View, slack: number): Generator<ActionCall[]> {
  for (const { id } of view.pools()) {
    for (let step = 0; step < STEPS; step++) {
      const pool = view.tables(AMM).get<PoolRow>('pools', AMM, id)
      const calls = pool === undefined ? null : correctingSwap(view, pool, slack)
      if (calls === null) break
      yield calls
    }
  }
  yield* arbitrageOrders(view, MAKERS, slack)
}

/** A swap towards the fair price; null unless the pool deviates by more than its fee and the slack. */
function correctingSwap(view: View, pool: PoolRow, slack: number): ActionCall[] | null {
  const both = sides(view, pool)
  if (!both || pool.liquidity === 0n) return null
  const root = Number(pool.currSlot.sqrtPriceX64) / Q64
  const gap = Math.log(fairRoot(view, both) / root) * 2
  const fee = pool.fee / 1e6
  if (Math.abs(gap) < fee + slack) return null
  const target = root * Math.exp((gap - Math.sign(gap) * fee * ACCEPTED_DEVIATION) / 2)
  const liquidity = Number(pool.liquidity)
  const raw = (gap < 0 ? liquidity * (1 / target - 1 / root) : liquidity * (target - root)) / (1 - fee)
  const token = gap < 0 ? both.a : both.b
  const value = (raw / 10 ** token.precision) * view.usd(token)
  return exactIn(view, view.pick(MAKERS), token, Math.min(value, MAX_ENTRIES), [pool])
}
