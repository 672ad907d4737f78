// Protocol fee of pools: changes (logsetfee) and withdrawals (loggetfee).
import type { Asset } from '../../../core/antelope/asset.ts'
import { int8 } from '../int8.ts'
import { type ActionProjection, ledger } from '../projection.ts'

interface LogSetFee {
  poolId: bigint
  feeProtocolOld: number
  feeProtocolNew: number
}

interface LogGetFee {
  poolId: bigint
  recipient: string
  tokenA: Asset
  tokenB: Asset
}

export const protocolFeeSet: ActionProjection<LogSetFee> = {
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

export const protocolFeeWithdrawn: ActionProjection<LogGetFee> = {
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
