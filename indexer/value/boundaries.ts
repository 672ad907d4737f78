// Where hours begin, and from where the pools of a chain are known exactly.
import { HOUR } from './holdings.ts'

/** With a first indexed block up to this one, the whole history is known: no pool can be older. */
const GENESIS = 2

/** Start of the hour, Unix milliseconds. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR) * HOUR
}

/**
 * The last block before which the pools are not known exactly: the first indexed block, unless the chain starts there;
 * or `stateBlock`, while rows read from a node may be newer than the blocks.
 */
export function inexactTo(firstBlock: number, stateBlock = 0): number {
  return firstBlock <= GENESIS ? 0 : Math.max(firstBlock, stateBlock)
}
