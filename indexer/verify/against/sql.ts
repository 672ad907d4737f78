// SQL that compares current rows with a node's rows in temporary tables.
import type { Table } from '../../store/catalog.ts'
import { columnList } from '../../store/ledger.ts'

export const ABIS = `
  select account, block_num as "blockNum", global_seq as "globalSeq", abi from ledger.abis where chain = $1`

export const POSITION = `select block_num as block, block_id as id, block_time as time from meta.position where chain = $1`

/** Current rows whose last change could not be decoded. */
export const STALE_ROWS = `
  select format('%s/%s/%s %s', contract, scope, table_name, primary_key) as row, changed_block as block, current_table as "table",
    reason from state.stale_rows where chain = $1 order by contract, scope, table_name, primary_key`

export const CREATE_CONTRACTS = 'create temp table node_contracts (contract text)'

/** Token contracts of pools and markets; also stores them for `differingRows`. */
export const TOKEN_CONTRACTS = `
  insert into node_contracts
  select contract_a from state.pools where chain = $1 union select contract_b from state.pools where chain = $1
  union select base_contract from state.markets where chain = $1 union select target_contract from state.markets where chain = $1
  returning contract`

export function nodeTable(table: Table): string {
  return `node_${table.name}`
}

export function createNodeTable(table: Table): string {
  return `create temp table ${nodeTable(table)} (like ${table.id})`
}

/**
 * Rows that only one side has, or that differ, by key. $1 is the chain, $2 the accounts of the exchange.
 * `total` is the number of all; at most `limit` are returned.
 */
export function differingRows(table: Table, limit: number): string {
  const key = table.key.filter((name) => name !== 'chain')
  const match = key.map((name) => `n."${name}" = s."${name}"`).join(' and ')
  const keys = key.map((name) => `'${name}', coalesce(n."${name}", s."${name}")`).join(', ')
  const columns = columnList(table)
  // Only balances of the exchange's accounts were read from the node, in the token contracts of its pools and markets. The
  // second condition is always true: PostgreSQL needs the type of the parameter $2 in each statement.
  const scope =
    table.name === 'balances'
      ? ' and account = any ($2) and contract in (select contract from node_contracts)'
      : ' and $2::text[] is not null'
  const stored = `select ${columns} from ${table.id} where chain = $1${scope}`
  const node = `select ${columns} from ${nodeTable(table)}`
  return `
    select json_build_object(${keys})::text as key, count(*) over () as total,
      case when n.chain is not null then (to_jsonb(n) - 'chain')::text end as expected,
      case when s.chain is not null then (to_jsonb(s) - 'chain')::text end as found
    from (${node} except ${stored}) n
    full join (${stored} except ${node}) s on ${match}
    order by 1 limit ${limit}`
}

export function countNodeRows(table: Table): string {
  return `select count(*)::int8 as count from ${nodeTable(table)}`
}
