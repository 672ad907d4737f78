// Pool creation and activation, and the operator's actions: protocol fees, switches.

import { MAX_SQRT_PRICE, MIN_SQRT_PRICE, maxLiquidityPerTick, tickAtSqrtPrice } from '../../../core/amm/ticks.ts'
import { type Asset, type ExtendedAsset, symbolCodeToU64 } from '../../../core/antelope/asset.ts'
import { nameToU64 } from '../../../core/antelope/name.ts'
import type { PoolRow } from '../../../core/contract-rows.ts'
import { log, nowSeconds, pay, requireAuthority } from '../actions.ts'
import type { AmmLayout } from './layout.ts'
import { sameToken, withAmount } from './rows.ts'
import { type AmmStore, poolScope } from './store.ts'

const TICK_SPACING = new Map([
  [500, 10],
  [3000, 60],
  [10000, 200],
])

export interface CreatePool {
  account: string
  tokenA: ExtendedAsset
  tokenB: ExtendedAsset
  sqrtPriceX64: bigint
  fee: number
}

export function createPool(store: AmmStore, { account, tokenA, tokenB, sqrtPriceX64, fee }: CreatePool): void {
  const { context } = store
  requireAuthority(context, account)
  checkOrder(store, tokenA, tokenB)
  const tickSpacing = TICK_SPACING.get(fee)
  store.check(tickSpacing !== undefined, 'Invalid fee')
  for (const pool of store.db.rows<PoolRow>('pools', store.self)) {
    const same = pool.fee === fee && sameToken(pool.tokenA, tokenA) && sameToken(pool.tokenB, tokenB)
    store.check(!same, 'Pool with this fee already exist')
  }
  store.check(sqrtPriceX64 >= MIN_SQRT_PRICE && sqrtPriceX64 < MAX_SQRT_PRICE, 'PriceOutOfBounds')
  const system = store.system()
  const id = system.poolIdCounter
  const now = nowSeconds(context)
  const tick = tickAtSqrtPrice(sqrtPriceX64)
  store.saveSystem({ ...system, poolIdCounter: id + 1n })
  store.savePool({
    id,
    active: system.activeFee.quantity.amount === 0n,
    tokenA,
    tokenB,
    fee,
    feeProtocol: 0,
    tickSpacing,
    maxLiquidityPerTick: maxLiquidityPerTick(tickSpacing),
    currSlot: { sqrtPriceX64, tick, lastObservationTimestamp: now, currentObservationNum: 1, maxObservationNum: 1 },
    feeGrowthGlobalAX64: 0n,
    feeGrowthGlobalBX64: 0n,
    protocolFeeA: withAmount(tokenA.quantity, 0n),
    protocolFeeB: withAmount(tokenB.quantity, 0n),
    liquidity: 0n,
  })
  const observation = { timestampInSec: now, tickCumulative: 0n, secondsPerLiquidityCumulativeX64: 0n }
  store.db.set('observations', poolScope(id), BigInt(now), observation)
  log(context, 'logpool', { poolId: id, tokenA, tokenB, fee, feeProtocol: 0, tickSpacing, sqrtPriceX64, tick })
}

/** Token A has the lower contract account; within one contract, the lower symbol code. */
function checkOrder(store: AmmStore, tokenA: ExtendedAsset, tokenB: ExtendedAsset): void {
  const contractA = nameToU64(tokenA.contract)
  const contractB = nameToU64(tokenB.contract)
  store.check(contractA <= contractB, 'Contracts must be sorted')
  const sorted = symbolCodeToU64(tokenA.quantity.symbol) < symbolCodeToU64(tokenB.quantity.symbol)
  store.check(contractA !== contractB || sorted, 'Symbols must be unique and sorted')
}

/** Pays a pool's activation fee to the fee account. */
export function activatePool(store: AmmStore, poolId: bigint, paid: ExtendedAsset, feeAccount: string): void {
  const { context } = store
  const { activeFee } = store.system()
  const pool = store.pool(poolId)
  store.check(!pool.active, 'poolId already active')
  const exact = sameToken(paid, activeFee) && paid.quantity.amount === activeFee.quantity.amount
  store.check(exact, 'Deposit must be the same active fee')
  store.savePool({ ...pool, active: true })
  pay(context, paid.contract, feeAccount, paid.quantity, `Active fee for poolId: ${poolId}`)
}

export function setFee(
  store: AmmStore,
  { poolId, feeProtocol }: { poolId: bigint; feeProtocol: number },
  layout: AmmLayout,
): void {
  requireAuthority(store.context, store.self)
  const pool = store.pool(poolId)
  const valid = layout === '2023-08' ? [0, 4, 10].includes(feeProtocol) : feeProtocol === 0 || feeProtocol >= 2
  store.check(valid, 'Invalid feeProtocol')
  store.check(feeProtocol !== pool.feeProtocol, 'update the same feeProtocol')
  store.savePool({ ...pool, feeProtocol })
  log(store.context, 'logsetfee', { poolId, feeProtocolOld: pool.feeProtocol, feeProtocolNew: feeProtocol })
}

export interface GetFees {
  poolId: bigint
  recipient: string
  tokenARequested: Asset
  tokenBRequested: Asset
}

/** Pays protocol fees: the requested amount, at most the balance. */
export function getFees(store: AmmStore, { poolId, recipient, tokenARequested, tokenBRequested }: GetFees): void {
  requireAuthority(store.context, store.self)
  const pool = store.pool(poolId)
  const a = smaller(tokenARequested.amount, pool.protocolFeeA.amount)
  const b = smaller(tokenBRequested.amount, pool.protocolFeeB.amount)
  const tokenA = withAmount(pool.protocolFeeA, a)
  const tokenB = withAmount(pool.protocolFeeB, b)
  store.savePool({
    ...pool,
    tokenA: { ...pool.tokenA, quantity: withAmount(tokenA, pool.tokenA.quantity.amount - a) },
    tokenB: { ...pool.tokenB, quantity: withAmount(tokenB, pool.tokenB.quantity.amount - b) },
    protocolFeeA: withAmount(tokenA, pool.protocolFeeA.amount - a),
    protocolFeeB: withAmount(tokenB, pool.protocolFeeB.amount - b),
  })
  const memo = (token: string) => `Protocol Fee ${token} Withdraw - Pool ID #${poolId}`
  if (a > 0n) pay(store.context, pool.tokenA.contract, recipient, tokenA, memo('TokenA'))
  if (b > 0n) pay(store.context, pool.tokenB.contract, recipient, tokenB, memo('TokenB'))
  log(store.context, 'loggetfee', { poolId, recipient, tokenA, tokenB })
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** Sets the operator's settings of the whole exchange. */
export function changeSystem(store: AmmStore, change: { active?: boolean; activeFee?: ExtendedAsset }): void {
  requireAuthority(store.context, store.self)
  store.saveSystem({ ...store.system(), ...change })
}

export function lockPool(store: AmmStore, { poolId, active }: { poolId: bigint; active: boolean }): void {
  requireAuthority(store.context, store.self)
  store.savePool({ ...store.pool(poolId), active })
}

export function banAccount(store: AmmStore, { acc, isBan }: { acc: string; isBan: boolean }): void {
  requireAuthority(store.context, store.self)
  if (isBan) store.db.set('banlist', store.self, nameToU64(acc), { account: acc })
  else store.db.erase('banlist', store.self, nameToU64(acc))
}

export function initialise(store: AmmStore, activeFee: ExtendedAsset): void {
  requireAuthority(store.context, store.self)
  store.check(!store.db.get('system', store.self, 0n), 'already initialised')
  store.saveSystem({ id: 0n, active: true, poolIdCounter: 0n, posIdCounter: 0n, activeFee })
}
