// Current rows of an account. $1 chain, $2 account, $3 limit of each list.
import { markColumns } from '../../kit/snapshot.ts'
import { AT_FINAL } from '../facts.ts'
import { POSITION_COLUMNS } from '../position.ts'

/** Whether no reversible block changed the row: such a change leaves a before-image. */
const isFinal = (table: string, key: string) =>
  `not exists (select from undo.${table} e where e.chain = $1 and ${key} and e.undo_block > at.lib_num) as "isFinal"`

const list = (rows: string) => `(select coalesce(json_agg(r), '[]') from (${rows} limit $3) r)`

export const ACCOUNT_ROWS = `
  ${AT_FINAL}
  select ${markColumns('at')},
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
