// A decoded block: the watched actions and rows, with values by the ABI at their position.

import type { BlockPosition } from '../source/source.ts'
import type { AbiChange } from './abi-book.ts'

/** Members by name, with values as decoders yield them. */
export type DecodedData = Record<string, unknown>

/** Range of the packed value in its frame; JSON text when the source's server decodes. */
export interface PackedValue {
  frame: Uint8Array
  start: number
  end: number
}

/** An executed action of a watched contract. Notifications are not included. */
export interface DecodedAction extends PackedValue {
  /** Position in the order of execution, unique in the chain. */
  globalSeq: bigint
  /** 64 hex digits. */
  trxId: string
  /** Number of the action in its transaction, from 1; 0 when the source does not have it. */
  ordinal: number
  /** Number of the action that sent this one; 0 for an action of the transaction itself. */
  creatorOrdinal: number
  account: string
  name: string
  data: DecodedData
}

/** A row of a contract's table as of the end of the block. */
export interface TableRow {
  code: string
  /** The scope as a name. */
  scope: string
  scopeRaw: bigint
  table: string
  primaryKey: bigint
  /** False for a removed row, which has its last value. */
  present: boolean
}

export interface DecodedRow extends TableRow, PackedValue {
  data: DecodedData
}

interface Undecoded {
  /** The packed value; JSON text when the source's server decodes. */
  raw: Uint8Array
  /** Stable: NO_ABI, UNKNOWN_ACTION, UNKNOWN_TABLE, or the code of a DecodeError. */
  reasonCode: string
  reason: string
}

export interface UndecodedAction extends Undecoded {
  globalSeq: bigint
  trxId: string
  account: string
  name: string
}

export interface UndecodedRow extends TableRow, Undecoded {}

/** A part of the rows of a block that has too many to hold in memory. */
export interface RowChunk {
  rows: DecodedRow[]
  undecodedRows: UndecodedRow[]
}

export interface DecodedBlock extends BlockPosition {
  prevId: string
  /** Unix milliseconds. */
  time: number
  producer: string
  /** The node's last irreversible block when it sent this one. */
  lib: BlockPosition
  /** The node's head when it sent this one. */
  head: BlockPosition
  /** By global sequence. */
  actions: DecodedAction[]
  rows: DecodedRow[]
  undecoded: UndecodedAction[]
  undecodedRows: UndecodedRow[]
  /** Further rows, decoded while iterating: the first delta of a log holds the whole state. */
  more?: Iterable<RowChunk>
  /** ABIs set in the block, by account and position. */
  abiChanges: AbiChange[]
}
