// What decoding makes of a block: the actions and rows that were asked for, with values by the ABI of their position.

import type { BlockPosition } from '../source/source.ts'
import type { AbiChange } from './abi-book.ts'

/** Members by name, with values as decoders yield them. */
export type DecodedData = Record<string, unknown>

/** Where the packed value stands in its frame; JSON text from a source that decodes by itself. */
export interface PackedValue {
  frame: Uint8Array
  start: number
  end: number
}

/** An executed action of a watched contract; notifications of others are no actions. */
export interface DecodedAction extends PackedValue {
  /** Position in the order of execution, unique in the chain. */
  globalSeq: bigint
  /** 64 hex digits. */
  trxId: string
  /** Number of the action in its transaction, from 1; 0 when the source does not tell. */
  ordinal: number
  /** Number of the action that sent this one; 0 for one of the transaction itself. */
  creatorOrdinal: number
  account: string
  name: string
  data: DecodedData
}

/** A row as it is after the block, or as it was last when it is gone. */
export interface DecodedRow extends PackedValue {
  code: string
  /** The scope as a name. */
  scope: string
  scopeRaw: bigint
  table: string
  primaryKey: bigint
  present: boolean
  data: DecodedData
}

interface Undecoded {
  /** The packed value as it came; JSON text from a source that decodes by itself. */
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

export interface UndecodedRow extends Undecoded {
  code: string
  scope: string
  scopeRaw: bigint
  table: string
  primaryKey: bigint
  present: boolean
}

/** Some of the rows of a block that has more of them than memory should hold. */
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
  /** Further rows, decoded as they are taken: the first delta of a log holds the whole state. */
  more?: Iterable<RowChunk>
  /** ABIs set in the block, by account and position. */
  abiChanges: AbiChange[]
}
