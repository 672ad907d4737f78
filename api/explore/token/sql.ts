// Statements of a token. $1: chain.
import { markColumns } from '../../kit/snapshot.ts'
import { AT_FINAL, factColumns, factsStatement } from '../facts.ts'

const HOLDER = `b.account, b.amount::text as amount,
  not exists (select from undo.balances e where e.chain = $1 and e.contract = b.contract and e.symbol = b.symbol
    and e.account = b.account and e.undo_block > at.lib_num) as "isFinal"`

/** Supply of the token with contract $2 and symbol $3; null columns when it is not watched. */
const SUPPLY = `s.supply::text as supply, s.max_supply::text as "maxSupply", s.issuer, s.decimals`

/**
 * Holders of the token with contract $2 and symbol $3, the largest first, after the amount $4 and account $5. $6: limit.
 * Read through an index in this order.
 */
export const TOKEN_HOLDERS = `
  ${AT_FINAL}
  select ${markColumns('at')}, at.is_whole as "isWhole", ${SUPPLY},
    (select coalesce(json_agg(h), '[]') from (select ${HOLDER} from state.balances b
      where b.chain = $1 and b.contract = $2 and b.symbol = $3 and b.amount > 0 and (b.amount, b.account) < ($4::int8, $5::text)
      order by b.amount desc, b.account desc limit $6) h) as holders
  from at left join state.supplies s on s.chain = $1 and s.contract = $2 and s.symbol = $3`

/** Whether the block $2 with the id $3 is still one of the chain. */
export const IS_BLOCK = `
  select exists (select from ledger.blocks where chain = $1 and block_num = $2 and block_id = decode($3, 'hex')) as "isBlock"`

/**
 * Balances of the token with contract $2 and symbol $3, by the number of digits of their raw units, and sums of the
 * largest. Each number of digits is a range of the index in the order of the amounts, which alone is read: that index has
 * no column of the chain, so the chain's partition is named.
 */
export const tokenDistribution = (chain: string) => `
  ${AT_FINAL},
  top as materialized (select b.amount, row_number() over () as place from (select b.amount from ${balancesOf(chain)} b
    where b.contract = $2 and b.symbol = $3 and b.amount > 0 order by b.amount desc limit 100) b)
  select ${markColumns('at')}, at.is_whole as "isWhole", ${SUPPLY},
    (select json_agg(json_build_object('count', n.count, 'sum',
        (select coalesce(sum(top.amount), 0)::text from top where top.place <= n.count)) order by n.count)
      from unnest(array[1, 10, 50, 100]) n(count)) as largest,
    (select coalesce(json_agg(json_build_object('digits', d.digits, 'holders', g.holders, 'sum', g.sum::text) order by d.digits desc), '[]')
      from generate_series(1, 19) d(digits) cross join lateral (select count(*) as holders, sum(b.amount) as sum
        from ${balancesOf(chain)} b where b.contract = $2 and b.symbol = $3
          and b.amount >= (10::numeric ^ (d.digits - 1))::int8 and b.amount <= least(10::numeric ^ d.digits - 1, 9223372036854775807)::int8
        offset 0) g where g.holders > 0) as sizes
  from at left join state.supplies s on s.chain = $1 and s.contract = $2 and s.symbol = $3`

/** The partition of a configured chain. */
const balancesOf = (chain: string) => `state."balances__${chain}"`

const seconds = (column: string) => `date_part('epoch', ${column})`

/**
 * Prices of the pools $2 at the ends of hours from $3, before $4: stored candles of hours with swaps; the price before
 * them, or that of the pool's creation; and the USD price of the system token at the end of each hour with blocks.
 */
export const TOKEN_HOURS = `
  ${AT_FINAL}
  select ${markColumns('at')},
    (select coalesce(json_agg(json_build_object('pool', c.market_id, 'hour', ${seconds('c.bucket_time')}, 'price', c.close::text)
        order by c.bucket_time), '[]')
      from derive.candles c where c.chain = $1 and c.market_kind = 'amm' and c.market_id = any($2::int8[]) and c.resolution = '60'
        and c.bucket_time >= $3 and c.bucket_time < $4) as closes,
    (select coalesce(json_agg(json_build_object('pool', p.id, 'before', b.close::text, 'created', ${seconds('m.block_time')},
        'creationPrice', m.sqrt_price_x64::text)), '[]')
      from unnest($2::int8[]) p(id)
      left join lateral (select c.close from derive.candles c where c.chain = $1 and c.market_kind = 'amm' and c.market_id = p.id
        and c.resolution = '60' and c.bucket_time < $3 order by c.bucket_time desc limit 1) b on true
      left join lateral (select c.block_time, c.sqrt_price_x64 from ledger.pool_creations c where c.chain = $1 and c.pool_id = p.id
        order by c.block_time, c.global_seq limit 1) m on true) as starts,
    (select coalesce(json_agg(json_build_object('hour', ${seconds('h.hour')}, 'usd', u.usd::text) order by h.hour), '[]')
      from (select s.hour, s.block_num from ledger.hour_snapshots s where s.chain = $1 and s.hour < $4
          and s.hour >= coalesce((select max(o.hour) from ledger.hour_snapshots o where o.chain = $1 and o.hour < $3), '-infinity')) h
      left join lateral (select q.usd from ledger.usd_prices q where q.chain = $1 and q.block_num < h.block_num
        order by q.block_num desc limit 1) u on true) as dollars,
    (select ${seconds('b.block_time')} from ledger.blocks b where b.chain = $1 order by b.block_num limit 1) as since
  from at`

/** Transfers of the token with the contract $2 and the symbol $3. $4 and $5: the cursor that the page follows, $6: limit. */
export const TOKEN_TRANSFERS = factsStatement(
  `select ${factColumns({ name: 'transfers', accounts: [] })} from head.transfers v
    where v.chain = $1 and v.contract = $2 and v.symbol = $3 and (v.block_time, v.global_seq) < ($4::timestamptz, $5::int8)
    order by v.block_time desc, v.global_seq desc limit $6`,
  'f.global_seq desc',
)
