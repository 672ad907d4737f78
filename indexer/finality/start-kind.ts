// What differs between a start under Savanna and one before it: how blocks behind it are followed, what confirms it, and
// where it is kept. The import and the export of a start know no more than this.
import type { ClientBase } from 'pg'
import type { LegacyStartJson } from '../../core/finality/legacy-start.ts'
import type { StartJson } from '../../core/finality/start.ts'
import type { SourceBlock } from '../source/source.ts'
import type { AnyStart } from './start-file.ts'

export type Queryable = Pick<ClientBase, 'query'>

/** Follows the blocks behind a start. */
export interface StartWalk<Start extends AnyStart> {
  /** Number of the last block followed; null before there is one. */
  readonly last: number | null
  /** Whether later blocks have confirmed the start. */
  readonly isConfirmed: boolean
  /** The last block followed, as a start. */
  readonly asStart: Start | null
  /** @returns false when no such block can come any more. @throws DecodeError when the start or the node is wrong */
  follow(block: SourceBlock): boolean
  /** Forgets the blocks from a number on: a fork replaces them. */
  rewind(num: number): void
}

export interface StartKind<Start extends AnyStart> {
  walk(chain: string, start: Start): StartWalk<Start>
  /** What confirms a start, for messages. */
  readonly confirmation: string
  /** Keeps a start in the place of the one before. */
  keep(client: Queryable, chain: string, start: Start): Promise<void>
  /** Whether the chain is followed at its last indexed block. */
  isFollowed(client: Queryable, chain: string, at: { num: number; lib: number }): Promise<boolean>
  /** An irreversible block as a start for another database; null when it is not followed in this way. */
  exported(client: Queryable, chain: string, num: number): Promise<StartJson | LegacyStartJson | null>
}
