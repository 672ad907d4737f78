// All rows of a range: the rows stored in its file, and the rows made from its headers.

import type { UserError } from '../../core/errors.ts'
import { Turns } from '../../core/turns.ts'
import type { Catalog } from '../../indexer/store/catalog.ts'
import type { ObjectStore } from '../../net/objects/store.ts'
import { damaged, refuted } from '../format/fault.ts'
import type { PackFile, PackRange } from '../format/manifest.ts'
import type { Section } from '../format/section.ts'
import { openFile, type RowChunk, readRows } from './files.ts'
import { type HeaderRows, makeRows, type RowMaker } from './make-rows.ts'

export interface RangeContext {
  chain: string
  catalog: Catalog
  /** Default: in this thread. */
  make?: RowMaker
  /**
   * Shared by ranges that are read at once: the rows of one are made while those of another are copied. Rows of two
   * made at the same time would leave the database without work until both are done.
   */
  turns?: Turns
}

/** @throws UserError PACK_DAMAGED, PACK_REFUTED, those of the store */
export async function* readRange(
  store: ObjectStore,
  range: PackRange,
  signal: AbortSignal,
  context: RangeContext,
): AsyncGenerator<RowChunk> {
  const { turns = new Turns() } = context
  let made: HeaderRows | null = null
  for await (const chunk of readRows(store, range.rows, signal)) {
    const { section } = chunk
    if (!section.verified) {
      yield chunk
      continue
    }
    const { verified } = section
    made ??= await turns.take(() => rowsOfHeaders(store, range, signal, section, verified, context))
    const rows = made.tables.get(section.table)
    const isSame =
      rows?.columns.length === section.columns.length && section.columns.every(([name], i) => name === rows.columns[i])
    if (!rows || !isSame)
      throw damaged(range.rows.name, `${section.table} has other columns than the rows that headers make`)
    const { content, count } = rows
    yield { section, content: Buffer.from(content.buffer, content.byteOffset, content.length), complete: count }
  }
}

/** @throws UserError PACK_DAMAGED, PACK_REFUTED for a block that is not of the range */
async function rowsOfHeaders(
  store: ObjectStore,
  { rows, blocks, from, to }: PackRange,
  signal: AbortSignal,
  section: Section,
  verified: readonly number[],
  { chain, catalog, make = makeRows }: RangeContext,
): Promise<HeaderRows> {
  if (!blocks) throw withoutHeaders(rows, section)
  const stream = await openFile(store, blocks, signal)
  try {
    const made = await make(stream, { chain, catalog, file: blocks, from, to, verified })
    const { foreign } = made
    // The file is the publisher's: it was read to its end.
    if (foreign === null) return made
    throw refuted(rows.name, `a row of ${section.table} is of block ${foreign}`, { block: foreign })
  } finally {
    stream.destroy()
  }
}

/** The error for a table whose rows are made from headers, in a pack without headers. */
function withoutHeaders({ name }: PackFile, { table }: Section): UserError {
  return damaged(name, `rows of ${table} follow from headers, which the pack does not have`)
}
