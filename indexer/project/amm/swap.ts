// Swaps (logswap): one row for each pool of a path.
import type { Asset } from '../../../core/antelope/asset.ts'
import { int8 } from '../int8.ts'
import { type ActionProjection, ledger, minuteOf } from '../projection.ts'

interface LogSwap {
  poolId: bigint
  sender: string
  recipient: string
  tokenA: Asset
  tokenB: Asset
  sqrtPriceX64: bigint
  liquidity: bigint
  tick: number
  reserveA: Asset
  reserveB: Asset
}

export const swap: ActionProjection<LogSwap> = {
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
