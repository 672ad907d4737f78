// Follows whatever makes the blocks of a chain final: producers before Savanna, finalizers since. Both look at every block;
// each keeps quiet where the other's rules hold.
import type { SourceBlock } from '../source/source.ts'
import { onConnection } from '../store/connection.ts'
import type { LedgerRow } from '../store/rows.ts'
import { FinalityFollower, type FollowerOptions } from './follower.ts'
import { LegacyFollower } from './legacy-follower.ts'
import { readLegacyLineages, readLegacyStart } from './legacy-stored.ts'
import { SESSION } from './sql.ts'
import { readFollowed, readStart } from './stored.ts'

/** How a chain with a bridge is followed. */
export interface FinalityOptions extends Pick<FollowerOptions, 'bridge' | 'onUnfollowed'> {
  /** Whether to follow it before Savanna too: proofs of deposits can be made of such blocks, none of withdrawals. */
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
   * @param hasLogs  whether log actions of the bridge are among its actions
   * @throws DecodeError as the followers
   */
  follow(source: SourceBlock, hasLogs: boolean): LedgerRow[] {
    return this.#followers.flatMap((follower) => follower.follow(source, hasLogs))
  }

  /** Forgets the blocks from a number on: a fork replaces them. */
  rewind(num: number): void {
    for (const follower of this.#followers) follower.rewind(num)
  }
}

/** Where the chain stands. */
interface At {
  num: number
  lib: number
}

/**
 * A follower that goes on behind the last indexed block.
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
    const sofar = position ? await readFollowed(client, chain, start, position) : undefined
    const savanna = new FinalityFollower({ ...options, start }, sofar)
    if (!legacy) return new ChainFollower([savanna])
    const before = await readLegacyStart(client, chain)
    const lineages = position ? await readLegacyLineages(client, chain, before, position) : []
    return new ChainFollower([new LegacyFollower({ ...options, start: before }, lineages), savanna])
  })
}
