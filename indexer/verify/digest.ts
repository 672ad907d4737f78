// A digest of everything that the chain determines: the same for a chain that was followed live, through forks and
// restarts, and for one replayed afterwards. Streams: memory does not grow with the rows.
import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import QueryStream from 'pg-query-stream'
import type { VerifiedTable } from './tables.ts'

export interface TableDigest {
  /** `ledger.swaps` */
  table: string
  rows: number
  /** SHA-256 of the rows in the order of their key, hexadecimal digits. */
  sha256: string
}

export interface ChainDigest {
  /** Of the tables that have rows. */
  tables: TableDigest[]
  /** SHA-256 of a line `table rows sha256` for each of them. */
  sha256: string
}

/** What a node sent before it changed its mind is no part of the chain. */
const NOT_OF_THE_CHAIN = 'orphaned_blocks'
/** The chain's name is the operator's choice; whether a certificate was checked depends on when it came. */
const NOT_DIGESTED: ReadonlySet<string> = new Set(['chain', 'verified'])

/** Assumes a session with the settings of `sql.ts`, so that equal values have equal texts. */
export async function digestChain(client: ClientBase, chain: string, tables: VerifiedTable[]): Promise<ChainDigest> {
  const digests: TableDigest[] = []
  const total = createHash('sha256')
  for (const table of tables) {
    if (table.name === NOT_OF_THE_CHAIN) continue
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

/** A row as PostgreSQL writes one: nulls and empty texts differ, and no text can be taken for two columns. */
function rowsAsText({ schema, name, columns, types, key }: VerifiedTable): string {
  const digested = columns.filter((column) => !NOT_DIGESTED.has(column)).map(quoted)
  const order = key
    .filter((column) => !NOT_DIGESTED.has(column))
    // Collations differ between servers.
    .map((column) => (types[columns.indexOf(column)] === 'text' ? `${quoted(column)} collate "C"` : quoted(column)))
  return `select row(${digested.join(', ')})::text from ${schema}.${name} where chain = $1 order by ${order.join(', ')}`
}

function quoted(column: string): string {
  return `"${column}"`
}
