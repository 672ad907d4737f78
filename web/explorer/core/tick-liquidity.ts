// Liquidity of a pool by price, from its open positions. Pure.

/** Factor of the price from one tick to the next. */
const TICK_BASE = 1.0001

export interface Range {
  tickLower: number
  tickUpper: number
  /** Whole number as text. */
  liquidity: string
}

export interface LiquidityStep {
  tickLower: number
  tickUpper: number
  liquidity: bigint
}

/** Price of A in B at a tick, in whole tokens. */
export function priceAtTick(tick: number, decimalsA: number, decimalsB: number): number {
  return TICK_BASE ** tick * 10 ** (decimalsA - decimalsB)
}

/** Liquidity between neighbouring ends of positions, ascending. Exact: the sum of the positions that cover a step. */
export function liquiditySteps(positions: readonly Range[]): LiquidityStep[] {
  const changes = new Map<number, bigint>()
  const add = (tick: number, by: bigint) => changes.set(tick, (changes.get(tick) ?? 0n) + by)
  for (const { tickLower, tickUpper, liquidity } of positions) {
    add(tickLower, BigInt(liquidity))
    add(tickUpper, -BigInt(liquidity))
  }
  const ticks = [...changes.keys()].sort((one, other) => one - other)
  let liquidity = 0n
  return ticks.slice(0, -1).flatMap((tick, i) => {
    liquidity += changes.get(tick) ?? 0n
    return liquidity === 0n ? [] : [{ tickLower: tick, tickUpper: ticks[i + 1] as number, liquidity }]
  })
}

export interface Bar {
  tickLower: number
  tickUpper: number
  /** Share of the highest bar, 0 to 1. */
  height: number
  /** Whether the current tick is in it. */
  isCurrent: boolean
}

/**
 * Bars of equal width around the current tick.
 *
 * @param halfWidth  ticks on each side of the current one
 */
export function liquidityBars(steps: readonly LiquidityStep[], tick: number, halfWidth: number, bars: number): Bar[] {
  const width = (2 * halfWidth) / bars
  const levels = Array.from({ length: bars }, (_, i) => {
    const tickLower = tick - halfWidth + i * width
    const tickUpper = tickLower + width
    // The mean over the bar, weighted by the ticks that a step covers.
    const sum = steps.reduce((total, step) => {
      const covered = Math.min(step.tickUpper, tickUpper) - Math.max(step.tickLower, tickLower)
      return covered > 0 ? total + Number(step.liquidity) * covered : total
    }, 0)
    return { tickLower, tickUpper, mean: sum / width }
  })
  const most = Math.max(...levels.map(({ mean }) => mean), 0)
  return levels.map(({ tickLower, tickUpper, mean }) => ({
    tickLower,
    tickUpper,
    height: most === 0 ? 0 : mean / most,
    isCurrent: tickLower <= tick && tick < tickUpper,
  }))
}
