// The rows of a block, as projections pass them to the store.
import type { BlockPosition } from '../source/source.ts'

/** A row of a ledger table; `table` without its schema. */
export interface LedgerRow {
  table: string
  /** Columns common to all rows of an action; absent when `row` has them. */
  at?: ActionPlace
  row: object
}

/** Position of an action in its chain. */
export interface ActionPlace {
  chain: string
  blockNum: number
  /** Unix milliseconds. */
  blockTime: number
  globalSeq: bigint
  /** 64 hex digits. */
  trxId: string
}

/** A current row of a contract as of the end of the block. A removed row has `present` false and only needs its key. */
export interface StateRow {
  table: string
  row: object
  present: boolean
}

/** A market with trades in a minute. */
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
  /** The node's last irreversible block and head when it sent this one. */
  lib: number
  head: number
  /** On the first block of a chain: block from which the current state is exact, if known. */
  stateBlock?: number
  /** On a final block after empty ones that are not written: the indexed block before those. */
  follows?: BlockPosition
}

/** A block with its rows, ready to be written. */
export interface ProjectedBlock extends BlockHeader, BlockRows {
  /** Further rows, made while iterating: the first delta of a log holds the whole state. */
  more?: Iterable<BlockRows>
}
