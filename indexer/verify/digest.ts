// A digest of all rows that the chain determines: equal for a chain followed live, through forks and restarts, and for
// one replayed later. Streams the rows, with constant memory.
import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import QueryStream from 'pg-query-stream'
import type { VerifiedTable } from './tables.ts'

interface TableDigest {
  /** `ledger.swaps` */
  table: string
  rows: number
  /** SHA-256 of the rows in key order, hex. */
  sha256: string
}

export interface ChainDigest {
  /** Digests of the tables that have rows. */
  tables: TableDigest[]
  /** SHA-256 of a line `table rows sha256` for each of them. */
  sha256: string
}

/** Orphaned blocks are not part of the chain. */
const ORPHANED = 'orphaned_blocks'

/** Assumes a session with the settings of `sql.ts`, so that equal values have equal texts. */
export async function digestChain(client: ClientBase, chain: string, tables: VerifiedTable[]): Promise<ChainDigest> {
  const digests: TableDigest[] = []
  const total = createHash('sha256')
  for (const table of tables) {
    if (table.name === ORPHANED) continue
    const digest = await digestTable(client, chain, table)
    if (digest.rows === 0) continue
    total.update(`${digest.table} ${digest.rows} ${digest.sha256}\n`)
    digests.push(digest)
  }
  return { tables: digests, sha256: total.digest('hex') }
}

async function digestTable(client: ClientBase, chain: string, table: VerifiedTable): Promise<TableDigest> {
  const hash = createHash('sha256')
  let rows = 0
  const stream = client.query(new QueryStream(rowsAsText(table), [chain], { batchSize: 2000, rowMode: 'array' }))
  for await (const [text] of stream) {
    hash.update(text as string)
    hash.update('\n')
    rows++
  }
  return { table: `${table.schema}.${table.name}`, rows, sha256: hash.digest('hex') }
}

/** A row in PostgreSQL's text form: distinguishes null from an empty text, and separates columns unambiguously. */
function rowsAsText({ schema, name, columns, digested, types, key }: VerifiedTable): string {
  const order = key
    .filter((column) => digested.includes(column))
    // Collations differ between servers.
    .map((column) => (types[columns.indexOf(column)] === 'text' ? `${quoted(column)} collate "C"` : quoted(column)))
  return `select row(${digested.map(quoted).join(', ')})::text from ${schema}.${name} where chain = $1 order by ${order.join(', ')}`
}

function quoted(column: string): string {
  return `"${column}"`
}
