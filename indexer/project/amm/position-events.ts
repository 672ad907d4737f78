// Events of positions: mint, burn, collect (both layouts), transfer, lock.

import type { Asset } from '../../../core/antelope/asset.ts'
import { TimePoint } from '../../../core/antelope/time-point.ts'
import { int8 } from '../int8.ts'
import { type ActionPlace, type ActionProjection, ledger, type Projected } from '../projection.ts'

/** logmint and logburn; the newer layout adds price and tick. */
interface LogLiquidity {
  poolId: bigint
  posId: bigint
  owner: string
  tickLower: number
  tickUpper: number
  liquidity: bigint
  tokenA: Asset
  tokenB: Asset
  reserveA: Asset
  reserveB: Asset
  sqrtPriceX64?: bigint
  tick?: number
}

interface LogCollect extends LogLiquidity {
  recipient: string
}

interface LogTransfer {
  poolId: bigint
  fromPosId: bigint
  from: string
  tickLower: number
  tickUpper: number
  fromLiquidity: bigint
  toPosId: bigint
  to: string
  toLiquidity: bigint
  isMergePos: boolean
}

interface LogLock {
  poolId: bigint
  posId: bigint
  owner: string
  unlockTime: number
}

function liquidityRows(type: string, a: LogLiquidity, at: ActionPlace, recipient: string | null): Projected {
  return {
    ledger: [
      ledger('position_events', at, {
        type,
        poolId: int8(a.poolId),
        positionId: int8(a.posId),
        owner: a.owner,
        recipient,
        tickLower: a.tickLower,
        tickUpper: a.tickUpper,
        liquidity: a.liquidity,
        amountA: a.tokenA.amount,
        amountB: a.tokenB.amount,
        decimalsA: a.tokenA.precision,
        decimalsB: a.tokenB.precision,
        reserveA: a.reserveA.amount,
        reserveB: a.reserveB.amount,
        sqrtPriceX64: a.sqrtPriceX64,
        tick: a.tick,
      }),
    ],
  }
}

export const mint: ActionProjection<LogLiquidity> = {
  contract: 'amm',
  action: 'logmint',
  rows: (a, at) => liquidityRows('mint', a, at, null),
}

export const burn: ActionProjection<LogLiquidity> = {
  contract: 'amm',
  action: 'logburn',
  rows: (a, at) => liquidityRows('burn', a, at, null),
}

export const collect: ActionProjection<LogCollect> = {
  contract: 'amm',
  action: 'logcollect',
  rows: (a, at) => liquidityRows('collect', a, at, a.recipient),
}

export const positionTransfer: ActionProjection<LogTransfer> = {
  contract: 'amm',
  action: 'logtransfer',
  rows: (a, at) => ({
    ledger: [
      ledger('position_events', at, {
        type: 'transfer',
        poolId: int8(a.poolId),
        positionId: int8(a.fromPosId),
        owner: a.from,
        recipient: a.to,
        tickLower: a.tickLower,
        tickUpper: a.tickUpper,
        liquidity: a.fromLiquidity,
        toPositionId: int8(a.toPosId),
        toLiquidity: a.toLiquidity,
        merged: a.isMergePos,
      }),
    ],
  }),
}

export const positionLock: ActionProjection<LogLock> = {
  contract: 'amm',
  action: 'loglock',
  rows: (a, at) => ({
    ledger: [
      ledger('position_events', at, {
        type: 'lock',
        poolId: int8(a.poolId),
        positionId: int8(a.posId),
        owner: a.owner,
        unlockTime: TimePoint.ofSeconds(a.unlockTime),
      }),
    ],
  }),
}
