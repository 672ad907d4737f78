// Liquidity of a pool by price, from its initialised ticks. Pure.

/** Factor of the price from one tick to the next. */
const TICK_BASE = 1.0001
/** Ticks are from -MAX_TICK to MAX_TICK. */
const MAX_TICK = 443_636

export interface Tick {
  tick: number
  /** Liquidity that a rise of the price over the tick adds, whole number as text. */
  net: string
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

/** Whether a position has the widest range that the spacing of its pool allows: liquidity at each price. */
export function isFullRange(tickLower: number, tickUpper: number, spacing: number): boolean {
  const widest = MAX_TICK - (MAX_TICK % spacing)
  return tickLower <= -widest && tickUpper >= widest
}

/**
 * Whether the changes at the ticks can be those of a whole pool: no sum of them is negative, and the sum up to the current
 * tick is the liquidity there. Positions that are not known are missing from the changes.
 *
 * @param liquidity  at `tick`, as the pool itself has it
 */
export function isWholeLiquidity(ticks: readonly Tick[], tick: number, liquidity: string): boolean {
  let sum = 0n
  let current = 0n
  for (const one of ticks) {
    sum += BigInt(one.net)
    if (sum < 0n) return false
    if (one.tick <= tick) current = sum
  }
  return current === BigInt(liquidity)
}

/** Liquidity between neighbouring ticks, ascending; steps without any are left out. Exact: the sum of the changes below. */
export function liquiditySteps(ticks: readonly Tick[]): LiquidityStep[] {
  let liquidity = 0n
  return ticks.slice(0, -1).flatMap(({ tick, net }, i) => {
    liquidity += BigInt(net)
    return liquidity === 0n ? [] : [{ tickLower: tick, tickUpper: (ticks[i + 1] as Tick).tick, liquidity }]
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
