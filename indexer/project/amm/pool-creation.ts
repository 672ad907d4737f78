// Creation of pools (logpool).
import type { Actions } from '../../../core/contracts/amm.ts'
import { int8 } from '../int8.ts'
import { type ActionProjection, ledger } from '../projection.ts'

export const poolCreation: ActionProjection<Actions, 'logpool'> = {
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
