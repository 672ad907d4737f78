// Swaps (logswap): one row for each pool of a path.
import type { Actions } from '../../../core/contracts/amm.ts'
import { int8 } from '../int8.ts'
import { type ActionProjection, ledger, minuteOf } from '../projection.ts'

export const swap: ActionProjection<Actions, 'logswap'> = {
  contract: 'amm',
  action: 'logswap',
  rows: (a, at) => ({
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
      }),
    ],
    candles: [{ kind: 'amm', id: a.poolId, minute: minuteOf(at.blockTime) }],
  }),
}
