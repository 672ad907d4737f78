// The rows that a block yields, as projections hand them to the store.
import type { BlockPosition } from '../source/source.ts'

/** A row of a ledger table; `table` without its schema. */
export interface LedgerRow {
  table: string
  /** The columns that every row of an action has; absent where `row` has them itself. */
  at?: ActionPlace
  row: object
}

/** Where an action stands in its chain. */
export interface ActionPlace {
  chain: string
  blockNum: number
  /** Unix milliseconds. */
  blockTime: number
  globalSeq: bigint
  /** 64 hex digits. */
  trxId: string
}

/** A current row of a contract: as it is after the block, or gone. Key columns are always there. */
export interface StateRow {
  table: string
  row: object
  present: boolean
}

/** A market in which something traded, and the minute. */
export interface TouchedCandle {
  kind: 'amm' | 'spot'
  id: bigint
  /** Unix milliseconds, start of the minute. */
  minute: number
}

export interface BlockRows {
  ledger: LedgerRow[]
  state: StateRow[]
  candles: TouchedCandle[]
}

export interface BlockHeader {
  num: number
  id: string
  prevId: string
  /** Unix milliseconds. */
  time: number
  producer: string
  /** Last irreversible block and head of the node when it sent this one. */
  lib: number
  head: number
  /** On the first block of a chain: from which block on its current state is exact, where that is known. */
  stateBlock?: number
  /** On a final block behind others that hold nothing and are not written: the indexed block before those. */
  follows?: BlockPosition
}

/** A block ready to be written. */
export interface ProjectedBlock extends BlockHeader, BlockRows {
  /** Further rows, made as they are taken: the first delta of a log holds the whole state. */
  more?: Iterable<BlockRows>
}
