// Rows that follow from the headers of a range: made from the file of its blocks.
import type { Catalog } from '../../indexer/store/catalog.ts'
import { readChunks } from '../format/chunks.ts'
import { MADE_TABLES, MadeRows } from '../format/made-rows.ts'
import type { PackFile } from '../format/manifest.ts'
import { blocksOfChunks, nextOf } from './files.ts'

export interface RowsTask {
  chain: string
  catalog: Catalog
  /** File of the range's blocks. */
  file: PackFile
  from: number
  to: number
  /** Blocks with certificates that the publisher had checked when he indexed them. */
  verified: readonly number[]
}

/** Rows of one table in binary COPY format, with the chain as the first field. */
export interface TableRows {
  /** Without the chain. */
  columns: string[]
  content: Uint8Array
  /** Number of rows. */
  count: number
}

export interface HeaderRows {
  tables: ReadonlyMap<string, TableRows>
  /** The first block that is not of the range; null when all are. */
  foreign: number | null
}

/** @param pieces  bytes of the task's file */
export type RowMaker = (pieces: AsyncIterable<Uint8Array>, task: RowsTask) => Promise<HeaderRows>

/** @throws UserError PACK_DAMAGED; DecodeError FINALITY_VERSION; errors of `pieces` */
export const makeRows: RowMaker = async (pieces, { chain, catalog, file, from, to, verified }) => {
  const made = new MadeRows(chain, catalog, verified)
  let foreign: number | null = null
  // Without an await for each block, which would take longer than to make its rows.
  for await (const blocks of blocksOfChunks(readChunks(pieces, file), file, 'none')) {
    for (let next = nextOf(blocks, file); !next.done; next = nextOf(blocks, file)) {
      const { num } = next.value
      if (!(num >= from && num <= to)) foreign ??= num
      made.add(next.value)
    }
  }
  const tables = MADE_TABLES.map((table): [string, TableRows] => {
    return [table, { columns: made.columns(table), ...made.rowsOfChain(table) }]
  })
  return { tables: new Map(tables), foreign }
}
