// Statements of the search. Each reads a few entries of indexes, whatever the length of the history.
import { ACTIVITY, DATASETS, relationOf, trxOf } from '../facts.ts'

/** Columns with names of accounts: current rows, then facts; each has an index that begins with it. */
const ACCOUNT_COLUMNS: readonly (readonly [table: string, column: string])[] = [
  ['state.balances', 'account'],
  ['state.positions', 'owner'],
  ['state.orders', 'account'],
  ...ACTIVITY.flatMap(({ name, accounts }) => accounts.map((column) => [`ledger.${name}`, column] as const)),
]

const leastName = (table: string, column: string, after: string) => `
  select v.${column} as name from ${table} v where v.chain = $1 and v.${column} ${after} and v.${column} <= $3
  order by v.${column} limit 1`

/**
 * Names of accounts from $2 to $3; $1 chain, $4 limit. Each index is descended once for each name: its other entries of
 * that name are not read.
 */
export const ACCOUNTS_FROM = `select distinct name from (${ACCOUNT_COLUMNS.map(
  ([table, column]) => `(
    with recursive found as (
      (${leastName(table, column, '>= $2')})
      union all
      select (${leastName(table, column, '> f.name')}) from found f where f.name is not null)
    select name from found where name is not null limit $4)`,
).join(' union all ')}) u order by name limit $4`

/** Datasets with rows of the transaction $2, hexadecimal digits. $1: chain. */
export const TRANSACTION = `
  select f.dataset, f.block_num::float8 as block, f.block_num <= p.lib_num as "isFinal"
  from (${DATASETS.map(
    (dataset) => `(select '${dataset.name}' as dataset, v.block_num from ${relationOf(dataset)} v
      where v.chain = $1 and ${trxOf(dataset)} = $2 limit 1)`,
  ).join(' union all ')}) f join meta.position p on p.chain = $1 order by f.dataset`

/** The block with the number $2 when its id starts with $3. $1: chain. */
export const BLOCK_FOUND = `
  select b.block_num::float8 as num, encode(b.block_id, 'hex') as id, b.producer, b.block_num <= p.lib_num as "isFinal"
  from ledger.blocks b join meta.position p on p.chain = b.chain
  where b.chain = $1 and b.block_num = $2::int8 and encode(b.block_id, 'hex') like $3 || '%'`

const LEG = (row: string, key: string, from: string, to: string) =>
  `${row}.chain, ${key} as key, ${from} as "from", ${to} as "to", ${row}.block_num, ${row}.block_time`
const WITHDRAWAL = `${LEG('w', `'w:' || w.id`, 'w.sender', 'meta.address(w.recipient)')} from ledger.withdrawals w`
const DEPOSIT = `${LEG('d', `'d:' || m.domain || ':' || d.nonce`, 'd.sender', 'd.beneficiary')}
  from ledger.deposits d join meta.chain_domains m on m.chain = d.chain`
const VAULT_DEPOSIT = `${LEG('v', `'d:' || m.domain || ':' || v.nonce`, 'meta.address(v.from_address)', 'v.telos_to')}
  from ledger.vault_deposits v join meta.chain_domains m on m.chain = v.chain`
const EVENT = `${LEG('e', `'d:' || e.domain || ':' || e.nonce`, 'null', 'e.account')} from ledger.deposit_events e`

const legs = (selects: string) => `
  select l.chain, l.key, l."from", l."to", l.block_num <= p.lib_num as "isFinal"
  from (select distinct on (u.key) u.* from (${selects}) u where u.key is not null order by u.key, u.block_time) l
  join meta.position p on p.chain = l.chain order by l.key limit 20`

/** The deposit of the domain $1 with the nonce $2, on any chain. The chain of the deposit has precedence. */
export const DEPOSIT_LEG = legs(
  `select ${DEPOSIT} where m.domain = $1::numeric and d.nonce = $2::numeric
  union all select ${VAULT_DEPOSIT} where m.domain = $1::numeric and v.nonce = $2::numeric
  union all (select ${EVENT} where e.domain = $1::numeric and e.nonce = $2::numeric order by e.block_time limit 1)`,
)

/** The withdrawal $1. */
export const WITHDRAWAL_LEG = legs(`select ${WITHDRAWAL} where w.id = $1::numeric`)

/** Legs that the transaction $1 began, passed on or ended, on any chain. */
export const LEGS_OF_TRANSACTION = legs(
  `select ${WITHDRAWAL} where w.trx_id = decode($1, 'hex')
  union all select ${WITHDRAWAL} join ledger.withdrawal_events x on x.id = w.id where encode(x.trx_id, 'hex') = $1
  union all select ${WITHDRAWAL} join ledger.withdrawal_outcomes x on x.id = w.id where encode(x.trx_id, 'hex') = $1
  union all select ${DEPOSIT} where d.trx_id = decode($1, 'hex')
  union all select ${VAULT_DEPOSIT} where v.trx_id = decode($1, 'hex')
  union all select ${EVENT} where encode(e.trx_id, 'hex') = $1`,
)
