// Incentives (farms): creation, funding, staking, unstaking, payment; and their current rows.

import type { ExtendedAsset } from '../../../core/antelope/asset.ts'
import { TimePoint } from '../../../core/antelope/time-point.ts'
import type { Actions, Tables } from '../../../core/contracts/amm.ts'
import { int8 } from '../int8.ts'
import {
  type ActionPlace,
  type ActionProjection,
  ledger,
  type Projected,
  state,
  type TableProjection,
} from '../projection.ts'

// The older layout of farms logs the position's liquidity and pays by seconds inside the range. The newer one logs its
// staking weight and streams a reward rate.
type LogStake = Actions['logstaked'] | Actions['logunstaked']

function token(asset: ExtendedAsset): object {
  const { symbol, precision, amount } = asset.quantity
  return { contract: asset.contract, symbol, decimals: precision, amount }
}

export const incentiveCreated: ActionProjection<Actions, 'lognewincent'> = {
  contract: 'amm',
  action: 'lognewincent',
  rows: (a, at) => ({
    ledger: [
      ledger('incentive_events', at, {
        type: 'created',
        incentiveId: int8(a.incentiveId),
        account: a.creator,
        poolId: int8(a.poolId),
        ...token(a.rewardToken),
        duration: a.duration,
      }),
    ],
  }),
}

export const incentiveFunded: ActionProjection<Actions, 'logaddreward'> = {
  contract: 'amm',
  action: 'logaddreward',
  rows: (a, at) => ({
    ledger: [ledger('incentive_events', at, { type: 'funded', incentiveId: int8(a.incentiveId), ...token(a.reward) })],
  }),
}

function stakeRows(type: string, a: LogStake, at: ActionPlace): Projected {
  return {
    ledger: [
      ledger('incentive_events', at, {
        type,
        incentiveId: int8(a.incentiveId),
        account: a.owner,
        positionId: int8(a.posId),
        stakingWeight: a.stakingWeight ?? ('liquidity' in a ? a.liquidity : undefined),
      }),
    ],
  }
}

export const staked: ActionProjection<Actions, 'logstaked'> = {
  contract: 'amm',
  action: 'logstaked',
  rows: (a, at) => stakeRows('staked', a, at),
}

export const unstaked: ActionProjection<Actions, 'logunstaked'> = {
  contract: 'amm',
  action: 'logunstaked',
  rows: (a, at) => stakeRows('unstaked', a, at),
}

export const incentivePaid: ActionProjection<Actions, 'logpaid'> = {
  contract: 'amm',
  action: 'logpaid',
  rows: (a, at) => ({
    ledger: [
      ledger('incentive_events', at, {
        type: 'paid',
        incentiveId: int8(a.incentiveId),
        account: a.owner,
        ...token(a.rewardPaid),
      }),
    ],
  }),
}

export const incentives: TableProjection<Tables, 'incentives'> = {
  contract: 'amm',
  table: 'incentives',
  current: (at) => ({ table: 'incentives', key: { incentiveId: int8(at.primaryKey) } }),
  rows: (r, at) => ({
    state: [
      state('incentives', at, {
        incentiveId: int8(at.primaryKey),
        creator: r.creator ?? r.refundee,
        poolId: int8(r.poolId),
        ...token(r.reward),
        periodFinish: TimePoint.ofSeconds(r.periodFinish ?? r.endTime ?? 0),
        duration: r.rewardsDuration ?? (r.endTime ?? 0) - (r.startTime ?? 0),
        rewardRateE18: r.rewardRateE18,
        rewardPerTokenStored: r.rewardPerTokenStored,
        totalStakingWeight: r.totalStakingWeight,
        updated: r.lastUpdateTime === undefined ? null : TimePoint.ofSeconds(r.lastUpdateTime),
        stakes: r.numberOfStakes,
      }),
    ],
  }),
}

export const stakes: TableProjection<Tables, 'stakes'> = {
  contract: 'amm',
  table: 'stakes',
  current: (at) => ({
    table: 'stakes',
    // The older contract has all stakes in one scope, its own name. Their key has no incentive id.
    key: at.scope === at.code ? null : { incentiveId: int8(at.scopeRaw), positionId: int8(at.primaryKey) },
  }),
  rows: (r, at) => ({
    state: [
      state('stakes', at, {
        incentiveId: int8(r.incentiveId ?? at.scopeRaw),
        positionId: int8(r.posId),
        stakingWeight: r.stakingWeight ?? r.liquidity,
        rewards: r.rewards ?? r.reward,
        rewardPerTokenPaid: r.userRewardPerTokenPaid,
      }),
    ],
  }),
}
