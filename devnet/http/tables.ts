// Table queries as in `get_table_rows` and `get_table_by_scope`.

import { nameToString, nameToU64 } from '../../core/antelope/name.ts'
import { toHex } from '../../core/hex.ts'
import { required } from '../../core/required.ts'
import type { Chain } from '../chain/chain.ts'
import type { TableRows } from '../chain/table-rows.ts'
import { ChainApiError } from './error.ts'
import { toNodeJson } from './json.ts'

export interface TableQuery {
  code: string
  scope: string | number
  table: string
  json?: boolean
  lower_bound?: string | number
  upper_bound?: string | number
  limit?: number
  reverse?: boolean
  show_payer?: boolean
  key_type?: string
  index_position?: string | number
}

export interface TablePage {
  rows: unknown[]
  more: boolean
  /** Primary key of the next row; empty at the end. */
  next_key: string
}

const DEFAULT_LIMIT = 10

/** A key given as a number or as a name. */
function keyOf(value: string | number, keyType?: string): bigint {
  const text = String(value).trim()
  if (keyType !== 'name' && /^\d+$/.test(text)) return BigInt(text)
  try {
    return nameToU64(text)
  } catch {
    throw new ChainApiError(3010010, 'abi_type_exception', `Could not convert "${text}" to any of: uint64_t, name`)
  }
}

const given = (value: string | number | undefined): value is string | number => value !== undefined && value !== ''

/** Row indexes [begin, end) within the bounds. */
function boundsOf(rows: TableRows, query: TableQuery): { begin: number; end: number } {
  const lower = given(query.lower_bound) ? rows.indexOf(keyOf(query.lower_bound, query.key_type)) : 0
  if (!given(query.upper_bound)) return { begin: lower, end: rows.size }
  return { begin: lower, end: rows.indexOf(keyOf(query.upper_bound, query.key_type) + 1n) }
}

/** @throws ChainApiError for an unknown contract or table, a malformed bound, a secondary index */
export function tableRows(chain: Chain, query: TableQuery): TablePage {
  const abi = chain.state.findAccount(query.code)?.state.abi
  if (!abi) throw new ChainApiError(3060002, 'account_query_exception', `No ABI for account ${query.code}`)
  const type = abi.compiled.tables.get(query.table)
  if (type === undefined) {
    throw new ChainApiError(
      3060003,
      'contract_table_query_exception',
      `Table ${query.table} is not specified in the ABI`,
    )
  }
  if (given(query.index_position) && !['1', 'primary', 'first'].includes(String(query.index_position))) {
    throw new ChainApiError(3060003, 'contract_table_query_exception', 'only the primary index is available here')
  }
  const rows = chain.state.findRows(query.code, query.table, nameToString(keyOf(query.scope)))
  if (!rows) return { rows: [], more: false, next_key: '' }

  const { begin, end } = boundsOf(rows, query)
  const count = Math.max(0, Math.min(end - begin, query.limit ?? DEFAULT_LIMIT))
  const at = (i: number) => required(rows.keyAt(query.reverse ? end - 1 - i : begin + i), `row ${i}`)
  const more = count < end - begin
  return {
    rows: Array.from({ length: count }, (_, i) => {
      const { value, payer, packed } = required(rows.get(at(i)), `row ${i}`)
      const data = query.json ? toNodeJson(abi.definition, type, value) : toHex(packed)
      return query.show_payer ? { data, payer } : data
    }),
    more,
    next_key: more ? at(count).toString() : '',
  }
}

export interface ScopeQuery {
  code: string
  table?: string
  lower_bound?: string
  upper_bound?: string
  limit?: number
  reverse?: boolean
}

/** Tables of a contract with their scopes, ordered by scope value. */
export function tablesByScope(chain: Chain, query: ScopeQuery): { rows: object[]; more: string } {
  const lower = given(query.lower_bound) ? keyOf(query.lower_bound) : 0n
  const upper = given(query.upper_bound) ? keyOf(query.upper_bound) : (1n << 64n) - 1n
  const found = [...chain.state.allTables()]
    .map((rows) => ({ rows, scope: nameToU64(rows.scope) }))
    .filter(({ rows, scope }) => rows.code === query.code && rows.size > 0 && scope >= lower && scope <= upper)
    .filter(({ rows }) => !query.table || rows.table === query.table)
    .sort((a, b) => (a.scope < b.scope ? -1 : a.scope > b.scope ? 1 : a.rows.table < b.rows.table ? -1 : 1))
  if (query.reverse) found.reverse()
  const limit = query.limit ?? DEFAULT_LIMIT
  return {
    rows: found.slice(0, limit).map(({ rows: { code, scope, table, payer, size } }) => {
      return { code, scope, table, payer, count: size }
    }),
    more: found[limit]?.rows.scope ?? '',
  }
}
