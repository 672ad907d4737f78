// Copies the rows of a file into the tables of the database, in the caller's transaction.
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { UserError } from '../../core/errors.ts'
import { COPY_STREAM, type Tuple, TupleError } from '../../indexer/store/copy/tuples.ts'
import { damaged, newer, older, refuted } from '../format/fault.ts'
import type { PackFile } from '../format/manifest.ts'
import type { Section } from '../format/section.ts'
import { isOfRange, isOfState, type PackTable } from '../format/sql.ts'
import { withChain } from '../format/tuples.ts'
import type { RowChunk } from './files.ts'

export interface LoadOptions {
  chain: string
  /** Tables of the database that the file may have rows of, by name. */
  tables: ReadonlyMap<string, PackTable>
  /** Name of the file, for errors. */
  file: string
  /** Blocks that rows with a block number may belong to. */
  blocks: { from: number; to: number }
  /** Table to copy into instead. */
  into?: (table: string) => string
}

/**
 * @returns number of rows by table
 * @throws UserError PACK_DAMAGED, PACK_REFUTED, PACK_OLDER, and those of the iteration
 */
export async function loadRows(
  client: pg.Client,
  rows: AsyncIterable<RowChunk> | Iterable<RowChunk>,
  options: LoadOptions,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const chunks = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]()
  let next = await chunks.next()
  try {
    while (!next.done) {
      const { section } = next.value
      const { into = (table: string) => table } = options
      const target = targetOf(section, options)
      const prepare = preparer(section, options, counts)
      async function* bytes() {
        yield COPY_STREAM.head
        for (; !next.done && next.value.section === section; next = await chunks.next()) yield prepare(next.value)
        yield COPY_STREAM.end
      }
      const columns = ['chain', ...section.columns.map(([name]) => name)].map((name) => `"${name}"`).join(', ')
      const copy = copyFrom(`copy ${into(target.id)} (${columns}) from stdin (format binary)`)
      await pipeline(bytes(), client.query(copy)).catch((error: unknown) => {
        throw refusedRow(error, section.table, options.file)
      })
    }
  } finally {
    await chunks.return?.()
  }
  return counts
}

/** The table of a section, with its columns checked. */
function targetOf({ table, columns }: Section, { tables, file }: LoadOptions): PackTable {
  const target = tables.get(table)
  if (!target) throw unknownTable(table, tables, file)
  const types = new Map(target.columns.map(({ name, type }) => [name, type]))
  const given = new Set(columns.map(([name]) => name))
  if (given.size !== columns.length || given.has('chain')) throw damaged(file, `${table} has a column twice`)
  for (const [name, type] of columns) {
    if (types.get(name) === type) continue
    throw newer(file, `this database has no column ${name} of type ${type} in ${table}`)
  }
  const absent = target.columns.slice(1).find(({ name, nullable }) => !nullable && !given.has(name))
  if (absent === undefined) return target
  throw older(file, `${table} lacks the column ${absent.name}`)
}

/** The error for a table that a file of this kind never has, or that a later version of the program has. */
function unknownTable(table: string, tables: ReadonlyMap<string, PackTable>, file: string): UserError {
  const schema = (id: string) => id.slice(0, id.indexOf('.') + 1)
  const isOfKind = [...tables.keys()].some((id) => schema(id) === schema(table))
  return isOfKind && (isOfRange(table) || isOfState(table))
    ? newer(file, `this database has no table ${table}`)
    : damaged(file, `rows of ${table}, which has none in such a file`)
}

/**
 * Checks that a file has the numbers of rows that the manifest says: they are printed as those of rows that were not
 * verified.
 *
 * @throws UserError PACK_REFUTED
 */
export function checkCounts(found: Readonly<Record<string, number>>, { name, rows }: PackFile): void {
  for (const table of new Set([...Object.keys(rows), ...Object.keys(found)])) {
    const [has, says] = [found[table] ?? 0, rows[table] ?? 0]
    if (has !== says) throw refuted(name, `it has ${has} rows of ${table}, the manifest says ${says}`)
  }
}

/** A function that checks the rows of a chunk, and adds the chain to each. Complete rows stay as they are. */
function preparer(section: Section, options: LoadOptions, counts: Record<string, number>) {
  const { chain, file, blocks } = options
  const { table, columns } = section
  const isLedger = table.startsWith('ledger.')
  const blockAt = isLedger ? columns.findIndex(([name, type]) => name === 'block_num' && type === 'int8') : -1
  if (isLedger && blockAt < 0) throw damaged(file, `${table} has no block numbers`)
  let content: Buffer = Buffer.alloc(0)
  let rows = 0
  const check = ({ at, length }: Tuple) => {
    rows++
    if (blockAt < 0) return
    const num = length[blockAt] === 8 ? Number(content.readBigInt64BE(at[blockAt])) : Number.NaN
    if (num >= blocks.from && num <= blocks.to) return
    throw refuted(file, `a row of ${table} is of block ${num}`, { block: num })
  }
  return (chunk: RowChunk): Buffer => {
    content = chunk.content
    rows = chunk.complete ?? 0
    try {
      return chunk.complete === undefined ? withChain(content, columns.length, chain, check) : content
    } catch (error) {
      if (error instanceof TupleError) throw damaged(file, `${table}: ${error.message}`)
      throw error
    } finally {
      counts[table] = (counts[table] ?? 0) + rows
    }
  }
}

/** Classes of SQLSTATE that the data cause: data exception, integrity constraint. */
const OF_DATA = new Set(['22', '23'])

function refusedRow(error: unknown, table: string, file: string): unknown {
  const { code, message } = error as { code?: unknown; message: string }
  if (typeof code !== 'string' || !OF_DATA.has(code.slice(0, 2)) || code.length !== 5) return error
  return refuted(file, `the database refuses a row of ${table}: ${message}`)
}
