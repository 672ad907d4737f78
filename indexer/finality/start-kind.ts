// The differences between starts under Savanna and before it: how to follow the next blocks, what confirms a start, and
// where it is stored. Import and export use only this interface.
import type { ClientBase } from 'pg'
import type { LegacyStartJson } from '../../core/finality/legacy/start.ts'
import type { StartJson } from '../../core/finality/start.ts'
import type { SourceBlock } from '../source/source.ts'
import type { AnyStart } from './start-file.ts'

type Queryable = Pick<ClientBase, 'query'>

/** Follows the blocks after a start. */
export interface StartWalk<Start extends AnyStart> {
  /** Number of the last block followed; null before there is one. */
  readonly last: number | null
  /** Whether later blocks have confirmed the start. */
  readonly isConfirmed: boolean
  /** The last block followed, as a start. */
  readonly asStart: Start | null
  /** @returns false when no further block can be followed. @throws DecodeError when the start or the node is wrong */
  follow(block: SourceBlock): boolean
  /** Drops the blocks from `num` on, which a fork replaces. */
  rewind(num: number): void
}

export interface StartKind<Start extends AnyStart> {
  walk(chain: string, start: Start): StartWalk<Start>
  /** Name of the confirmation, for messages. */
  readonly confirmation: string
  /** Stores a start, replacing the previous one. */
  keep(client: Queryable, chain: string, start: Start): Promise<void>
  /** Whether the chain's last indexed block was followed. */
  isFollowed(client: Queryable, chain: string, at: { num: number; lib: number }): Promise<boolean>
  /** Block `num` as a start for another database; null when it was not followed in this way. Must be irreversible. */
  exported(client: Queryable, chain: string, num: number): Promise<StartJson | LegacyStartJson | null>
}
