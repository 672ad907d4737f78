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
const CHANGE = `h.hour, h.amount, h.decimals from state.balance_hours h
  where h.chain = $1 and h.account = $2 and h.contract = t.contract and h.symbol = t.symbol`

/**
 * Hours of the account $2 from $5, before $6: the balances of the tokens with contracts $3 and symbols $4 as they changed,
 * and the prices of the tokens that it held, at the ends of hours. Balances are known from the block of the full state on.
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
  held as (select token from changes group by token having max(amount) > 0)
  select ${markColumns('at')},
    (select coalesce(json_agg(json_build_object('hour', ${seconds('s.hour')},
        'known', at.first_block <= ${CHAIN_START} or (at.state_block is not null and s.block_num > greatest(at.state_block, at.first_block))) order by s.hour), '[]')
      from ledger.hour_snapshots s where s.chain = $1 and s.hour >= $5 and s.hour < $6) as hours,
    (select coalesce(json_agg(json_build_object('token', c.token, 'hour', ${seconds('c.hour')}, 'amount', c.amount::text,
        'decimals', c.decimals) order by c.hour), '[]') from changes c) as changes,
    (select coalesce(json_agg(json_build_object('token', p.token_id, 'hour', ${seconds('p.hour')}, 'system', p.system_price::text,
        'usd', p.usd_price::text)), '[]')
      from held h join ledger.price_hours p on p.chain = $1 and p.token_id = h.token and p.hour >= $5 and p.hour < $6) as prices,
    (select ${seconds('b.block_time')} from ledger.blocks b where b.chain = $1 order by b.block_num limit 1) as since
  from at`
