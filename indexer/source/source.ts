// What every source of blocks yields, whatever protocol it speaks.
// Sources check linkage themselves: a block's parent is the block yielded before it, or the block is the first of
// a branch that replaces blocks at or above its number (a fork). Nothing is skipped: a gap is an error.

import type { SourceStats } from './stats.ts'

/** A block number with its id (64 hex digits). */
export interface BlockPosition {
  num: number
  id: string
}

/** What is known of every block. */
export interface BlockFrame extends BlockPosition {
  /** Id of the parent (64 hex digits). */
  prevId: string
  /** The node's head when it sent the block. */
  head: BlockPosition
  /** The node's last irreversible block when it sent this block. May be at or above `num` while catching up. */
  lib: BlockPosition
  /** Address of the node that sent it, where there may be several. */
  node?: string
}

/** A block as state history sends it: packed payloads that the decoder walks without unpacking the rest. */
export interface PackedBlock extends BlockFrame {
  kind: 'packed'
  /** Packed `signed_block`. */
  block: Uint8Array
  /** Packed `transaction_trace[]`. */
  traces: Uint8Array
  /** Packed `table_delta[]`; null when the node keeps no state history. */
  deltas: Uint8Array | null
  /** Packed `finality_data`; null before Savanna or when the node does not keep it. */
  finality: Uint8Array | null
}

/** An action as Hyperion sends it, decoded by that server. */
export interface UnpackedAction {
  globalSeq: bigint
  trxId: string
  receiver: string
  account: string
  name: string
  /** Decoded members as JSON has them: names and assets as text, wide integers as text or number. */
  data: Record<string, unknown>
}

/** A table row as Hyperion sends it. */
export interface UnpackedRow {
  code: string
  scope: string
  table: string
  primaryKey: string
  present: boolean
  data: Record<string, unknown>
}

/** A block of a source that decodes by itself and has no proofs (Hyperion). */
export interface UnpackedBlock extends BlockFrame {
  kind: 'unpacked'
  /** Unix milliseconds. */
  time: number
  producer: string
  actions: UnpackedAction[]
  rows: UnpackedRow[]
}

export type SourceBlock = PackedBlock | UnpackedBlock

/** The whole state of a chain after a block, as the first entry of a node that was started from a snapshot has it. */
export interface StateFrame extends BlockPosition {
  head: BlockPosition
  lib: BlockPosition
  /** Packed `table_delta[]` with every row of every table. */
  deltas: Uint8Array
}

/** From where a source starts. */
export interface StartPosition {
  /** First block wanted. */
  from: number
  /** Blocks that the consumer holds, oldest first: the last irreversible one, if it is held, and all after it. */
  have: BlockPosition[]
  /**
   * The last irreversible block held; below `have[0]` when all that is held is reversible. `have[0]` by default.
   */
  lib?: number
  /** Highest number of a block that was ever indexed, those that a fork replaced included. */
  reached?: number
  /** Last block wanted, inclusive; undefined goes on live. */
  to?: number
}

export interface BlockSource<Block extends BlockFrame = SourceBlock> {
  /**
   * Id of the chain that the servers are of; null where they do not tell.
   *
   * @throws RetryableError when no server answers; UserError OTHER_CHAIN
   */
  chainId?(signal: AbortSignal): Promise<string | null>
  /** From now on servers of another chain are refused with OTHER_CHAIN. */
  expectChain?(chainId: string): void
  /**
   * The state with which indexing can begin where no server keeps the first block wanted: the blocks then begin with the
   * one after it. Null where some server keeps that block.
   *
   * @param from       first block wanted
   * @param fullState  block whose deltas are said to hold the whole state
   * @throws UserError FULL_STATE_BLOCK when they do not; RetryableError as `blocks`
   */
  firstState?(from: number, fullState: number | undefined, signal: AbortSignal): Promise<StateFrame | null>
  /** Number of the block whose state `firstState` would read; null where it would read none. Throws as `firstState`. */
  stateBlock?(from: number, fullState: number | undefined, signal: AbortSignal): Promise<number | null>

  /**
   * Tells the source that a block cannot be used as it came: its node is asked after all others for a while.
   *
   * @returns whether every node has sent that block so
   */
  blame?(block: Pick<BlockFrame, 'num' | 'node'>): boolean
  /** Short name for logs and metrics: `ship`, `hyperion`, `evm`, `replay`, `loop`. */
  readonly name: string
  /** Counters for metrics, where the source keeps them. */
  readonly stats?: SourceStats
  /**
   * Blocks in the order in which the node applied them. Ends after `to`, at the end of a recording, or on `signal`.
   * Throws coded errors: UserError (another chain, a frame above the limit), RetryableError (connection, gap).
   */
  blocks(start: StartPosition, signal: AbortSignal): AsyncIterable<Block>
}
