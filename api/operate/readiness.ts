// Whether the service can be relied on now, and if not, why. Pure.
import type { ChainPosition } from './positions.ts'

export interface Readiness {
  ready: boolean
  /** Why not, one sentence a chain. */
  reasons: string[]
}

/**
 * @param chains         chains that must be there
 * @param maxLagSeconds  age of the last indexed block that is tolerated
 */
export function readiness(
  chains: readonly string[],
  positions: readonly ChainPosition[],
  maxLagSeconds: number,
): Readiness {
  const reasons: string[] = []
  for (const chain of chains) {
    const at = positions.find((position) => position.chain === chain)
    if (at === undefined) reasons.push(`${chain}: nothing is indexed yet`)
    else if (!at.indexed) reasons.push(`${chain}: history is being indexed, at block ${at.block} of ${at.head}`)
    else if (at.lagSeconds > maxLagSeconds)
      reasons.push(`${chain}: the last indexed block ${at.block} is ${Math.round(at.lagSeconds)} s old`)
  }
  return { ready: reasons.length === 0, reasons }
}
