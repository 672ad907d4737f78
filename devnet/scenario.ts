// What happens on the chains of a devnet, and what joins them.

import type { Chain, TransactionResult } from './chain/chain.ts'
import type { ActionCall, Contract } from './chain/contract.ts'
import type { NetworkName } from './networks.ts'

/** A block under way, as a player fills it. */
export interface OpenBlock {
  readonly num: number
  /** Unix milliseconds. */
  readonly now: number
  /** Runs a transaction at once; a refused one is left out. */
  push(calls: readonly ActionCall[]): TransactionResult
}

/** Who makes the transactions of a chain. */
export interface Player {
  /**
   * Fills the next block on the chain's head. What it does may depend on the chain's tables, on what irreversible blocks
   * of other chains told, on the block's time and on a seed, but on nothing else: the same seed and times must give
   * the same chains. What it remembers is part of the chain's history (chain/cell.ts).
   */
  fill(block: OpenBlock): void
  /** Unix milliseconds at which a block should come even if none is due by the clock; infinity when nothing waits. */
  readonly due: number
  /** Whether somebody waits for what is on the chain to become irreversible. */
  readonly waiting: boolean
  /** Unix milliseconds before which nothing that a block holds concerns other chains, as far as is known now. */
  readonly quiet: number
}

export interface Scenario {
  readonly contracts: readonly Contract[]
  /** Whether there is an account; without it, those of contracts are all. */
  isAccount?(name: string): boolean
  /** Takes part in a chain that has its first block. To be called once. */
  play(chain: Chain): Player
}

/** What happens beside the chains, as time goes by. */
export interface Bystander {
  /** Unix milliseconds of the next event; infinity when there is none. */
  readonly next: number
  /** Unix milliseconds before which no event brings about what concerns a chain that runs apart. */
  readonly quiet: number
  /** Lets all events up to a time happen, Unix milliseconds. */
  advance(now: number): Promise<void>
}

/** The rest of a world that runs apart: each part may only go as far as the other lets it. */
export interface Partner {
  /** Unix milliseconds: blocks of earlier times may be made, since all that is to arrive by then is here. */
  readonly horizon: number
  /**
   * Tells the partner how far it may go.
   *
   * @param quiet  Unix milliseconds of the first block that may concern the partner
   * @param now    also when that is hardly later than what it was told before
   */
  promise(quiet: number, now: boolean): void
  /** Resolves when the partner has said something. */
  changed(): Promise<void>
}

export interface World {
  scenario(chain: NetworkName): Scenario
  /** Null when nothing happens beside the chains. */
  readonly bystander: Bystander | null
  /** Null when no part of the world runs apart. */
  readonly partner: Partner | null
}

/** What a world is to be made for. */
export interface WorldSetting {
  chains: readonly NetworkName[]
  seed: number
  /** Unix milliseconds of the first blocks, and at which history ends and live blocks begin. */
  start: number
  end: number
  /** Milliseconds from block to block in history, and in its last hour. */
  interval: number
  lastHourInterval: number
}

/** A player that remembers nothing and waits for nothing. */
export function simplePlayer(fill: Player['fill']): Player {
  return { fill, due: Number.POSITIVE_INFINITY, waiting: false, quiet: Number.POSITIVE_INFINITY }
}
