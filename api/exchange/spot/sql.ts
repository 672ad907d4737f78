// SQL of order-book trades.
import { AT, markColumns } from '../snapshot.ts'

const DEAL = `market_id::text as "marketId", global_seq::text as id, date_part('epoch', block_time) as time, type,
  unit_price::text as "unitPrice", amount_base::text as "amountBase", amount_target::text as "amountTarget",
  decimals_base as "decimalsBase", decimals_target as "decimalsTarget", encode(trx_id, 'hex') as "trxId"`

/**
 * The newest trades of a market, newest first. $2: market; $3: buymatch, sellmatch or null for both; $4, $5: time range
 * [from, before); $6: limit.
 */
export const MARKET_TRADES = `${AT}
  select ${markColumns('at')}, d.* from at left join lateral (
    select ${DEAL} from ledger.deals
    where chain = $1 and market_id = $2 and ($3::text is null or type = $3) and block_time >= $4 and block_time < $5
    order by block_time desc, global_seq desc limit $6
  ) d on true`

/** The newest trades of each of several markets, newest first. $2: markets; $3: limit for each market. */
export const NEWEST_DEALS = `${AT}
  select ${markColumns('at')}, t.* from at left join lateral (
    select d.* from unnest($2::int8[], $3::int8[]) wanted(id, most) cross join lateral (
      select ${DEAL}, global_seq as place from ledger.deals where chain = $1 and market_id = wanted.id
      order by block_time desc, global_seq desc limit wanted.most
    ) d
  ) t on true order by t.place desc`
