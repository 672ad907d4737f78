// Whether the service can be relied on now, and if not, why. Pure.
import type { ChainPosition } from './positions.ts'

export interface Readiness {
  ready: boolean
  /** Why not, one sentence a chain. */
  reasons: string[]
  /** What is missing from answers although the service is ready, or will be once it is. */
  warnings: string[]
}

/** Chains begin with block 1, which nobody can index: a later first block than this one leaves something out. */
const FIRST_OF_CHAIN = 2

/**
 * @param chains         chains that must be there
 * @param maxLagSeconds  age of the last indexed block that is tolerated
 * @param isLoaded       whether the market of a chain is in memory
 */
export function readiness(
  chains: readonly string[],
  positions: readonly ChainPosition[],
  maxLagSeconds: number,
  isLoaded: (chain: string) => boolean,
): Readiness {
  const reasons: string[] = []
  const warnings: string[] = []
  for (const chain of chains) {
    const at = positions.find((position) => position.chain === chain)
    if (at === undefined) reasons.push(`${chain}: nothing is indexed yet`)
    else if (at.stateBlock !== null && at.block < at.stateBlock)
      reasons.push(`${chain}: current rows are exact from block ${at.stateBlock} on, indexed is block ${at.block}`)
    else if (!at.indexed) reasons.push(`${chain}: history is being indexed, at block ${at.block} of ${at.head}`)
    else if (at.lagSeconds > maxLagSeconds)
      reasons.push(`${chain}: the last indexed block ${at.block} is ${Math.round(at.lagSeconds)} s old`)
    else if (!isLoaded(chain)) reasons.push(`${chain}: the market is being loaded`)
    if (at !== undefined && at.stateBlock === null && at.firstBlock > FIRST_OF_CHAIN)
      warnings.push(
        `${chain}: indexing began at block ${at.firstBlock}; current rows that have not changed since may be missing`,
      )
  }
  return { ready: reasons.length === 0, reasons, warnings }
}
