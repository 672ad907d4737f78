// Liquidity providers' actions: add, remove, collect; transfer and lock positions.

import type { Amounts } from '../../../core/amm/liquidity.ts'
import {
  accrue,
  burn,
  collect,
  emptyPosition,
  mint,
  type PositionScene,
  type PositionState,
} from '../../../core/amm/position.ts'
import { hasGrowthFallen } from '../../../core/amm/tick-state.ts'
import type { Asset } from '../../../core/antelope/asset.ts'
import type { PoolRow } from '../../../core/contract-rows.ts'
import { log, nowSeconds, pay, requireAuthority } from '../actions.ts'
import { spend } from './balances.ts'
import type { AmmLayout } from './layout.ts'
import { plus, withAmount } from './rows.ts'
import type { AmmStore } from './store.ts'

interface RangeData {
  poolId: bigint
  owner: string
  tickLower: number
  tickUpper: number
}

export interface AddLiquidity extends RangeData {
  tokenADesired: Asset
  tokenBDesired: Asset
  tokenAMin: Asset
  tokenBMin: Asset
  deadline: number
}

export interface SubLiquidity extends RangeData {
  liquidity: bigint
  tokenAMin: Asset
  tokenBMin: Asset
  deadline: number
}

export interface Collect extends RangeData {
  recipient: string
  tokenAMax: Asset
  tokenBMax: Asset
}

export function addLiquidity(store: AmmStore, data: AddLiquidity, layout: AmmLayout): void {
  const { context } = store
  requireAuthority(context, data.owner)
  requireInTime(store, data.deadline)
  const pool = store.pool(data.poolId)
  store.check(pool.active, 'poolId is not active yet')
  const known = store.position(pool.id, data.owner, data.tickLower, data.tickUpper)
  const system = store.system()
  const position = known ?? emptyPosition(system.posIdCounter, data.owner, data.tickLower, data.tickUpper)
  const before = store.scene(pool, position)
  const desired = { a: data.tokenADesired.amount, b: data.tokenBDesired.amount }
  const { liquidity, amounts, scene } = mint(before, desired, store.observed(pool))
  if (layout === '2023-08') requireGrowth(store, scene, position)
  requireMinimum(store, amounts, data)
  if (!known) store.saveSystem({ ...system, posIdCounter: system.posIdCounter + 1n })
  const after = save(store, pool, before, scene, amounts)
  spend(store, data.owner, { ...pool.tokenA, quantity: withAmount(pool.tokenA.quantity, amounts.a) })
  spend(store, data.owner, { ...pool.tokenB, quantity: withAmount(pool.tokenB.quantity, amounts.b) })
  logPosition(store, 'logmint', after, position, { liquidity }, amounts, layout)
}

export function subLiquidity(store: AmmStore, data: SubLiquidity, layout: AmmLayout): void {
  requireAuthority(store.context, data.owner)
  requireInTime(store, data.deadline)
  const pool = store.pool(data.poolId)
  const position = find(store, data)
  requireUnlocked(store, position)
  const before = store.scene(pool, position)
  const { amounts, scene } = burn(before, data.liquidity, store.observed(pool))
  requireMinimum(store, amounts, data)
  const after = save(store, pool, before, scene, { a: -amounts.a, b: -amounts.b })
  const memo = (token: string) => `Decrease liquidity for ${token} - Pool ID #${pool.id} - Position ID #${position.id}`
  payBoth(store, pool, data.owner, amounts, memo)
  if (amounts.a === 0n && amounts.b === 0n) return
  logPosition(store, 'logburn', after, position, { liquidity: data.liquidity }, amounts, layout)
}

export function collectFees(store: AmmStore, data: Collect, layout: AmmLayout): void {
  requireAuthority(store.context, data.owner)
  const pool = store.pool(data.poolId)
  const position = find(store, data)
  const max = { a: data.tokenAMax.amount, b: data.tokenBMax.amount }
  const { amounts, position: left } = collect(store.scene(pool, position), max)
  if (left) store.savePosition(pool.id, left)
  else {
    store.erasePosition(pool.id, position)
    store.db.erase('locks', store.self, position.id)
  }
  const after = move(pool, { a: -amounts.a, b: -amounts.b })
  if (after !== pool) store.savePool(after)
  const memo = (token: string) => `Collected Fee for ${token} - Pool ID #${pool.id} - Position ID #${position.id}`
  payBoth(store, pool, data.recipient, amounts, memo)
  const { liquidity } = position
  logPosition(store, 'logcollect', after, position, { recipient: data.recipient, liquidity }, amounts, layout)
}

/** Transfers a position; merges it into the receiver's position of the same range, if any. */
export function transferPosition(store: AmmStore, data: RangeData & { to: string; memo: string }): void {
  requireAuthority(store.context, data.owner)
  const pool = store.pool(data.poolId)
  const from = find(store, data)
  requireUnlocked(store, from)
  store.check(from.liquidity > 0n, 'Insufficient liquidity')
  store.check(data.to !== data.owner, 'cannot transfer to self')
  const moved = accrue(store.scene(pool, from))
  const other = store.position(pool.id, data.to, data.tickLower, data.tickUpper)
  const kept = other ? accrue(store.scene(pool, other)) : { ...moved, owner: data.to }
  const to = other ? merge(kept, moved) : kept
  if (other) store.erasePosition(pool.id, from)
  store.savePosition(pool.id, to)
  log(store.context, 'logtransfer', {
    poolId: pool.id,
    fromPosId: from.id,
    from: data.owner,
    tickLower: data.tickLower,
    tickUpper: data.tickUpper,
    fromLiquidity: from.liquidity,
    toPosId: to.id,
    to: data.to,
    toLiquidity: to.liquidity,
    isMergePos: other !== undefined,
  })
}

/** Locks a position's liquidity until a time; a lock can only be extended. */
export function lockPosition(store: AmmStore, data: RangeData & { unlockTime: number }): void {
  requireAuthority(store.context, data.owner)
  const position = find(store, data)
  const lock = store.db.get<{ unlockTime: number }>('locks', store.self, position.id)
  const earliest = Math.max(lock?.unlockTime ?? 0, nowSeconds(store.context))
  store.check(data.unlockTime > earliest, 'unlockTime must be later')
  store.db.set('locks', store.self, position.id, { pos_id: position.id, unlockTime: data.unlockTime })
  const { poolId, owner, unlockTime } = data
  log(store.context, 'loglock', { poolId, posId: position.id, owner, unlockTime })
}

function merge(kept: PositionState, moved: PositionState): PositionState {
  return {
    ...kept,
    liquidity: kept.liquidity + moved.liquidity,
    feesA: kept.feesA + moved.feesA,
    feesB: kept.feesB + moved.feesB,
  }
}

function find(store: AmmStore, { poolId, owner, tickLower, tickUpper }: RangeData): PositionState {
  const position = store.position(poolId, owner, tickLower, tickUpper)
  store.check(position !== undefined, 'PositionNotFound')
  return position
}

function requireInTime(store: AmmStore, deadline: number): void {
  store.check(deadline === 0 || deadline >= nowSeconds(store.context), 'Expired')
}

function requireMinimum(store: AmmStore, amounts: Amounts, min: { tokenAMin: Asset; tokenBMin: Asset }): void {
  const enough = amounts.a >= min.tokenAMin.amount && amounts.b >= min.tokenBMin.amount
  store.check(enough, 'Price slippage check')
}

/** The build of August 2023 subtracts fee growth with unsigned integers that do not wrap around. */
function requireGrowth(store: AmmStore, { pool, lower, upper }: PositionScene, position: PositionState): void {
  if (lower === null || upper === null) return
  const global = { a: pool.feeGrowthGlobalAX64, b: pool.feeGrowthGlobalBX64 }
  const last = { a: position.feeGrowthInsideALastX64, b: position.feeGrowthInsideBLastX64 }
  store.check(!hasGrowthFallen(lower, upper, pool.tick, global, last), 'UnderflowException, (a)-(b)')
}

function requireUnlocked(store: AmmStore, position: PositionState): void {
  const lock = store.db.get<{ unlockTime: number }>('locks', store.self, position.id)
  store.check(!lock || lock.unlockTime <= nowSeconds(store.context), 'Position is locked')
}

/** Stores the result of a change of liquidity. */
function save(store: AmmStore, pool: PoolRow, before: PositionScene, after: PositionScene, paid: Amounts): PoolRow {
  const { tickLower, tickUpper } = after.position
  if (after.position !== before.position) store.savePosition(pool.id, after.position)
  if (after.position.liquidity === before.position.liquidity) return pool
  if (after.pool.liquidity !== pool.liquidity) store.writeObservation(pool)
  store.changeTick(pool, tickLower, before.lower, after.lower)
  store.changeTick(pool, tickUpper, before.upper, after.upper)
  const row = { ...move(pool, paid), liquidity: after.pool.liquidity }
  store.savePool(row)
  return row
}

function move(pool: PoolRow, { a, b }: Amounts): PoolRow {
  return a === 0n && b === 0n ? pool : { ...pool, tokenA: plus(pool.tokenA, a), tokenB: plus(pool.tokenB, b) }
}

function payBoth(store: AmmStore, pool: PoolRow, to: string, { a, b }: Amounts, memo: (token: string) => string): void {
  const { tokenA, tokenB } = pool
  if (a > 0n) pay(store.context, tokenA.contract, to, withAmount(tokenA.quantity, a), memo('TokenA'))
  if (b > 0n) pay(store.context, tokenB.contract, to, withAmount(tokenB.quantity, b), memo('TokenB'))
}

function logPosition(
  store: AmmStore,
  name: string,
  pool: PoolRow,
  position: PositionState,
  members: { recipient?: string; liquidity: bigint },
  amounts: Amounts,
  layout: AmmLayout,
): void {
  const { recipient, liquidity } = members
  const { tickLower, tickUpper } = position
  log(store.context, name, {
    poolId: pool.id,
    posId: position.id,
    owner: position.owner,
    ...(recipient === undefined ? {} : { recipient }),
    tickLower,
    tickUpper,
    liquidity,
    tokenA: withAmount(pool.tokenA.quantity, amounts.a),
    tokenB: withAmount(pool.tokenB.quantity, amounts.b),
    reserveA: pool.tokenA.quantity,
    reserveB: pool.tokenB.quantity,
    ...(layout === '2023-08' ? {} : { sqrtPriceX64: pool.currSlot.sqrtPriceX64, tick: pool.currSlot.tick }),
  })
}
