// Arbitrage: whoever finds a venue from which more can be had than what is paid is worth takes it. So without slack a
// block ends with venues that differ from fair prices by no more than their fees, and no trade there and back gains.
import type { ActionCall } from '../../chain/contract.ts'
import type { PoolRow } from '../amm/rows.ts'
import { AMM } from '../exchange.ts'
import { arbitrageOrders } from './orders.ts'
import { fairRoot, Q64, sides } from './pool-sides.ts'
import { exactIn } from './swaps.ts'
import type { View } from './view.ts'

const MAKERS = ['walter.mm', 'zoe.mm']
/** Swaps that bring one pool back: its liquidity changes on the way. */
const STEPS = 4
/** Share of its fee by which a pool may still be off when it has been brought back. */
const LEFT = 0.5
/** USD. */
const MAX_ENTRIES = 20_000

/**
 * Transactions one after the other: each is made for what those before it have left.
 *
 * @param slack  share of the price by which a venue has to be off beyond its fee
 */
export function* arbitrage(view: View, slack: number): Generator<ActionCall[]> {
  for (const { id } of view.pools()) {
    for (let step = 0; step < STEPS; step++) {
      const pool = view.tables(AMM).get<PoolRow>('pools', AMM, id)
      const calls = pool === undefined ? null : bringBack(view, pool, slack)
      if (calls === null) break
      yield calls
    }
  }
  yield* arbitrageOrders(view, MAKERS, slack)
}

/** A swap that moves a pool back towards its fair price, if it is off by more than its fee and the slack. */
function bringBack(view: View, pool: PoolRow, slack: number): ActionCall[] | null {
  const both = sides(view, pool)
  if (!both || pool.liquidity === 0n) return null
  const root = Number(pool.currSlot.sqrtPriceX64) / Q64
  const gap = Math.log(fairRoot(view, both) / root) * 2
  const fee = pool.fee / 1e6
  if (Math.abs(gap) < fee + slack) return null
  const target = root * Math.exp((gap - Math.sign(gap) * fee * LEFT) / 2)
  const liquidity = Number(pool.liquidity)
  const raw = (gap < 0 ? liquidity * (1 / target - 1 / root) : liquidity * (target - root)) / (1 - fee)
  const token = gap < 0 ? both.a : both.b
  const value = (raw / 10 ** token.precision) * view.usd(token)
  return exactIn(view, view.pick(MAKERS), token, Math.min(value, MAX_ENTRIES), [pool])
}
