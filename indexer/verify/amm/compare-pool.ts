// Compares a pool recomputed from the ledger with the contract's rows, as far as the ledger determines them.
//
// A burn whose amounts both round to zero leaves no log: the position then has less liquidity than by the ledger. Such
// a lack is noted when it is worth at most NEGLIGIBLE; its consequences are expected values.
import { amountsForLiquidity } from '../../../core/amm/liquidity.ts'
import type { PositionState } from '../../../core/amm/position.ts'
import type { Findings } from '../report.ts'
import type { PoolModel } from './pool-model.ts'
import type { StoredPoolState, StoredTick } from './stored-pool.ts'

/** Limit of the value of a liquidity lack at the current price, raw units of each token. */
const NEGLIGIBLE = 1n

interface LiquidityState {
  pool: bigint
  /** Gross and net liquidity by tick. */
  ticks: Map<number, { gross: bigint; net: bigint }>
}

export function comparePool(model: PoolModel, stored: StoredPoolState, findings: Findings): void {
  const name = `state.pools ${model.id}`
  const { pool } = model
  findings.equal(`${name} reserve_a`, model.reserveA, stored.pool.reserveA)
  findings.equal(`${name} reserve_b`, model.reserveB, stored.pool.reserveB)
  findings.equal(`${name} sqrt_price_x64`, pool.sqrtPriceX64, stored.pool.sqrtPriceX64)
  findings.equal(`${name} tick`, pool.tick, stored.pool.tick)
  findings.equal(`${name} fee`, pool.fee, stored.pool.fee)
  findings.equal(`${name} fee_protocol`, pool.feeProtocol, stored.pool.feeProtocol)
  findings.equal(`${name} tick_spacing`, pool.tickSpacing, stored.pool.tickSpacing)
  const silent = comparePositions(model, stored, findings)
  if (model.broken) {
    const { globalSeq, reason } = model.broken
    const where = `pool ${model.id}, action ${globalSeq}: ${reason}`
    if (silent.length === 0) findings.differ(where, 'an event that follows from the ledger', 'one that does not')
    else findings.note(`${where}; burns that are not logged explain it; fee growth is not compared`)
  } else compareFees(model, stored, findings)
  compareLiquidity(model, silent, stored, findings)
}

/** @returns lacks of liquidity that burns without a log explain */
function comparePositions(model: PoolModel, stored: StoredPoolState, findings: Findings): PositionState[] {
  const silent: PositionState[] = []
  for (const position of model.positions.values()) {
    const row = stored.positions.get(position.id)
    const name = `state.positions ${model.id}/${position.id}`
    // The contract removes an empty position once its fees are collected.
    const lack = position.liquidity - (row?.liquidity ?? 0n)
    findings.compared()
    if (lack > 0n && isNegligible(model, { ...position, liquidity: lack })) {
      silent.push({ ...position, liquidity: lack })
      findings.note(
        `${name} has ${lack} less liquidity than the ledger gave it: a burn that rounds to nothing is not logged`,
      )
    } else if (lack !== 0n) findings.differ(`${name} liquidity`, position.liquidity, row?.liquidity ?? 'no row')
    if (!row) continue
    findings.equal(`${name} owner`, position.owner, row.owner)
    findings.equal(`${name} tick_lower`, position.tickLower, row.tickLower)
    findings.equal(`${name} tick_upper`, position.tickUpper, row.tickUpper)
  }
  for (const id of stored.positions.keys()) {
    if (!model.positions.has(id))
      findings.differ(`state.positions ${model.id}/${id}`, 'no row: the ledger never made it', 'a row')
  }
  return silent
}

function isNegligible(model: PoolModel, position: PositionState): boolean {
  const { a, b } = amountsForLiquidity(model.pool, position, position.liquidity, 'down')
  return a <= NEGLIGIBLE && b <= NEGLIGIBLE
}

function compareFees(model: PoolModel, stored: StoredPoolState, findings: Findings): void {
  const name = `state.pools ${model.id}`
  findings.equal(`${name} fee_growth_global_a_x64`, model.pool.feeGrowthGlobalAX64, stored.pool.feeGrowthGlobalAX64)
  findings.equal(`${name} fee_growth_global_b_x64`, model.pool.feeGrowthGlobalBX64, stored.pool.feeGrowthGlobalBX64)
  findings.equal(`${name} protocol_fee_a`, model.protocolFeeA, stored.pool.protocolFeeA)
  findings.equal(`${name} protocol_fee_b`, model.protocolFeeB, stored.pool.protocolFeeB)
  for (const tick of model.ticks.values()) {
    const row = stored.ticks.get(tick.id)
    if (!row) continue
    const what = `state.ticks ${model.id}/${tick.id}`
    findings.equal(`${what} fee_growth_outside_a_x64`, tick.feeGrowthOutsideAX64, row.feeGrowthOutsideAX64)
    findings.equal(`${what} fee_growth_outside_b_x64`, tick.feeGrowthOutsideBX64, row.feeGrowthOutsideBX64)
  }
  for (const position of model.positions.values()) {
    const row = stored.positions.get(position.id)
    if (row) compareOwed(model.id, position, row, findings)
  }
}

/** Compares fees only when both sides were last updated together: the contract also updates fees without a log. */
function compareOwed(poolId: bigint, position: PositionState, row: PositionState, findings: Findings): void {
  if (row.feeGrowthInsideALastX64 !== position.feeGrowthInsideALastX64) return
  if (row.feeGrowthInsideBLastX64 !== position.feeGrowthInsideBLastX64) return
  const name = `state.positions ${poolId}/${position.id}`
  for (const side of ['feesA', 'feesB'] as const) {
    findings.compared()
    // Each update of the contract rounds down.
    if (row[side] > position[side]) findings.differ(`${name} ${side}`, `at most ${position[side]}`, row[side])
  }
}

function compareLiquidity(
  model: PoolModel,
  silent: PositionState[],
  stored: StoredPoolState,
  findings: Findings,
): void {
  const expected = liquidityOf(model, silent)
  findings.equal(`state.pools ${model.id} liquidity`, expected.pool, stored.pool.liquidity)
  for (const [id, { gross, net }] of expected.ticks) {
    const row: StoredTick | undefined = stored.ticks.get(id)
    const name = `state.ticks ${model.id}/${id}`
    if (!row) {
      findings.differ(name, 'a row', 'none')
      continue
    }
    findings.equal(`${name} liquidity_gross`, gross, row.liquidityGross)
    findings.equal(`${name} liquidity_net`, net, row.liquidityNet)
  }
  for (const id of stored.ticks.keys()) {
    if (!expected.ticks.has(id)) findings.differ(`state.ticks ${model.id}/${id}`, 'no row', 'a row')
  }
}

/** Total liquidity of all positions, in the pool and its ticks. */
function liquidityOf(model: PoolModel, silent: PositionState[]): LiquidityState {
  const lacks = new Map(silent.map(({ id, liquidity }) => [id, liquidity]))
  const state: LiquidityState = { pool: 0n, ticks: new Map() }
  for (const { id, tickLower, tickUpper, liquidity } of model.positions.values()) {
    const left = liquidity - (lacks.get(id) ?? 0n)
    if (left === 0n) continue
    if (tickLower <= model.pool.tick && model.pool.tick < tickUpper) state.pool += left
    for (const [tick, net] of [[tickLower, left] as const, [tickUpper, -left] as const]) {
      const before = state.ticks.get(tick) ?? { gross: 0n, net: 0n }
      state.ticks.set(tick, { gross: before.gross + left, net: before.net + net })
    }
  }
  return state
}
