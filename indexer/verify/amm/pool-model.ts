// A pool recomputed from the ledger's events by the contract's exact arithmetic. At the first event that does not fit,
// such as after a burn without a log, it stops to compute the inner state; amounts, price and the positions' liquidity
// remain known to the end.

import { amountsForLiquidity } from '../../../core/amm/liquidity.ts'
import type { Observation } from '../../../core/amm/observation.ts'
import {
  accrue,
  changeLiquidity,
  emptyPosition,
  type PositionPool,
  type PositionScene,
  type PositionState,
} from '../../../core/amm/position.ts'
import { Q64 } from '../../../core/amm/q64.ts'
import { AmmRefusal } from '../../../core/amm/refusal.ts'
import { type SwapDone, swap } from '../../../core/amm/swap.ts'
import { TickList } from '../../../core/amm/tick-index.ts'
import { crossTick, type TickState } from '../../../core/amm/tick-state.ts'
import { required } from '../../../core/required.ts'
import type { PoolEvent } from './pool-events.ts'

/** The oracle's accumulators are not in the ledger, so values that depend on them are not compared. */
const UNSEEN: Observation = { timestampInSec: 0, tickCumulative: 0n, secondsPerLiquidityCumulativeX64: 0n }

/** The reason why an event does not follow from the earlier ones. */
class Unexplained extends Error {}

export class PoolModel {
  readonly id: bigint
  pool: PositionPool
  reserveA = 0n
  reserveB = 0n
  protocolFeeA = 0n
  protocolFeeB = 0n
  readonly ticks = new Map<number, TickState>()
  readonly positions = new Map<bigint, PositionState>()
  /** First event that did not fit. After it, only `pool`'s price, the sums and the positions' liquidity are valid. */
  broken: { globalSeq: bigint; reason: string } | null = null
  private readonly index = TickList.from([])

  constructor(created: PoolEvent) {
    const { poolId, fee, feeProtocol, tickSpacing, sqrtPriceX64, tick } = created
    this.id = poolId
    const start = { sqrtPriceX64, tick, liquidity: 0n, feeGrowthGlobalAX64: 0n, feeGrowthGlobalBX64: 0n }
    // The contract already checked the liquidity limit.
    this.pool = { fee, feeProtocol, tickSpacing, ...start, maxLiquidityPerTick: Q64 }
  }

  apply(event: PoolEvent): void {
    if (!this.broken) {
      try {
        this.follow(event)
      } catch (error) {
        if (!(error instanceof Unexplained || error instanceof AmmRefusal)) throw error
        this.broken = { globalSeq: event.globalSeq, reason: error.message }
        this.adopt(event)
      }
    } else this.adopt(event)
    this.count(event)
  }

  /** Replays an event. Throws before any change. */
  private follow(event: PoolEvent): void {
    if (event.type === 'swap') this.swap(event)
    else if (event.type === 'mint') this.change(event, event.liquidity)
    else if (event.type === 'burn') this.change(event, -event.liquidity)
    else if (event.type === 'collect') this.collect(event)
    else this.adopt(event)
  }

  /** Applies the values that an event contains, without computing others. */
  private adopt(event: PoolEvent): void {
    const { type, sqrtPriceX64, tick, liquidity } = event
    if (type === 'swap') this.pool = { ...this.pool, sqrtPriceX64, tick, liquidity }
    else if (type === 'fee set') this.pool = { ...this.pool, feeProtocol: event.feeProtocol }
    else if (type === 'transfer') this.transfer(event)
    else if (type === 'mint' || type === 'burn') {
      const position = this.position(event)
      const change = type === 'mint' ? liquidity : -liquidity
      this.positions.set(position.id, { ...position, liquidity: position.liquidity + change })
    }
  }

  private count({ type, amountA, amountB }: PoolEvent): void {
    if (type === 'swap' || type === 'mint') this.addReserves(amountA, amountB)
    else if (type === 'burn' || type === 'collect' || type === 'fee withdrawn') this.addReserves(-amountA, -amountB)
    if (type === 'fee withdrawn') {
      this.protocolFeeA -= amountA
      this.protocolFeeB -= amountB
    }
  }

  private addReserves(a: bigint, b: bigint): void {
    this.reserveA += a
    this.reserveB += b
  }

  private swap(event: PoolEvent): void {
    const aForB = event.amountA > 0n
    const [amountIn, amountOut] = aForB ? [event.amountA, -event.amountB] : [event.amountB, -event.amountA]
    const done =
      this.attempt(event, aForB, 'in', amountIn, amountOut) ?? this.attempt(event, aForB, 'out', amountIn, amountOut)
    if (!done) throw new Unexplained('the swap comes to another result than its log')
    const side = aForB ? 'feeGrowthGlobalAX64' : 'feeGrowthGlobalBX64'
    for (const { tick, feeGrowthGlobalX64 } of done.crossings) {
      const global = {
        a: this.pool.feeGrowthGlobalAX64,
        b: this.pool.feeGrowthGlobalBX64,
        [aForB ? 'a' : 'b']: feeGrowthGlobalX64,
      }
      this.ticks.set(tick, crossTick(required(this.ticks.get(tick), `tick ${tick}`), global, UNSEEN))
    }
    const { sqrtPriceX64, tick, liquidity, feeGrowthGlobalX64, protocolFee } = done
    this.pool = { ...this.pool, sqrtPriceX64, tick, liquidity, [side]: feeGrowthGlobalX64 }
    if (aForB) this.protocolFeeA += protocolFee
    else this.protocolFeeB += protocolFee
  }

  /** Tries a swap with either amount as the exact one, because the log does not have that. */
  private attempt(
    event: PoolEvent,
    aForB: boolean,
    exact: 'in' | 'out',
    amountIn: bigint,
    amountOut: bigint,
  ): SwapDone | null {
    const amount = exact === 'in' ? amountIn : amountOut
    if (amount <= 0n) return null
    const done = swap(this.pool, this.index, { aForB, exact, amount })
    if (!done.ok || done.amountIn !== amountIn || done.amountOut !== amountOut) return null
    const { sqrtPriceX64, tick, liquidity } = event
    return done.sqrtPriceX64 === sqrtPriceX64 && done.tick === tick && done.liquidity === liquidity ? done : null
  }

  private change(event: PoolEvent, delta: bigint): void {
    const position = this.position(event)
    if (position.liquidity + delta < 0n) throw new Unexplained('more liquidity is removed than was added')
    const size = delta < 0n ? -delta : delta
    const { a, b } = amountsForLiquidity(this.pool, position, size, delta > 0n ? 'up' : 'down')
    if (a !== event.amountA || b !== event.amountB)
      throw new Unexplained(`the liquidity is worth ${a} and ${b}, not what is logged`)
    const after = changeLiquidity(this.scene(position), delta, UNSEEN)
    this.pool = after.pool
    this.setTick(position.tickLower, after.lower)
    this.setTick(position.tickUpper, after.upper)
    this.positions.set(position.id, after.position)
  }

  private collect(event: PoolEvent): void {
    const position = accrue(this.scene(this.position(event)))
    const feesA = position.feesA - event.amountA
    const feesB = position.feesB - event.amountB
    if (feesA < 0n || feesB < 0n) throw new Unexplained('more fees are collected than were earned')
    this.positions.set(position.id, { ...position, feesA, feesB })
  }

  /** Moves the whole position to another one, which may be new. */
  private transfer(event: PoolEvent): void {
    const { positionId, toPositionId, recipient, tickLower, tickUpper, toLiquidity } = event
    const to = this.positions.get(toPositionId) ?? emptyPosition(toPositionId, recipient, tickLower, tickUpper)
    this.positions.delete(positionId)
    this.positions.set(toPositionId, { ...to, owner: recipient, liquidity: toLiquidity })
  }

  private position({ positionId, owner, tickLower, tickUpper }: PoolEvent): PositionState {
    return this.positions.get(positionId) ?? emptyPosition(positionId, owner, tickLower, tickUpper)
  }

  private scene(position: PositionState): PositionScene {
    const lower = this.ticks.get(position.tickLower) ?? null
    const upper = this.ticks.get(position.tickUpper) ?? null
    return { pool: this.pool, lower, upper, position }
  }

  private setTick(id: number, tick: TickState | null): void {
    if (tick) {
      this.ticks.set(id, tick)
      this.index.set(id, tick.liquidityNet)
    } else {
      this.ticks.delete(id)
      this.index.delete(id)
    }
  }
}
