// A node's chain API over contract tables in memory: get_info, get_table_rows (packed) and get_table_by_scope, with
// pages and next keys like a node's.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { nameToU64 } from '../../core/antelope/name.ts'

/** Packed rows by primary key, under `code/scope/table`. */
export type NodeTables = Map<string, Map<bigint, Uint8Array>>

export interface TableServer {
  url: string
  tables: NodeTables
  /** Called after each answer of get_table_rows with the table's name. */
  onRead: (table: string) => void
  /** Rows per page, whatever the requested limit. */
  pageRows: number
  head: number
}

const CHAIN_ID = 'cd'.repeat(32)

export async function startTableServer(t: Test, tables: NodeTables): Promise<TableServer> {
  const state: TableServer = { url: '', tables, onRead() {}, pageRows: 1000, head: 1000 }
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await text(request)) || '{}')
    const path = (request.url ?? '').replace('/v1/chain/', '')
    const answer =
      path === 'get_info' ? info(state) : path === 'get_table_rows' ? rows(state, body) : scopes(state, body)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    if (path === 'get_table_rows') state.onRead(body.table)
  })
  state.url = await listen(t, server)
  return state
}

async function listen(t: Test, server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function info({ head }: TableServer): object {
  const id = head.toString(16).padStart(8, '0').padEnd(64, 'e')
  return {
    chain_id: CHAIN_ID,
    ...{ head_block_num: head, head_block_id: id },
    ...{ last_irreversible_block_num: head, last_irreversible_block_id: id },
  }
}

interface RowsQuery {
  code: string
  scope: string
  table: string
  lower_bound: string
  upper_bound: string
  limit: number
}

function rows({ tables, pageRows }: TableServer, query: RowsQuery): object {
  const wanted = BigInt(query.scope)
  const key = [...tables.keys()].find((name) => {
    const [code = '', scope = '', table] = name.split('/')
    return code === query.code && table === query.table && scopeValue(scope) === wanted
  })
  const lower = query.lower_bound === '' ? 0n : BigInt(query.lower_bound)
  const upper = query.upper_bound === '' ? (1n << 64n) - 1n : BigInt(query.upper_bound)
  const found = [...(tables.get(key ?? '') ?? [])].filter(([id]) => id >= lower && id <= upper)
  found.sort(([a], [b]) => (a < b ? -1 : 1))
  const limit = Math.min(query.limit, pageRows)
  const next = found[limit]
  const page = found.slice(0, limit).map(([, row]) => Buffer.from(row).toString('hex'))
  return { rows: page, more: next !== undefined, next_key: next ? `${next[0]}` : '' }
}

function scopes({ tables }: TableServer, query: { code: string; table: string; lower_bound: string }): object {
  const found = [...tables]
    .filter(([name, list]) => list.size > 0 && name.startsWith(`${query.code}/`) && name.endsWith(`/${query.table}`))
    .map(([name]) => ({ scope: name.split('/')[1] ?? '' }))
    .filter(({ scope }) => scopeValue(scope) >= BigInt(query.lower_bound))
  return { rows: found, more: '' }
}

/** Value of a scope's name; scope 0 is the empty name. */
function scopeValue(scope: string): bigint {
  return nameToU64(scope)
}
