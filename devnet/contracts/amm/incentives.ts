// Farms of the newer build: rewards over time, shared by staking weight. A staked position stays with its owner.

import { amountsForLiquidity } from '../../../core/amm/liquidity.ts'
import type { PositionState } from '../../../core/amm/position.ts'
import type { ExtendedAsset } from '../../../core/antelope/asset.ts'
import { asUnixSeconds } from '../../../core/antelope/time.ts'
import type { Actions } from '../../../core/contracts/amm-newest.ts'
import { log, nowSeconds, pay, requireAuthority } from '../actions.ts'
import { type IncentiveRow, plus, poolState, type StakeRow, sameToken, withAmount } from './rows.ts'
import { type AmmStore, poolScope } from './store.ts'

type StakeData = Pick<Actions['stake'], 'incentiveId' | 'posId'>

const E18 = 10n ** 18n

export function newIncentive(
  store: AmmStore,
  { creator, poolId, rewardToken, duration }: Actions['newincentive'],
): void {
  requireAuthority(store.context, creator)
  store.pool(poolId)
  store.check(duration > 0, 'duration must be positive')
  let id = 0n
  for (const row of store.db.rows<IncentiveRow>('incentives', store.self)) id = row.id + 1n
  save(store, {
    id,
    creator,
    poolId,
    reward: { ...rewardToken, quantity: withAmount(rewardToken.quantity, 0n) },
    periodFinish: asUnixSeconds(0),
    rewardsDuration: duration,
    rewardRateE18: 0n,
    rewardPerTokenStored: 0n,
    totalStakingWeight: 0n,
    lastUpdateTime: nowSeconds(store.context),
    numberOfStakes: 0,
  })
  log(store.context, 'lognewincent', { incentiveId: id, creator, poolId, rewardToken, duration })
}

/** Adds a payment to a farm; spreads the rest of the running period over the new one. */
export function addReward(store: AmmStore, id: bigint, reward: ExtendedAsset): void {
  const row = updated(store, find(store, id))
  store.check(sameToken(row.reward, reward), 'Invalid reward token')
  const now = nowSeconds(store.context)
  const left = row.periodFinish > now ? BigInt(row.periodFinish - now) * row.rewardRateE18 : 0n
  save(store, {
    ...row,
    reward: plus(row.reward, reward.quantity.amount),
    rewardRateE18: (reward.quantity.amount * E18 + left) / BigInt(row.rewardsDuration),
    periodFinish: asUnixSeconds(now + row.rewardsDuration),
    lastUpdateTime: now,
  })
  log(store.context, 'logaddreward', { incentiveId: id, reward })
}

export function stake(store: AmmStore, { incentiveId, posId }: StakeData): void {
  const incentive = updated(store, find(store, incentiveId))
  const position = positionOf(store, incentive, posId)
  requireAuthority(store.context, position.owner)
  store.check(!stakeRow(store, incentiveId, posId), 'already staked')
  const stakingWeight = weightOf(store, incentive, position)
  store.check(stakingWeight > 0n, 'Insufficient liquidity')
  saveStake(store, incentiveId, {
    posId,
    stakingWeight,
    rewards: 0n,
    userRewardPerTokenPaid: incentive.rewardPerTokenStored,
  })
  save(store, {
    ...incentive,
    totalStakingWeight: incentive.totalStakingWeight + stakingWeight,
    numberOfStakes: incentive.numberOfStakes + 1,
  })
  changeStakingPos(store, posId, (ids) => [...ids, incentiveId])
  log(store.context, 'logstaked', { incentiveId, owner: position.owner, posId, stakingWeight })
}

export function unstake(store: AmmStore, { incentiveId, posId }: StakeData): void {
  const incentive = payReward(store, { incentiveId, posId })
  const row = stakeRow(store, incentiveId, posId) as StakeRow
  const { owner } = positionOf(store, incentive, posId)
  store.db.erase('stakes', poolScope(incentiveId), posId)
  save(store, {
    ...incentive,
    totalStakingWeight: incentive.totalStakingWeight - row.stakingWeight,
    numberOfStakes: incentive.numberOfStakes - 1,
  })
  changeStakingPos(store, posId, (ids) => ids.filter((id) => id !== incentiveId))
  log(store.context, 'logunstaked', { incentiveId, owner, posId, stakingWeight: row.stakingWeight })
}

/** Pays what a stake has earned; returns the updated farm. */
export function payReward(store: AmmStore, { incentiveId, posId }: StakeData): IncentiveRow {
  const incentive = updated(store, find(store, incentiveId))
  const { owner } = positionOf(store, incentive, posId)
  requireAuthority(store.context, owner)
  const row = stakeRow(store, incentiveId, posId)
  store.check(row !== undefined, 'stake not found')
  const perToken = incentive.rewardPerTokenStored
  const earned = row.rewards + (row.stakingWeight * (perToken - row.userRewardPerTokenPaid)) / E18
  const held = incentive.reward.quantity.amount
  const paid = earned < held ? earned : held
  const after = { ...incentive, reward: plus(incentive.reward, -paid) }
  save(store, after)
  saveStake(store, incentiveId, { ...row, rewards: 0n, userRewardPerTokenPaid: perToken })
  if (paid > 0n) {
    const rewardPaid = { ...incentive.reward, quantity: withAmount(incentive.reward.quantity, paid) }
    pay(store.context, rewardPaid.contract, owner, rewardPaid.quantity, `Reward - Incentive ID #${incentiveId}`)
    log(store.context, 'logpaid', { incentiveId, owner, rewardPaid })
  }
  return after
}

/** The farm with its accumulator as of now. */
function updated(store: AmmStore, row: IncentiveRow): IncentiveRow {
  const until = asUnixSeconds(Math.min(nowSeconds(store.context), row.periodFinish))
  if (until <= row.lastUpdateTime) return row
  const earned = BigInt(until - row.lastUpdateTime) * row.rewardRateE18
  const perToken = row.totalStakingWeight > 0n ? earned / row.totalStakingWeight : 0n
  return { ...row, rewardPerTokenStored: row.rewardPerTokenStored + perToken, lastUpdateTime: until }
}

/** Integer square root of the product of both amounts at the current price. */
function weightOf(store: AmmStore, { poolId }: IncentiveRow, position: PositionState): bigint {
  const { a, b } = amountsForLiquidity(poolState(store.pool(poolId)), position, position.liquidity, 'down')
  return squareRoot(a * b)
}

function squareRoot(value: bigint): bigint {
  if (value < 2n) return value
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

function find(store: AmmStore, id: bigint): IncentiveRow {
  const row = store.db.get<IncentiveRow>('incentives', store.self, id)
  store.check(row !== undefined, 'incentive not found')
  return row
}

function positionOf(store: AmmStore, { poolId }: IncentiveRow, posId: bigint): PositionState {
  const row = store.db.get<PositionState>('positions', poolScope(poolId), posId)
  store.check(row !== undefined, 'PositionNotFound')
  return row
}

function stakeRow(store: AmmStore, incentiveId: bigint, posId: bigint): StakeRow | undefined {
  return store.db.get<StakeRow>('stakes', poolScope(incentiveId), posId)
}

function saveStake(store: AmmStore, incentiveId: bigint, row: StakeRow): void {
  store.db.set('stakes', poolScope(incentiveId), row.posId, row)
}

function save(store: AmmStore, row: IncentiveRow): void {
  store.db.set('incentives', store.self, row.id, row)
}

function changeStakingPos(store: AmmStore, posId: bigint, change: (ids: bigint[]) => bigint[]): void {
  const before = store.db.get<{ incentiveIds: bigint[] }>('stakingpos', store.self, posId)?.incentiveIds ?? []
  const incentiveIds = change(before)
  if (incentiveIds.length > 0) store.db.set('stakingpos', store.self, posId, { posId, incentiveIds })
  else store.db.erase('stakingpos', store.self, posId)
}
