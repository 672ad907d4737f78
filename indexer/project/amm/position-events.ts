// Events of positions: mint, burn, collect (both layouts), transfer, lock.

import { TimePoint } from '../../../core/antelope/time-point.ts'
import type { Actions } from '../../../core/contracts/amm.ts'
import { int8 } from '../int8.ts'
import { type ActionPlace, type ActionProjection, ledger, type Projected } from '../projection.ts'

/** The newer layout adds price and tick. */
type LogLiquidity = Actions['logmint'] | Actions['logburn'] | Actions['logcollect']

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

export const mint: ActionProjection<Actions, 'logmint'> = {
  contract: 'amm',
  action: 'logmint',
  rows: (a, at) => liquidityRows('mint', a, at, null),
}

export const burn: ActionProjection<Actions, 'logburn'> = {
  contract: 'amm',
  action: 'logburn',
  rows: (a, at) => liquidityRows('burn', a, at, null),
}

export const collect: ActionProjection<Actions, 'logcollect'> = {
  contract: 'amm',
  action: 'logcollect',
  rows: (a, at) => liquidityRows('collect', a, at, a.recipient),
}

export const positionTransfer: ActionProjection<Actions, 'logtransfer'> = {
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

export const positionLock: ActionProjection<Actions, 'loglock'> = {
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
