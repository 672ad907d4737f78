// Swaps (logswap): one row for each pool of a path.
import type { Actions } from '../../../core/contracts/amm.ts'
import { int8 } from '../int8.ts'
import { type ActionPlace, type ActionProjection, type BlockContext, ledger, minuteOf } from '../projection.ts'

export const swap: ActionProjection<Actions, 'logswap'> = {
  contract: 'amm',
  action: 'logswap',
  rows: (a, at, account, context) => ({
    ledger: [
      ledger('swaps', at, {
        poolId: int8(a.poolId),
        sender: a.sender,
        recipient: a.recipient,
        amountA: a.tokenA.amount,
        amountB: a.tokenB.amount,
        decimalsA: a.tokenA.precision,
        decimalsB: a.tokenB.precision,
        sqrtPriceX64: a.sqrtPriceX64,
        liquidity: a.liquidity,
        tick: a.tick,
        reserveA: a.reserveA.amount,
        reserveB: a.reserveB.amount,
        path: pathOf(at, a.recipient === account, context),
      }),
    ],
    candles: [{ kind: 'amm', id: a.poolId, minute: minuteOf(at.blockTime) }],
  }),
}

/**
 * Index of a swap's path in its transaction, from 0. Swaps arrive in the order of execution, so the swaps of one path are
 * consecutive. The recipient of each swap but the last of a path is the AMM itself.
 *
 * @param continues  whether the recipient is the AMM, so that the path has another swap
 */
function pathOf({ trxId }: ActionPlace, continues: boolean, context: BlockContext): number {
  const { lastSwap } = context
  const path = lastSwap?.trxId === trxId ? lastSwap.path + (lastSwap.ends ? 1 : 0) : 0
  context.lastSwap = { trxId, path, ends: !continues }
  return path
}
