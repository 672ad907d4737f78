// Parameters derived from a seed: the kind of chain, its length, how the indexer is fed and which faults occur.
import type { Random } from '../support/random.ts'

export interface Plan {
  /** Initial number of reversible blocks below the head; undefined for a Savanna chain. */
  lag: number | undefined
  /** Rounds of growing, forking and waiting. */
  rounds: number
  /** Maximum depth of forks. */
  depth: number
  /** Blocks made before the first request. */
  history: number
  /** The node's log begins at the last block of that history, with the full delta. */
  startsInTheMiddle: boolean
  /** The source releases blocks as they arrive, not once per round. */
  free: boolean
  /** Probability of a fault in a round. */
  faults: number
  /** Probability of a crash at a step of a commit. */
  crashes: number
  /** Probability of a clean stop in a round. */
  stops: number
}

/** Every thirtieth seed has a fork of up to 400 blocks, every tenth is a Savanna chain. */
export function makePlan(seed: number, random: Random): Plan {
  const isDeep = seed % 30 === 15
  const isSavanna = seed % 10 === 5 && !isDeep
  return {
    lag: isSavanna ? undefined : isDeep ? 400 : random.pick([1, 3, 8, 20]),
    rounds: isSavanna ? 4 : isDeep ? 3 : random.integer(4, 9),
    depth: isDeep ? 400 : random.pick([2, 6, 18]),
    history: isDeep ? 401 : random.pick([0, 1, 12]),
    startsInTheMiddle: random.chance(0.2),
    free: random.chance(0.25),
    faults: random.pick([0, 0.3, 0.6]),
    crashes: random.pick([0, 0, 0.02, 0.05]),
    stops: random.pick([0, 0.15]),
  }
}
