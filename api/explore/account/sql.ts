// Current rows of an account. $1 chain, $2 account, $3 limit of each list.
import { markColumns } from '../../kit/snapshot.ts'
import { CHAIN_START } from '../../kit/whole-state.ts'
import { AT_FINAL } from '../facts.ts'
import { POSITION_COLUMNS } from '../position.ts'

/** Whether no reversible block changed the row: such a change leaves a before-image. */
const isFinal = (table: string, key: string) =>
  `not exists (select from undo.${table} e where e.chain = $1 and ${key} and e.undo_block > at.lib_num) as "isFinal"`

const list = (rows: string) => `(select coalesce(json_agg(r), '[]') from (${rows} limit $3) r)`

export const ACCOUNT_ROWS = `
  ${AT_FINAL}
  select ${markColumns('at')}, at.is_whole as "isWhole",
    ${list(`select b.contract, b.symbol, b.decimals, b.amount::text as amount,
        ${isFinal('balances', 'e.contract = b.contract and e.symbol = b.symbol and e.account = b.account')}
      from state.balances b where b.chain = $1 and b.account = $2 and b.amount > 0 order by b.contract, b.symbol`)} as balances,
    ${list(`select ${POSITION_COLUMNS} from state.positions p
      where p.chain = $1 and p.owner = $2 and (p.liquidity > 0 or p.fees_a > 0 or p.fees_b > 0) order by p.position_id`)} as positions,
    ${list(`select o.market_id::float8 as market, o.side, o.order_id::text as id, o.bid_amount::text as bid, o.bid_decimals as "bidDecimals",
        o.ask_amount::text as ask, o.ask_decimals as "askDecimals", o.unit_price::text as "unitPrice",
        date_part('epoch', o.order_time) * 1000 as placed,
        ${isFinal('orders', 'e.market_id = o.market_id and e.side = o.side and e.order_id = o.order_id')}
      from state.orders o where o.chain = $1 and o.account = $2 order by o.market_id, o.side, o.order_id`)} as orders
  from at`

const seconds = (column: string) => `date_part('epoch', ${column})`
const hourOf = (column: string) => `floor(${seconds(column)} / 3600) * 3600`
const CHANGE = `h.hour, h.amount, h.decimals from state.balance_hours h
  where h.chain = $1 and h.account = $2 and h.contract = t.contract and h.symbol = t.symbol`

const EVENT = 'e.pool_id, e.tick_lower, e.tick_upper, e.block_time'
/** Newest changes of liquidity first. A transfer takes it from a position of the owner and adds it to one of the recipient. */
const MOVES = `
  (select ${EVENT}, e.position_id, case e.type when 'mint' then e.liquidity else -e.liquidity end as change
    from ledger.position_events e where e.chain = $1 and e.owner = $2 and e.block_time >= $5 and e.type in ('mint', 'burn', 'transfer')
    order by e.block_time desc limit $7)
  union all (select ${EVENT}, e.to_position_id, e.liquidity
    from ledger.position_events e where e.chain = $1 and e.recipient = $2 and e.recipient is not null and e.block_time >= $5
      and e.type = 'transfer' order by e.block_time desc limit $7)
  order by block_time desc limit $7`

/** Prices of the pool `q.pool` at the ends of hours with swaps, then the price with which the page begins. */
const POOL_PRICES = `
  select q.pool, ${seconds('c.bucket_time')} as hour, c.close as price from pools q join derive.candles c on c.chain = $1
    and c.market_kind = 'amm' and c.market_id = q.pool and c.resolution = '60' and c.bucket_time >= $5 and c.bucket_time < $6
  union all select q.pool, f.hour, f.price from pools q cross join lateral (
    (select 1 as place, ${seconds('c.bucket_time')} as hour, c.close as price from derive.candles c where c.chain = $1
      and c.market_kind = 'amm' and c.market_id = q.pool and c.resolution = '60' and c.bucket_time < $5 order by c.bucket_time desc limit 1)
    union all (select 2, ${hourOf('m.block_time')}, m.sqrt_price_x64 from ledger.pool_creations m
      where m.chain = $1 and m.pool_id = q.pool and m.block_time < $6 order by m.block_time, m.global_seq limit 1)
    union all (select 3, 0, q.now where not exists (select from derive.candles c where c.chain = $1 and c.market_kind = 'amm'
      and c.market_id = q.pool and c.resolution = '60'))
    order by place limit 1) f`

const poolToken = (side: 'a' | 'b') => `lower(p.symbol_${side}) || '-' || p.contract_${side}`

/**
 * Hours of the account $2 from $5, before $6: the balances of the tokens with contracts $3 and symbols $4 as they changed,
 * the positions of now and how their liquidity changed since, prices of their pools, and prices of those tokens that it
 * held, at the ends of hours. Balances are known from the block of the full state on. $7: limit of changes of liquidity,
 * $8: limit of positions.
 */
export const ACCOUNT_HOURS = `
  with at as materialized (select block_num, block_id, block_time, first_block, state_block from meta.position where chain = $1),
  changes as materialized (
    select lower(t.symbol) || '-' || t.contract as token, c.hour, c.amount, c.decimals
    from unnest($3::text[], $4::text[]) t(contract, symbol) cross join lateral (
      (select ${CHANGE} and h.hour < $5 order by h.hour desc limit 1)
      union all (select ${CHANGE} and h.hour >= $5 and h.hour < $6)
    ) c
  ),
  positions as materialized (select p.pool_id, p.position_id, p.tick_lower, p.tick_upper, p.liquidity from state.positions p
    where p.chain = $1 and p.owner = $2 and p.liquidity > 0 limit $8),
  events as materialized (${MOVES}),
  moves as materialized (select e.pool_id, e.position_id, min(e.tick_lower) as tick_lower, min(e.tick_upper) as tick_upper,
      case when e.block_time < $6 then ${hourOf('e.block_time')} end as hour, sum(e.change) as change
    from events e group by e.pool_id, e.position_id, 5 having sum(e.change) <> 0),
  pools as materialized (select p.pool_id as pool, p.sqrt_price_x64 as now, ${poolToken('a')} as "tokenA", p.decimals_a as "decimalsA",
      ${poolToken('b')} as "tokenB", p.decimals_b as "decimalsB"
    from (select pool_id from positions union select pool_id from moves) u join state.pools p on p.chain = $1 and p.pool_id = u.pool_id),
  held as (select token from changes group by token having max(amount) > 0
    union select n.token from (select "tokenA" as token from pools union select "tokenB" from pools) n
      join unnest($3::text[], $4::text[]) t(contract, symbol) on lower(t.symbol) || '-' || t.contract = n.token)
  select ${markColumns('at')},
    (select coalesce(json_agg(json_build_object('hour', ${seconds('s.hour')},
        'known', at.first_block <= ${CHAIN_START} or (at.state_block is not null and s.block_num > greatest(at.state_block, at.first_block))) order by s.hour), '[]')
      from ledger.hour_snapshots s where s.chain = $1 and s.hour >= $5 and s.hour < $6) as hours,
    (select coalesce(json_agg(json_build_object('token', c.token, 'hour', ${seconds('c.hour')}, 'amount', c.amount::text,
        'decimals', c.decimals) order by c.hour), '[]') from changes c) as changes,
    (select coalesce(json_agg(json_build_object('token', p.token_id, 'hour', ${seconds('p.hour')}, 'system', p.system_price::text,
        'usd', p.usd_price::text)), '[]')
      from held h join ledger.price_hours p on p.chain = $1 and p.token_id = h.token and p.hour >= $5 and p.hour < $6) as prices,
    (select coalesce(json_agg(json_build_object('pool', p.pool_id, 'id', p.position_id::text, 'lower', p.tick_lower,
        'upper', p.tick_upper, 'liquidity', p.liquidity::text)), '[]') from positions p) as positions,
    (select coalesce(json_agg(json_build_object('pool', m.pool_id, 'id', m.position_id::text, 'lower', m.tick_lower,
        'upper', m.tick_upper, 'hour', m.hour, 'change', m.change::text) order by m.hour), '[]') from moves m) as moves,
    (select case when count(*) >= $7 then ${seconds('min(e.block_time)')} end from events e) as "movesFrom",
    (select coalesce(json_agg(json_build_object('pool', q.pool, 'tokenA', q."tokenA", 'decimalsA', q."decimalsA", 'tokenB', q."tokenB",
        'decimalsB', q."decimalsB")), '[]') from pools q) as pools,
    (select coalesce(json_agg(json_build_object('pool', l.pool, 'hour', l.hour, 'price', l.price::text) order by l.hour), '[]')
      from (${POOL_PRICES}) l) as "poolPrices",
    (select ${seconds('b.block_time')} from ledger.blocks b where b.chain = $1 order by b.block_num limit 1) as since
  from at`
