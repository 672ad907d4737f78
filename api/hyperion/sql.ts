// Statements of the Hyperion API. $1: chain.
import { markColumns } from '../kit/snapshot.ts'
import { IS_WHOLE } from '../kit/whole-state.ts'
import type { TransferFilter } from './request.ts'

const AT = `with at as materialized (
  select block_num, block_id, block_time, lib_num, ${IS_WHOLE} as is_whole from meta.position where chain = $1)`

/** How the rows of a request are found: each way reads an index in the order of time. */
export type Way = 'account' | 'from' | 'to' | 'contracts'

export function wayOf({ account, from, to }: TransferFilter): Way {
  if (from !== null) return 'from'
  if (to !== null) return 'to'
  return account === null ? 'contracts' : 'account'
}

/**
 * Rows whose token is of one of the contracts `list`, through the index of each token. The symbols are read from that
 * index too, one step a symbol: the current state may lack a token.
 */
const ofContracts = (list: string, wanted: string, order: string) => `
  (select t.* from (
    with recursive tokens as (
      select f.contract, f.symbol from unnest(${list}) c(contract) cross join lateral (
        select v.contract, v.symbol from ledger.transfers v where v.chain = $1 and v.contract = c.contract
        order by v.contract, v.symbol limit 1) f
      union all
      select n.contract, n.symbol from tokens s cross join lateral (
        select v.contract, v.symbol from ledger.transfers v where v.chain = $1 and v.contract = s.contract
        and v.symbol > s.symbol order by v.contract, v.symbol limit 1) n)
    select * from tokens where $6::text is null or symbol = $6) s
   cross join lateral (select v.* from ledger.transfers v where v.contract = s.contract and v.symbol = s.symbol and ${wanted} ${order} limit $4) t)`

/**
 * Transfers in the order of time. $2 and $3: times, both inclusive; $4: limit; $5: contracts, or null; $6: symbol, or
 * null; $7, $8, $9: sender, receiver, account, or null.
 */
export function transfersStatement(way: Way, sort: 'asc' | 'desc'): string {
  const order = `order by v.block_time ${sort}, v.global_seq ${sort}`
  const wanted = `v.chain = $1 and v.block_time >= $2::timestamptz and v.block_time <= $3::timestamptz
    and ($5::text[] is null or v.contract = any($5)) and ($6::text is null or v.symbol = $6)
    and ($7::text is null or v.from_account = $7) and ($8::text is null or v.to_account = $8)
    and ($9::text is null or $9 in (v.from_account, v.to_account, v.contract))`
  const by = (condition: string) =>
    `(select v.* from ledger.transfers v where ${condition} and ${wanted} ${order} limit $4)`
  const rows = {
    account: [
      by('v.from_account = $9'),
      by('v.to_account = $9 and v.from_account <> $9'),
      ofContracts('array[$9::text]', `v.from_account <> $9 and v.to_account <> $9 and ${wanted}`, order),
    ].join(' union all '),
    from: by('v.from_account = $7'),
    to: by('v.to_account = $8'),
    contracts: ofContracts('$5::text[]', wanted, order),
  }[way]
  return `${AT}
    select ${markColumns('at')}, at.lib_num::float8 as lib, r.*
    from at left join lateral (
      select v.global_seq::text as sequence, v.block_num::float8 as block, date_part('epoch', v.block_time) * 1000 as time,
        encode(v.trx_id, 'hex') as "trxId", v.contract, v.symbol, v.decimals, v.from_account as "from", v.to_account as "to",
        v.amount::text as amount, v.memo, encode(b.block_id, 'hex') as "blockId", b.producer
      from (select v.* from (${rows}) v ${order} limit $4) v
      left join ledger.blocks b on b.chain = $1 and b.block_num = v.block_num
      ${order}) r on true`
}

/** Transfers of the transaction $2, hexadecimal digits, in the order of the chain. */
export const TRANSACTION_TRANSFERS = `${AT}
  select ${markColumns('at')}, at.lib_num::float8 as lib, r.*
  from at left join lateral (
    select v.global_seq::text as sequence, v.block_num::float8 as block, date_part('epoch', v.block_time) * 1000 as time,
      v.trx_id as "trxId", v.contract, v.symbol, v.decimals, v.from_account as "from", v.to_account as "to",
      v.amount::text as amount, v.memo, encode(b.block_id, 'hex') as "blockId", b.producer
    from head.transfers v left join ledger.blocks b on b.chain = $1 and b.block_num = v.block_num
    where v.chain = $1 and v.trx_id = $2 order by v.global_seq) r on true`

/** Balances of the account $2 that are above zero. $3: rows to skip, $4: limit. */
export const TOKENS = `${AT}
  select ${markColumns('at')}, at.lib_num::float8 as lib, at.is_whole as "isWhole", r.*
  from at left join lateral (
    select b.symbol, b.decimals as precision, b.amount::text as amount, b.contract from state.balances b
    where b.chain = $1 and b.account = $2 and b.amount > 0 order by b.contract, b.symbol offset $3 limit $4) r on true`

/** Time of the first block from $2 on. */
export const TIME_FROM = `select block_time as time from ledger.blocks where chain = $1 and block_num >= $2 order by block_num limit 1`
/** Time of the last block up to $2. */
export const TIME_TO = `select block_time as time from ledger.blocks where chain = $1 and block_num <= $2 order by block_num desc limit 1`

/** Position of the chain with its id. */
export const HEALTH = `
  select p.block_num::float8 as block, p.block_id as id, date_part('epoch', p.block_time) * 1000 as time, p.lib_num::float8 as lib,
    p.head_num::float8 as head, p.first_block::float8 as first, p.chain_id as "chainId", p.indexed,
    (select count(*)::float8 from meta.chain_reports r where r.chain = p.chain and r.ended) as ended
  from meta.position p where p.chain = $1`
