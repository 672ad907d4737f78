// Exports a view to a file, as a stream: memory does not grow with the rows. The file appears when it is complete.
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import QueryStream from 'pg-query-stream'
import { csvExpression, csvLine } from './csv.ts'
import { parquetColumn, writeParquet } from './parquet.ts'
import { SETTINGS, type Selection, type Statement, selectRows } from './sql.ts'
import { findView } from './view.ts'

export const FORMATS = ['csv', 'parquet'] as const
export type Format = (typeof FORMATS)[number]

export interface ExportOptions extends Selection {
  /** Connection string of a role that may read the views: the reader suffices. */
  url: string
  /** `head.swaps`, `final.swaps`, or `swaps` for the final one. */
  view: string
  format: Format
  out: string
  /** Called with the rows read so far. */
  onRows?: (rows: number) => void
}

/** Rows between two calls of `onRows`. */
const PROGRESS = 10_000

/**
 * @returns rows written
 * @throws UserError UNKNOWN_VIEW, NO_SUCH_COLUMN
 */
export async function exportView(options: ExportOptions): Promise<number> {
  const client = new pg.Client({ connectionString: options.url, application_name: 'headwater export' })
  await client.connect()
  const part = `${options.out}.part`
  try {
    await client.query(SETTINGS)
    const rows = await write(client, part, options)
    await rename(part, options.out)
    return rows
  } catch (error) {
    await rm(part, { force: true })
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

async function write(client: pg.Client, path: string, options: ExportOptions): Promise<number> {
  const view = await findView(client, options.view)
  const counter = { rows: 0 }
  if (options.format === 'parquet') {
    const columns = view.columns.map(parquetColumn)
    const expressions = new Map(columns.map(({ schema, expression }) => [schema.name, expression]))
    const statement = selectRows(view, options, ({ name }) => expressions.get(name)!)
    await writeParquet(path, columns, readRows(client, statement, options, counter))
  } else {
    const statement = selectRows(view, options, csvExpression)
    const lines = csvLines(
      view.columns.map(({ name }) => name),
      readRows(client, statement, options, counter),
    )
    await pipeline(Readable.from(lines), createWriteStream(path))
  }
  return counter.rows
}

async function* readRows(
  client: pg.Client,
  { text, values }: Statement,
  { onRows }: ExportOptions,
  counter: { rows: number },
): AsyncGenerator<(string | null)[]> {
  const stream = client.query(new QueryStream(text, values, { batchSize: 1000, rowMode: 'array' }))
  for await (const row of stream) {
    yield row
    if (++counter.rows % PROGRESS === 0) onRows?.(counter.rows)
  }
}

async function* csvLines(header: string[], rows: AsyncIterable<(string | null)[]>): AsyncGenerator<string> {
  let chunk = csvLine(header)
  for await (const row of rows) {
    chunk += csvLine(row)
    if (chunk.length < 1 << 16) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}
