// Follows the finality of a chain: by producers before Savanna, by finalizers since. Both followers get every block;
// each returns no rows for blocks under the other's rules.

import { FinalityFollower, type FollowerOptions } from '../../core/finality/follower.ts'
import { LegacyFollower } from '../../core/finality/legacy/follower.ts'
import { readLegacyLineages, readLegacyStart } from '../../finality-store/legacy.ts'
import { readFollowed, readStart } from '../../finality-store/savanna.ts'
import type { SourceBlock } from '../source/source.ts'
import { onConnection } from '../store/connection.ts'
import type { LedgerRow } from '../store/rows.ts'
import { SESSION } from './sql.ts'

/** How to follow a chain with a bridge. */
export interface FinalityOptions extends Pick<FollowerOptions, 'bridge' | 'onUnfollowed'> {
  /** Whether to follow blocks before Savanna too. Such blocks can prove deposits, but no withdrawals. */
  legacy?: boolean
}

export class ChainFollower {
  readonly #followers: readonly (LegacyFollower | FinalityFollower)[]

  constructor(followers: readonly (LegacyFollower | FinalityFollower)[]) {
    this.#followers = followers
  }

  /**
   * Rows of the next block; none while the chain is not followed.
   *
   * @param hasLogs  whether the block has log actions of the bridge
   * @throws DecodeError as the followers
   */
  follow(source: SourceBlock, hasLogs: boolean): LedgerRow[] {
    return this.#followers.flatMap((follower) => follower.follow(source, hasLogs))
  }

  /** Drops the blocks from `num` on, which a fork replaces. */
  rewind(num: number): void {
    for (const follower of this.#followers) follower.rewind(num)
  }
}

/** The indexed position of the chain. */
interface At {
  num: number
  lib: number
}

/**
 * Opens a follower that continues after the last indexed block.
 *
 * @param position  null when nothing is indexed
 * @throws RetryableError DATABASE_UNAVAILABLE
 */
export async function openFollower(
  databaseUrl: string,
  options: FinalityOptions & { chain: string },
  position: At | null,
): Promise<ChainFollower> {
  const { chain, legacy = false } = options
  return onConnection({ databaseUrl, name: 'finality', chain, session: SESSION }, async (client) => {
    const start = await readStart(client, chain)
    const stored = position ? await readFollowed(client, chain, position) : undefined
    const savanna = new FinalityFollower({ ...options, start }, stored)
    if (!legacy) return new ChainFollower([savanna])
    const before = await readLegacyStart(client, chain)
    const lineages = position ? await readLegacyLineages(client, chain, before, position) : []
    return new ChainFollower([new LegacyFollower({ ...options, start: before }, lineages), savanna])
  })
}
