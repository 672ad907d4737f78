// Creation of pools (logpool).
import type { ExtendedAsset } from '../../../core/antelope/asset.ts'
import { int8 } from '../int8.ts'
import { type ActionProjection, ledger } from '../projection.ts'

interface LogPool {
  poolId: bigint
  tokenA: ExtendedAsset
  tokenB: ExtendedAsset
  fee: number
  feeProtocol: number
  tickSpacing: number
  sqrtPriceX64: bigint
  tick: number
}

export const poolCreation: ActionProjection<LogPool> = {
  contract: 'amm',
  action: 'logpool',
  rows: (a, at) => ({
    ledger: [
      ledger('pool_creations', at, {
        poolId: int8(a.poolId),
        contractA: a.tokenA.contract,
        symbolA: a.tokenA.quantity.symbol,
        decimalsA: a.tokenA.quantity.precision,
        contractB: a.tokenB.contract,
        symbolB: a.tokenB.quantity.symbol,
        decimalsB: a.tokenB.quantity.precision,
        fee: a.fee,
        feeProtocol: a.feeProtocol,
        tickSpacing: a.tickSpacing,
        sqrtPriceX64: a.sqrtPriceX64,
        tick: a.tick,
      }),
    ],
  }),
}
