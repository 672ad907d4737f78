// Interfaces of the activity on the chains of a devnet, and of the connections between chains.

import type { Chain, TransactionResult } from './chain/chain.ts'
import type { ActionCall, Contract } from './chain/contract.ts'
import type { NetworkName } from './networks.ts'

/** The current block as a player fills it. */
export interface OpenBlock {
  readonly num: number
  /** Unix milliseconds. */
  readonly now: number
  /** Runs a transaction immediately; a refused one is omitted. */
  push(calls: readonly ActionCall[]): TransactionResult
}

/** Makes the transactions of a chain. */
export interface Player {
  /**
   * Fills the next block on the chain's head. Its actions may depend only on the chain's tables, messages from
   * irreversible blocks of other chains, the block's time and a seed: the same seed and times give the same chains. Its
   * memory is part of the chain's history (chain/cell.ts).
   */
  fill(block: OpenBlock): void
  /** Unix milliseconds at which an additional block is needed; infinity for none. */
  readonly due: number
  /** Whether more blocks are needed soon, so that an earlier block becomes irreversible. */
  readonly waiting: boolean
  /** Unix milliseconds before which no block concerns other chains, as far as is known now. */
  readonly quiet: number
}

export interface Scenario {
  readonly contracts: readonly Contract[]
  /** Whether an account exists; default: only accounts with contracts exist. */
  isAccount?(name: string): boolean
  /** Starts playing a chain that has only its first block. Must be called once. */
  play(chain: Chain): Player
}

/** A timeline of events outside of the simulated chains, for example on an EVM chain. */
export interface ExternalEvents {
  /** Unix milliseconds of the next event; infinity when there is none. */
  readonly next: number
  /** Unix milliseconds before which no event concerns a chain in another thread. */
  readonly quiet: number
  /** Runs all events up to a time, Unix milliseconds. */
  advance(now: number): Promise<void>
}

/** The part of the simulation in another thread. Each part advances only to the time that the other has promised. */
export interface Partner {
  /** Unix milliseconds. All messages for earlier blocks have arrived, so earlier blocks may be made. */
  readonly horizon: number
  /**
   * Sends the partner this part's promise.
   *
   * @param quiet  Unix milliseconds of the first block that may concern the partner
   * @param now    whether to send it even if it is only slightly later than the last promise
   */
  promise(quiet: number, now: boolean): void
  /** Resolves when a packet of the partner has arrived. */
  changed(): Promise<void>
}

export interface Simulation {
  scenario(chain: NetworkName): Scenario
  /** Null when there are no events outside of the chains. */
  readonly externalEvents: ExternalEvents | null
  /** Null when no part of the simulation is in another thread. */
  readonly partner: Partner | null
}

/** Parameters of a simulation. */
export interface SimulationSettings {
  chains: readonly NetworkName[]
  seed: number
  /** Unix milliseconds of the first blocks, and of the end of history, where live blocks begin. */
  start: number
  end: number
  /** Milliseconds between blocks in history, and in its last hour. */
  interval: number
  lastHourInterval: number
}

/** A player with neither memory nor waiting tasks. */
export function simplePlayer(fill: Player['fill']): Player {
  return { fill, due: Number.POSITIVE_INFINITY, waiting: false, quiet: Number.POSITIVE_INFINITY }
}
