// Liquidity traffic: positions opened, reduced, collected, transferred, locked; protocol fees changed.
import type { PositionState } from '../../../core/amm/position.ts'
import type { PoolRow } from '../../../core/contract-rows.ts'
import type { ActionCall } from '../../chain/contract.ts'
import { call } from '../actions.ts'
import { poolScope } from '../amm/store.ts'
import { AMM, addLiquidity } from '../exchange.ts'
import type { View } from './view.ts'

export function mintPosition(view: View): ActionCall[] | null {
  const pool = view.pick(view.pools())
  const a = view.token(pool.tokenA.contract, pool.tokenA.quantity.symbol)
  const b = view.token(pool.tokenB.contract, pool.tokenB.quantity.symbol)
  if (!a || !b) return null
  const owner = view.user()
  const value = view.between(20, 400)
  const first = view.affordable(owner, a, value)
  const second = view.affordable(owner, b, value)
  if (!first || !second || first.amount < 10n || second.amount < 10n) return null
  const spacing = pool.tickSpacing
  const middle = Math.round(pool.currSlot.tick / spacing) * spacing
  const reach = () => Math.max(2, Math.round(view.between(1200, 9000) / spacing)) * spacing
  const range = { poolId: pool.id, owner, tickLower: middle - reach(), tickUpper: middle + reach() }
  return addLiquidity(range, [a, b], [first, second])
}

export function burnPosition(view: View): ActionCall[] | null {
  const found = anyPosition(view)
  if (!found || found.position.liquidity < 1000n) return null
  const { pool, position, range } = found
  const share = view.random() < 0.3 ? 100n : BigInt(10 + Math.floor(view.random() * 60))
  const { tokenAMin, tokenBMin, ...zero } = zeros(pool)
  const liquidity = (position.liquidity * share) / 100n
  const burn = call(AMM, 'subliquid', position.owner, { ...range, liquidity, tokenAMin, tokenBMin, deadline: 0 })
  return [burn, call(AMM, 'collect', position.owner, { ...range, recipient: position.owner, ...zero })]
}

export function collectFees(view: View): ActionCall[] | null {
  const found = anyPosition(view)
  if (!found) return null
  const { pool, position, range } = found
  const { tokenAMax, tokenBMax } = zeros(pool)
  return [call(AMM, 'collect', position.owner, { ...range, recipient: position.owner, tokenAMax, tokenBMax })]
}

/** Transfers or locks a position. */
export function movePosition(view: View): ActionCall[] | null {
  const found = anyPosition(view)
  if (!found || found.position.liquidity === 0n) return null
  const { position, range } = found
  if (view.random() < 0.3) {
    const unlockTime = Math.floor(view.now / 1000) + 86_400
    if (isLocked(view, position.id)) return null
    return [call(AMM, 'lockpos', position.owner, { ...range, unlockTime })]
  }
  const to = view.user()
  return to === position.owner ? null : [call(AMM, 'transferpos', position.owner, { ...range, to, memo: '' })]
}

export function changeProtocolFee(view: View): ActionCall[] | null {
  const pool = view.pick(view.pools())
  const feeProtocol = view.pick([0, 4, 10])
  return feeProtocol === pool.feeProtocol ? null : [call(AMM, 'setfee', AMM, { poolId: pool.id, feeProtocol })]
}

/** A position of a user that is neither a first provider's nor locked. */
function anyPosition(view: View) {
  const pool = view.pick(view.pools())
  const all = view.tables(AMM).rows<PositionState>('positions', poolScope(pool.id))
  const free = all.filter((row) => row.owner !== 'trent.lp' && !isLocked(view, row.id))
  if (free.length === 0) return null
  const position = view.pick(free)
  const { owner, tickLower, tickUpper } = position
  return { pool, position, range: { poolId: pool.id, owner, tickLower, tickUpper } }
}

function isLocked(view: View, positionId: bigint): boolean {
  return view.tables(AMM).get('locks', AMM, positionId) !== undefined
}

function zeros(pool: PoolRow) {
  const a = { ...pool.tokenA.quantity, amount: 0n }
  const b = { ...pool.tokenB.quantity, amount: 0n }
  return { tokenAMin: a, tokenBMin: b, tokenAMax: a, tokenBMax: b }
}
