// Rows of contract tables in a snapshot. Rows of a table are in the order of their primary keys, each as key (u64),
// payer (u64) and value with its length. Secondary indexes are skipped. Redundant data (numbers of rows, order of
// keys and tables) must agree, because the file has no checksum.
import { readU32, readU64 } from '../raw.ts'
import type { Reader } from '../reader.ts'
import { damaged, TABLE_ID_BYTES } from './layout.ts'
import type { Section } from './sections.ts'
import type { StreamReader } from './stream-reader.ts'

/** A table of a contract in one scope; 32-bit halves of names, unsigned. */
export interface TableId {
  codeLow: number
  codeHigh: number
  scopeLow: number
  scopeHigh: number
  tableLow: number
  tableHigh: number
  /** Number of rows, including the rows of secondary indexes. */
  count: number
}

export interface SnapshotRow {
  table: TableId
  key: bigint
  /** Packed; a view that is valid until the next row. */
  value: Uint8Array
}

export type WantsTable = (table: TableId) => boolean

/** Bytes of a row of the secondary indexes of 64, 128 and 256 bits, double and long double, in this order. */
const SECONDARY_BYTES = [24, 32, 48, 24, 32]
/** Null is yielded after this many bytes without a wanted row. */
const PAUSE_BYTES = 1 << 20

function readTableId(reader: Reader): TableId {
  reader.need(TABLE_ID_BYTES)
  const { data, pos } = reader
  reader.skip(TABLE_ID_BYTES)
  return {
    codeLow: readU32(data, pos),
    codeHigh: readU32(data, pos + 4),
    scopeLow: readU32(data, pos + 8),
    scopeHigh: readU32(data, pos + 12),
    tableLow: readU32(data, pos + 16),
    tableHigh: readU32(data, pos + 20),
    count: readU32(data, pos + 32),
  }
}

/**
 * Wanted rows of the section `contract_tables` (until version 6): each table with its rows and secondary indexes.
 *
 * @throws DecodeError SNAPSHOT_DAMAGED, SNAPSHOT_TORN
 */
export function* combinedRows(
  reader: StreamReader,
  section: Section,
  wants: WantsTable,
): Generator<SnapshotRow | null> {
  const end = section.offset + section.size
  let rows = 0
  const pace = new Pace(reader)
  while (reader.offset < end) {
    const table = readTableId(reader)
    const count = reader.varuint32()
    yield* tableRows(reader, { table, count, isWanted: wants(table) }, pace)
    let total = count
    for (const bytes of SECONDARY_BYTES) {
      const size = reader.varuint32()
      reader.skip(size * bytes)
      total += size
    }
    if (total !== table.count) throw damaged(`a table of ${table.count} rows has ${total}`, reader.offset)
    rows += 1 + 1 + SECONDARY_BYTES.length + total
  }
  checkCount(section, rows, reader.offset)
}

/**
 * Wanted rows of the section `key_value_object` (version 8): groups of table number (u64), number of rows, rows.
 *
 * @param tables  the rows of the section `table_id_object`; the number of a table is its index there
 * @throws DecodeError SNAPSHOT_DAMAGED, SNAPSHOT_TORN
 */
export function* splitRows(
  reader: StreamReader,
  section: Section,
  tables: Reader,
  wants: WantsTable,
): Generator<SnapshotRow | null> {
  const end = section.offset + section.size
  let rows = 0
  let next = 0n
  const pace = new Pace(reader)
  while (reader.offset < end) {
    const number = reader.u64()
    if (number < next) throw damaged(`table ${number} comes after table ${next - 1n}`, reader.offset - 8)
    for (; next < number; next++) tables.skip(TABLE_ID_BYTES)
    const table = readTableId(tables)
    next++
    const count = reader.varuint32()
    if (count === 0 || count > table.count) throw damaged(`a table of ${table.count} rows has ${count}`, reader.offset)
    yield* tableRows(reader, { table, count, isWanted: wants(table) }, pace)
    rows += 2 + count
  }
  checkCount(section, rows, reader.offset)
}

interface TableRows {
  table: TableId
  /** Number of primary rows. */
  count: number
  isWanted: boolean
}

function* tableRows(reader: StreamReader, rows: TableRows, pace: Pace): Generator<SnapshotRow | null> {
  const { table, count, isWanted } = rows
  let [low, high] = [-1, -1]
  for (let left = count; left > 0; left--) {
    reader.need(16)
    const { data, pos } = reader
    const keyLow = readU32(data, pos)
    const keyHigh = readU32(data, pos + 4)
    if (keyHigh < high || (keyHigh === high && keyLow <= low))
      throw damaged('rows of a table are not in the order of their keys', reader.offset)
    low = keyLow
    high = keyHigh
    const key = isWanted ? readU64(data, pos) : 0n
    reader.skip(16)
    const size = reader.varuint32()
    if (isWanted) yield { table, key, value: reader.bytes(size) }
    else reader.skip(size)
    if (pace.isDue()) yield null
  }
}

/** Decides when to yield to the caller. */
class Pace {
  readonly #reader: StreamReader
  #last: number

  constructor(reader: StreamReader) {
    this.#reader = reader
    this.#last = reader.offset
  }

  isDue(): boolean {
    const { offset } = this.#reader
    if (offset - this.#last < PAUSE_BYTES) return false
    this.#last = offset
    return true
  }
}

function checkCount({ name, rows }: Section, found: number, offset: number): void {
  if (found !== rows) throw damaged(`section ${name} of ${rows} rows has ${found}`, offset)
}
