// The oracle's accumulator: the time integrals of the tick and of 1/liquidity.
// Source: the AMM contract; docs/develop/amm.md, "Observations".

export interface Observation {
  /** Unix seconds. */
  timestampInSec: number
  /** Σ tick · seconds. */
  tickCumulative: bigint
  /** Σ seconds · 2^64 / liquidity, modulo 2^128; liquidity 0 counts as 1. */
  secondsPerLiquidityCumulativeX64: bigint
}

/** The accumulator at `now`. Tick and liquidity have not changed since the last observation. */
export function observe(last: Observation, now: number, tick: number, liquidity: bigint): Observation {
  const seconds = now - last.timestampInSec
  if (seconds === 0) return last
  const perLiquidity = (BigInt(seconds) << 64n) / (liquidity > 0n ? liquidity : 1n)
  return {
    timestampInSec: now,
    tickCumulative: last.tickCumulative + BigInt(tick) * BigInt(seconds),
    secondsPerLiquidityCumulativeX64: BigInt.asUintN(128, last.secondsPerLiquidityCumulativeX64 + perLiquidity),
  }
}
