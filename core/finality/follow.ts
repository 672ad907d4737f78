// Common parts of the followers under Savanna and before it: the blocks that they take, and the place in their errors.
import { DecodeError, UserError } from '../errors.ts'
import type { SourceBlock } from './track.ts'

/** A block as state history sends it. */
export interface PackedBlock extends SourceBlock {
  kind: 'packed'
  /** Id of the parent (64 hex digits). */
  prevId: string
  /** The node's last irreversible block. */
  lib: { num: number }
  /** Packed `transaction_trace[]`. */
  traces: Uint8Array
}

/** A block to follow. Sources that decode blocks themselves provide no data for proofs. */
export type FollowableBlock = PackedBlock | { kind: 'unpacked'; num: number }

/** A row of a table of the schema `ledger`. */
export interface FollowedRow {
  table: string
  row: object
}

/** Runs `follow`, and adds chain and block to its coded errors. @throws DecodeError */
export function atBlock<T>(chain: string, block: number, follow: () => T): T {
  try {
    return follow()
  } catch (error) {
    if (!(error instanceof DecodeError || error instanceof UserError)) throw error
    const place = { ...error.place, chain, block }
    throw new DecodeError(error.code, `${chain}: ${error.message}`, { hint: error.hint, place, cause: error })
  }
}
