// What happens on a devnet chain: its contracts, and the transactions of each block.

import type { Chain, TransactionResult } from './chain/chain.ts'
import type { ActionCall, Contract } from './chain/contract.ts'

/** A block under way, as a scenario fills it. */
export interface OpenBlock {
  readonly num: number
  /** Unix milliseconds. */
  readonly now: number
  /** Runs a transaction at once; a refused one is left out. */
  push(calls: readonly ActionCall[]): TransactionResult
}

export interface Scenario {
  readonly contracts: readonly Contract[]
  /**
   * Fills the next block. What it does may depend on the chain's tables, on the block's number and time, and on a seed,
   * but on nothing else: the same seed and times must give the same chain.
   */
  fill(block: OpenBlock, chain: Pick<Chain, 'tables'>): void
}
