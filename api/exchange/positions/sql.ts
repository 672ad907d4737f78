// SQL of open positions with sums over their events. Parameters: $1 chain, $2 pool or owner.
import { LIQUIDITY_USD } from '../../kit/liquidity-usd.ts'
import { positionColumns } from '../../kit/position-value.ts'
import { AT, markColumns } from '../../kit/snapshot.ts'

const DEPOSITED = `sum(case type when 'mint' then ${LIQUIDITY_USD} when 'burn' then -${LIQUIDITY_USD} end)`
/** Positions that were merged into another one. */
const MERGED = 'select position_id as id from ledger.position_events where chain = $1 and merged and to_position_id ='

/** Deposits into all positions that were merged into a position, directly or through others. */
const TAKEN_IN = `
  with recursive part as (
    ${MERGED} p.position_id
    union select e.id from part cross join lateral (${MERGED} part.id offset 0) e
  )
  select sum(d.deposited) as deposited from part cross join lateral (
    select ${DEPOSITED} as deposited from ledger.position_events where chain = $1 and position_id = part.id) d`

const POSITIONS = (condition: string) => `
  ${AT}
  select ${markColumns('at')}, ${positionColumns('p')}, p.pool_id::float8 as pool,
    date_part('epoch', l.unlock_time) as "unlockTime",
    (coalesce(e.deposited, 0) + coalesce(m.deposited, 0))::float8 as deposited,
    e.collected_a::text as "collectedA", e.collected_b::text as "collectedB", e.collected_usd::float8 as "collectedUsd",
    date_part('epoch', e.last_collect) * 1000 as "lastCollect"
  from at
  left join state.positions p on p.chain = $1 and ${condition} and p.liquidity > 0
  left join state.locks l on l.chain = $1 and l.position_id = p.position_id
  left join lateral (
    select ${DEPOSITED} as deposited,
      sum(amount_a) filter (where type = 'collect') as collected_a, sum(amount_b) filter (where type = 'collect') as collected_b,
      sum(${LIQUIDITY_USD}) filter (where type = 'collect') as collected_usd, max(block_time) filter (where type = 'collect') as last_collect
    from ledger.position_events
    where chain = $1 and position_id = p.position_id and type in ('mint', 'burn', 'collect')
  ) e on true
  left join lateral (${TAKEN_IN}) m on true
  order by p.position_id`

export const POOL_POSITIONS = POSITIONS('p.pool_id = $2')
export const ACCOUNT_POSITIONS = POSITIONS('p.owner = $2')
