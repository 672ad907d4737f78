// Typed access to the AMM contract's tables during one action.
import { bitOf, compressTick, nextBoundary, wordOf } from '../../../core/amm/bitmap.ts'
import { type Observation, observe } from '../../../core/amm/observation.ts'
import type { PositionScene, PositionState } from '../../../core/amm/position.ts'
import type { TickIndex } from '../../../core/amm/tick-index.ts'
import type { TickState } from '../../../core/amm/tick-state.ts'
import { nameToString } from '../../../core/antelope/name.ts'
import type { PoolRow } from '../../../core/contract-rows.ts'
import type { ApplyContext, TableStore } from '../../chain/contract.ts'
import { nowSeconds } from '../actions.ts'
import { poolState, type SystemRow } from './rows.ts'

/** Scope of a pool's tables: its id encoded as a name. */
export function poolScope(poolId: bigint): string {
  return nameToString(poolId)
}

/** Primary key of a tick: its 32-bit two's complement. */
function tickKey(tick: number): bigint {
  return BigInt(tick >>> 0)
}

const wordKey = (word: number): bigint => BigInt(word & 0xffff)

export class AmmStore {
  readonly context: ApplyContext
  readonly db: TableStore
  readonly self: string

  constructor(context: ApplyContext) {
    this.context = context
    this.db = context.db
    this.self = context.receiver
  }

  /** Undoes the whole transaction with this message unless the condition holds. */
  check(condition: boolean, message: string): asserts condition {
    this.context.check(condition, message)
  }

  pool(id: bigint): PoolRow {
    const row = this.db.get<PoolRow>('pools', this.self, id)
    this.check(row !== undefined, 'poolId not found')
    return row
  }

  savePool(row: PoolRow): void {
    this.db.set('pools', this.self, row.id, row)
  }

  system(): SystemRow {
    const row = this.db.get<SystemRow>('system', this.self, 0n)
    this.check(row !== undefined, 'the contract is not initialised')
    return row
  }

  saveSystem(row: SystemRow): void {
    this.db.set('system', this.self, 0n, row)
  }

  /** A pool's ticks for the swap computation. */
  ticks(poolId: bigint): TickIndex {
    const scope = poolScope(poolId)
    return {
      next: (tick, spacing, down) =>
        nextBoundary(
          tick,
          spacing,
          down,
          (n) => this.db.get<{ bitmap: bigint }>('bitmaps', scope, wordKey(n))?.bitmap ?? 0n,
        ),
      net: (tick) => this.tick(poolId, tick)?.liquidityNet,
    }
  }

  tick(poolId: bigint, id: number): TickState | undefined {
    return this.db.get<TickState>('ticks', poolScope(poolId), tickKey(id))
  }

  saveTick(poolId: bigint, tick: TickState): void {
    this.db.set('ticks', poolScope(poolId), tickKey(tick.id), tick)
  }

  /** Stores a tick after a change of liquidity, and its bit. */
  changeTick(pool: PoolRow, id: number, before: TickState | null, after: TickState | null): void {
    if (after) this.saveTick(pool.id, after)
    else this.db.erase('ticks', poolScope(pool.id), tickKey(id))
    if ((before === null) !== (after === null)) this.flipBit(pool, id)
  }

  private flipBit(pool: PoolRow, id: number): void {
    const compressed = compressTick(id, pool.tickSpacing)
    const pos = wordOf(compressed)
    const scope = poolScope(pool.id)
    const before = this.db.get<{ bitmap: bigint }>('bitmaps', scope, wordKey(pos))?.bitmap ?? 0n
    const bitmap = before ^ bitOf(compressed)
    if (bitmap === 0n) this.db.erase('bitmaps', scope, wordKey(pos))
    else this.db.set('bitmaps', scope, wordKey(pos), { pos, bitmap })
  }

  position(poolId: bigint, owner: string, tickLower: number, tickUpper: number): PositionState | undefined {
    for (const row of this.db.rows<PositionState>('positions', poolScope(poolId))) {
      if (row.owner === owner && row.tickLower === tickLower && row.tickUpper === tickUpper) return row
    }
    return undefined
  }

  savePosition(poolId: bigint, position: PositionState): void {
    this.db.set('positions', poolScope(poolId), position.id, position)
  }

  erasePosition(poolId: bigint, position: PositionState): void {
    this.db.erase('positions', poolScope(poolId), position.id)
  }

  /** All inputs of a change of a position. */
  scene(pool: PoolRow, position: PositionState): PositionScene {
    return {
      pool: poolState(pool),
      lower: this.tick(pool.id, position.tickLower) ?? null,
      upper: this.tick(pool.id, position.tickUpper) ?? null,
      position,
    }
  }

  /** The oracle's accumulator as of this block. */
  observed(pool: PoolRow): Observation {
    return observe(this.lastObservation(pool), nowSeconds(this.context), pool.currSlot.tick, pool.liquidity)
  }

  /** Stores the accumulator; must be called before the tick or the liquidity changes. One row per pool. */
  writeObservation(pool: PoolRow): void {
    const last = this.lastObservation(pool)
    const seen = this.observed(pool)
    if (seen === last) return
    this.db.erase('observations', poolScope(pool.id), BigInt(last.timestampInSec))
    this.db.set('observations', poolScope(pool.id), BigInt(seen.timestampInSec), seen)
  }

  private lastObservation(pool: PoolRow): Observation {
    const [row] = this.db.rows<Observation>('observations', poolScope(pool.id))
    if (row) return row
    return { timestampInSec: nowSeconds(this.context), tickCumulative: 0n, secondsPerLiquidityCumulativeX64: 0n }
  }
}
