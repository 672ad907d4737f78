// The interface of all block sources, whatever their protocol. Sources check linkage: a block is the child of the block
// yielded before it, or the first of a branch that replaces the blocks from its number on (a fork). A gap is an error.

import type { RowFilter } from '../../core/antelope/logs/delta-splitter.ts'
import type { SourceStats } from './stats.ts'

/** A block number with its id (64 hex digits). */
export interface BlockPosition {
  num: number
  id: string
}

/** Properties of every block. */
export interface BlockFrame extends BlockPosition {
  /** Id of the parent (64 hex digits). */
  prevId: string
  /** The node's head when it sent the block. */
  head: BlockPosition
  /** The node's last irreversible block when it sent this block. May be at or above `num` while catching up. */
  lib: BlockPosition
  /** Address of the node that sent it, when there may be several. */
  node?: string
}

/** Large deltas in pieces: each is a packed `table_delta[]` with a part of the rows. Can be iterated several times. */
export interface DeltaParts {
  parts(): Iterable<Uint8Array>
}

/** A block as state history sends it: packed payloads that the decoder walks without unpacking them as a whole. */
export interface PackedBlock extends BlockFrame {
  kind: 'packed'
  /** Packed `signed_block`. */
  block: Uint8Array
  /** Packed `transaction_trace[]`. */
  traces: Uint8Array
  /** Packed `table_delta[]`; null when the node keeps no state history. */
  deltas: Uint8Array | null
  /** Deltas that are too large for memory; `deltas` is then an empty list. */
  deltaParts?: DeltaParts
  /** Packed `finality_data`; null before Savanna or when the node does not keep it. */
  finality: Uint8Array | null
}

/** An action as Hyperion sends it, decoded by the server. */
export interface UnpackedAction {
  globalSeq: bigint
  trxId: string
  receiver: string
  account: string
  name: string
  /** Decoded members in JSON form: names and assets as text, wide integers as text or number. */
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

/** A block of a source whose server decodes it, without proofs (Hyperion). */
export interface UnpackedBlock extends BlockFrame {
  kind: 'unpacked'
  /** Unix milliseconds. */
  time: number
  producer: string
  actions: UnpackedAction[]
  rows: UnpackedRow[]
}

export type SourceBlock = PackedBlock | UnpackedBlock

/** The whole state of a chain after a block: the first entry of a node that was started from a snapshot. */
export interface StateFrame extends BlockPosition {
  head: BlockPosition
  lib: BlockPosition
  /** Packed `table_delta[]` with every row of every table. */
  deltas: Uint8Array
  /** As in PackedBlock. */
  deltaParts?: DeltaParts
  /** Address of the node that sent it, or the file that holds it. */
  node?: string
}

/** Where a source starts. */
export interface StartPosition {
  /** First block to yield. */
  from: number
  /** Blocks that the consumer has, oldest first: the last irreversible one, if it has it, and all after it. */
  have: BlockPosition[]
  /**
   * The last irreversible block; below `have[0]` when all held blocks are reversible. Default: `have[0]`.
   */
  lib?: number
  /** Highest block number ever indexed, including blocks that a fork replaced. */
  reached?: number
  /** Last block to yield, inclusive; undefined continues live. */
  to?: number
}

export interface BlockSource<Block extends BlockFrame = SourceBlock> {
  /**
   * Chain id of the servers; null when they do not send it.
   *
   * @throws RetryableError when no server answers; UserError OTHER_CHAIN
   */
  chainId?(signal: AbortSignal): Promise<string | null>
  /** Makes servers of another chain fail with OTHER_CHAIN from now on. */
  expectChain?(chainId: string): void
  /** Sets which rows are wanted of deltas that are too large for memory. Default: all of contracts and accounts. */
  keepRows?(filter: RowFilter): void
  /**
   * The state from which indexing can start when no server has the first wanted block, or when it is a server's first
   * block after a state: blocks then start after the state's block. Null when a server without such a state has that
   * block.
   *
   * @param from       first wanted block
   * @param fullState  block whose deltas hold the whole state, by configuration
   * @throws UserError FULL_STATE_BLOCK when they do not; RetryableError as `blocks`
   */
  firstState?(from: number, fullState: number | undefined, signal: AbortSignal): Promise<StateFrame | null>
  /** Number of the block whose state `firstState` would read; null when it would read none. Throws as `firstState`. */
  stateBlock?(from: number, fullState: number | undefined, signal: AbortSignal): Promise<number | null>

  /**
   * Reports an unusable block to the source: its node is used after all others for a while.
   *
   * @returns whether every node has sent the block in this form
   */
  blame?(block: Pick<BlockFrame, 'num' | 'node'>): boolean
  /**
   * Returns the traces and deltas of a block to the source, which may overwrite them. Call it when nothing reads the
   * block any more. Blocks that are not returned are left to the garbage collector.
   */
  release?(block: Block): void
  /** Short name for logs and metrics: `ship`, `hyperion`, `evm`, `replay`, `loop`. */
  readonly name: string
  /** Counters for metrics, if the source has them. */
  readonly stats?: SourceStats
  /**
   * Blocks in the order in which the node applied them. Ends after `to`, at the end of a recording, or on `signal`.
   * Throws coded errors: UserError (another chain, a frame above the limit), RetryableError (connection, gap).
   */
  blocks(start: StartPosition, signal: AbortSignal): AsyncIterable<Block>
}
