// Exports a view to a file as a stream, with constant memory here and on the server. The file is one snapshot and
// appears only when complete.
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { UserError } from '../../core/errors.ts'
import { openClient } from '../../net/postgres.ts'
import { databaseError } from '../store/errors.ts'
import { CSV_COPY, CsvSink, csvExpression } from './csv.ts'
import { OutputFile, type WrittenFile } from './file.ts'
import { sourceColumn } from './parquet/schema.ts'
import { ParquetSink } from './parquet/writer.ts'
import { ReadAhead } from './read-ahead.ts'
import type { Sink } from './sink.ts'
import { BLOCK_AT, CHAINS, isByBlockTime, SETTINGS, type Selection, selectRows } from './sql.ts'
import { findView, isFacts, type View, type ViewColumn } from './view.ts'
import { BlockWindows } from './windows.ts'

export const FORMATS = ['csv', 'parquet'] as const
export type Format = (typeof FORMATS)[number]

export interface ExportOptions extends Selection {
  /** Connection string of a role that may read the views, such as the reader's. */
  url: string
  /** `head.swaps`, `final.swaps`, or `swaps`, which means the final one. */
  view: string
  format: Format
  out: string
  /** Called with the number of rows written so far. */
  onRows?: (rows: number) => void
}

export interface ChainRange {
  chain: string
  firstBlock: number
  lastBlock: number
}

/**
 * @returns rows written
 * @throws UserError UNKNOWN_VIEW, UNKNOWN_CHAIN, NO_SUCH_COLUMN, EXPORT_RANGE, EXPORT_PATH, EXPORT_INEXACT; RetryableError
 *   DATABASE_UNAVAILABLE
 */
export async function exportView(options: ExportOptions): Promise<number> {
  checkRange(options)
  return withClient(options.url, async (client) => {
    const view = await findView(client, options.view)
    const chains = await chainsOf(client, view, options.chain)
    return writeFile(client, view, chains, options)
  })
}

/** Runs work on one database snapshot. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = openClient({ connectionString: url, use: 'read', application_name: 'headwater export' })
  try {
    await client.connect()
    await client.query(SETTINGS)
    return await work(client)
  } catch (error) {
    if ((error as { code?: unknown }).code === '42501')
      throw new UserError('DATABASE_LOGIN', `the login may not read the views: ${(error as Error).message}`, {
        hint: 'let an administrator grant it headwater_reader',
        cause: error,
      })
    throw databaseError(error, { chain: 'export' })
  } finally {
    await client.end().catch(() => {})
  }
}

export function checkRange({ fromBlock, toBlock, from, to }: Selection): void {
  const hint = 'the beginning must not be after the end'
  if (fromBlock !== undefined && toBlock !== undefined && fromBlock > toBlock)
    throw new UserError('EXPORT_RANGE', `no block is from ${fromBlock} to ${toBlock}`, { hint })
  if (from !== undefined && to !== undefined && from >= to)
    throw new UserError('EXPORT_RANGE', `no time is from ${from.toISOString()} to before ${to.toISOString()}`, { hint })
}

/** Indexed chains of a view's schema, or only the wanted one. @throws UserError UNKNOWN_CHAIN */
export async function chainsOf(client: pg.Client, view: View, wanted?: string): Promise<ChainRange[]> {
  const { rows } = await client.query<ChainRange>(CHAINS(view.name.split('.')[0] as string))
  if (wanted === undefined) return rows
  const found = rows.filter(({ chain }) => chain === wanted)
  if (found.length > 0) return found
  throw new UserError('UNKNOWN_CHAIN', `nothing of the chain ${wanted} is indexed in this database`, {
    hint: rows.length > 0 ? `there are ${rows.map(({ chain }) => chain).join(', ')}` : 'nothing is indexed yet',
  })
}

export interface FileOptions extends Omit<ExportOptions, 'url' | 'view'> {
  /** Temporary path until the file is complete. */
  part?: string
  /** Columns of the file. Default: all of the view. */
  columns?: readonly ViewColumn[]
  /** Column by which the rows of each window of blocks are ordered first. Default: the order of the chain. */
  clusterBy?: string | undefined
  /** Called when the file is complete, before it gets its name. */
  onComplete?: (file: WrittenFile, rows: number) => void
}

/** Writes one file. @returns number of rows */
export async function writeFile(
  client: pg.Client,
  view: View,
  chains: readonly ChainRange[],
  options: FileOptions,
): Promise<number> {
  const file = new OutputFile(options.out, options.part)
  try {
    const write = (bytes: Uint8Array) => file.write(bytes)
    const { sink, statement } = (options.format === 'csv' ? asCsv : asParquet)(view, options, write)
    const ahead = new ReadAhead(sink, options.onRows)
    const read = async (selection: Selection) => {
      const output = client.query(copyTo(statement(selection)))
      await ahead.add(output)
      return output.rowCount
    }
    if (isFacts(view)) for (const chain of chains) await readWindows(client, view, chain, options, read)
    else await read(options)
    await ahead.end()
    await sink.end()
    options.onComplete?.(file.complete(), sink.rows)
    file.keep()
    return sink.rows
  } finally {
    file.discard()
  }
}

/** Name and type of each column of a file. All files of a folder must have the same. */
export function columnsOf({ columns }: View, format: Format): string[] {
  if (format === 'csv') return columns.map(({ name, type }) => `${name} ${type}`)
  return columns.flatMap((column) => sourceColumn(column).targets.map(({ name, type }) => `${name} ${type}`))
}

interface Target {
  sink: Sink
  statement(selection: Selection): string
}

type Rows = Pick<FileOptions, 'columns' | 'clusterBy'>

function asCsv(view: View, { columns = view.columns, clusterBy }: Rows, write: (bytes: Uint8Array) => void): Target {
  return {
    sink: new CsvSink(columns, write),
    statement: (selection) =>
      `copy (${selectRows(view, selection, csvExpression, columns, clusterBy)}) to stdout (${CSV_COPY})`,
  }
}

function asParquet(
  view: View,
  { columns = view.columns, clusterBy }: Rows,
  write: (bytes: Uint8Array) => void,
): Target {
  const expression = (column: ViewColumn) => sourceColumn(column).expression
  return {
    sink: new ParquetSink(columns.map(sourceColumn), write),
    statement: (selection) =>
      `copy (${selectRows(view, selection, expression, columns, clusterBy)}) to stdout (format binary, encoding 'UTF8')`,
  }
}

/** Converts times to blocks, because the view is read in block ranges. */
async function readWindows(
  client: pg.Client,
  view: View,
  { chain, firstBlock, lastBlock }: ChainRange,
  { fromBlock, toBlock, from, to }: Selection,
  read: (selection: Selection) => Promise<number>,
): Promise<void> {
  const side = view.name.split('.')[0] as string
  const blockAt = async (time: Date): Promise<number | null> =>
    (await client.query<{ num: number | null }>(BLOCK_AT(side), [chain, time])).rows[0]?.num ?? null
  let [first, last] = [firstBlock, lastBlock]
  // These blocks enclose the times; windows are selected by time as well.
  const [earliest, latest] = isByBlockTime(view) ? [from, to] : []
  if (earliest !== undefined) first = (await blockAt(earliest)) ?? lastBlock
  if (latest !== undefined) last = (await blockAt(latest)) ?? lastBlock
  const bounds = {
    fromBlock: earliest === undefined ? fromBlock : Math.max(first, fromBlock ?? first),
    toBlock: latest === undefined ? toBlock : Math.min(last, toBlock ?? last),
  }
  await new BlockWindows(first, last, bounds).each((window) => read({ chain, from, to, ...window }))
}
