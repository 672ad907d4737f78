// Protocol fee of pools: changes (logsetfee) and withdrawals (loggetfee).
import type { Actions } from '../../../core/contracts/amm.ts'
import { int8 } from '../int8.ts'
import { type ActionProjection, ledger } from '../projection.ts'

export const protocolFeeSet: ActionProjection<Actions, 'logsetfee'> = {
  contract: 'amm',
  action: 'logsetfee',
  rows: (a, at) => ({
    ledger: [
      ledger('protocol_fees', at, {
        type: 'set',
        poolId: int8(a.poolId),
        feeProtocolOld: a.feeProtocolOld,
        feeProtocolNew: a.feeProtocolNew,
      }),
    ],
  }),
}

export const protocolFeeWithdrawn: ActionProjection<Actions, 'loggetfee'> = {
  contract: 'amm',
  action: 'loggetfee',
  rows: (a, at) => ({
    ledger: [
      ledger('protocol_fees', at, {
        type: 'withdrawn',
        poolId: int8(a.poolId),
        recipient: a.recipient,
        amountA: a.tokenA.amount,
        amountB: a.tokenB.amount,
        decimalsA: a.tokenA.precision,
        decimalsB: a.tokenB.precision,
      }),
    ],
  }),
}
