// Compares the stored rows of a range with the rows made from its actions, table by table, in any order.
import type { Catalog, Table } from '../../indexer/store/catalog.ts'
import { COPY_STREAM, eachTuple, type Tuple, TupleError } from '../../indexer/store/copy/tuples.ts'
import type { Segment } from '../../indexer/store/segment.ts'
import { damaged, older, refuted } from '../format/fault.ts'
import type { Section } from '../format/section.ts'
import { isOfRange } from '../format/sql.ts'
import type { RowChunk } from '../read/files.ts'
import { MASKED, UNCOMMITTED } from './determined.ts'
import { type ComparedField, rowText } from './row-text.ts'

export interface Compared {
  /** Rows that are as the actions make them, by table. */
  equal: Record<string, number>
  /** Rows that nothing was compared with, by table. */
  uncommitted: Record<string, number>
}

interface Expected {
  count: number
  block: number
}

interface CompareOptions {
  catalog: Catalog
  /** Name of the file, for errors. */
  file: string
  /** Whether the pack has rows of a table in any range. */
  hasTable: (table: string) => boolean
}

/**
 * @param made  the rows of the range by its actions and headers
 * @throws UserError PACK_REFUTED for the first row that differs; PACK_OLDER where the pack lacks the column or the table;
 *   PACK_DAMAGED
 */
export function compareRows(
  rows: readonly RowChunk[],
  made: Segment,
  { catalog, file, hasTable }: CompareOptions,
): Compared {
  const compared: Compared = { equal: {}, uncommitted: {} }
  const expected = new Map<string, Map<string, Expected>>()
  for (const { table, buffer } of made.ledger.values()) {
    if (buffer.rows > 0) expected.set(table.id, expectedRows(table, buffer.finish()))
  }
  for (const { section, content } of rows) {
    const { table } = section
    const ofTable = expected.get(table) ?? new Map<string, Expected>()
    const compare = new SectionRows(section, catalog.get(table), ofTable, file)
    try {
      compare.check(content)
    } catch (error) {
      if (error instanceof TupleError) throw damaged(file, `${table}: ${error.message}`)
      throw error
    }
    add(compared.equal, table, compare.equal)
    add(compared.uncommitted, table, compare.uncommitted)
  }
  for (const [table, left] of expected) {
    for (const { count, block } of left.values()) {
      if (count > 0 && !hasTable(table)) throw older(file, `the pack has no rows of ${table}, which its actions make`)
      if (count > 0)
        throw refuted(file, `block ${block}: a row of ${table} that its actions make is missing`, { block })
    }
  }
  return compared
}

function add(counts: Record<string, number>, table: string, rows: number): void {
  if (rows > 0) counts[table] = (counts[table] ?? 0) + rows
}

type Indexes = ReadonlyMap<string, ComparedField>

function indexesOf(columns: readonly (readonly [name: string, type: string])[]): Indexes {
  return new Map(columns.map(([name, type], index) => [name, { index, type }]))
}

/** Columns of a table to compare, where a row has them. A column that a section leaves out is compared as null. */
function comparedFields(table: Table, indexOf: Indexes): (ComparedField | null)[] {
  const masked = new Set(['chain', ...(MASKED[table.id] ?? [])])
  return table.columns.filter(({ name }) => !masked.has(name)).map(({ name }) => indexOf.get(name) ?? null)
}

function expectedRows(table: Table, stream: Buffer): Map<string, Expected> {
  const content = stream.subarray(COPY_STREAM.head.length, stream.length - COPY_STREAM.end.length)
  const indexOf = indexesOf(table.columns.map(({ name, type }) => [name, type]))
  const fields = comparedFields(table, indexOf)
  const blockAt = indexOf.get('block_num')?.index ?? -1
  const rows = new Map<string, Expected>()
  eachTuple(content, table.columns.length, (tuple) => {
    const text = rowText(content, tuple, fields)
    const known = rows.get(text)
    if (known) known.count++
    else rows.set(text, { count: 1, block: int8At(content, tuple, blockAt) })
  })
  return rows
}

class SectionRows {
  readonly #section: Section
  readonly #table: Table | undefined
  readonly #expected: Map<string, Expected>
  readonly #file: string
  equal = 0
  uncommitted = 0

  constructor(section: Section, table: Table | undefined, expected: Map<string, Expected>, file: string) {
    this.#section = section
    this.#table = table
    this.#expected = expected
    this.#file = file
  }

  check(content: Buffer): void {
    const { table, columns } = this.#section
    const indexOf = indexesOf(columns)
    // Rows of a table that is unknown, or that such a file never has, are refused when they are loaded.
    if (table in UNCOMMITTED || !this.#table || !isOfRange(table)) {
      this.uncommitted += eachTuple(content, columns.length, () => {})
      return
    }
    const fields = comparedFields(this.#table, indexOf)
    const blockAt = indexOf.get('block_num')?.index ?? -1
    const sequenceAt = indexOf.get('global_seq')?.index ?? -1
    eachTuple(content, columns.length, (tuple) => {
      // An ABI that only an account row shows.
      if (table === 'ledger.abis' && int8At(content, tuple, sequenceAt) === 0) {
        this.uncommitted++
        return
      }
      const known = this.#expected.get(rowText(content, tuple, fields))
      if (!known || known.count === 0) throw this.#unexpected(content, tuple, blockAt)
      known.count--
      this.equal++
    })
  }

  /** A column to compare that the section does not have. */
  #lacking(): string | undefined {
    const given = new Set([...this.#section.columns.map(([name]) => name), 'chain'])
    const masked = MASKED[this.#section.table] ?? []
    return this.#table?.columns.find(({ name }) => !given.has(name) && !masked.includes(name))?.name
  }

  #unexpected(content: Buffer, tuple: Tuple, blockAt: number): Error {
    const lacking = this.#lacking()
    if (lacking !== undefined) {
      return older(this.#file, `${this.#section.table} lacks the column ${lacking}, for which its actions make values`)
    }
    const block = int8At(content, tuple, blockAt)
    const what = `block ${block}: a row of ${this.#section.table} is not one that its actions make`
    return refuted(this.#file, what, { block })
  }
}

function int8At(content: Buffer, { at, length }: Tuple, index: number): number {
  return length[index] === 8 ? Number(content.readBigInt64BE(at[index])) : -1
}
