// One of two databases that are compared: over the API, or directly.
import type { BlockRange } from './ranges.ts'

/** The chain and blocks that a side can compare. */
export interface Summary {
  chain: string
  /** Null when the source of the blocks does not know it. */
  chainId: string | null
  /** First and last block that can be compared; the last is final. */
  firstBlock: number
  lastBlock: number
  /** Length of the ranges whose digests are stored, blocks. */
  leaf: number
  /** Watched contracts: role and account, separated by a space, sorted. */
  contracts: string[]
  tables: { name: string; columns: string }[]
}

export interface TableDigest {
  name: string
  rows: number
  sha256: string
}

export interface RangeDigest extends BlockRange {
  /** Tables with rows in this range. */
  tables: TableDigest[]
}

/** Rows of a table in one block. */
export interface BlockRows {
  columns: string[]
  /** Columns of the primary key. */
  key: string[]
  /** Columns as text, a long one as `sha256:` and its digest; ordered by the bytes of the key's columns. */
  rows: (string | null)[][]
  /** Whether there are more rows than were sent. */
  more: boolean
}

export interface Side {
  /** For messages. */
  readonly name: string
  summary(): Promise<Summary>
  /** Digests of the parts into which `divide` divides the range. */
  digests(range: BlockRange): Promise<RangeDigest[]>
  rows(table: string, block: number): Promise<BlockRows>
}
