// Data of the analytics other than trades: hourly snapshots, counted hours, locked positions, farms, samples of
// holders.
import pg from 'pg'

/** A snapshot for each whole hour of the blocks, with slowly changing values. */
const SNAPSHOTS = `
  insert into ledger.hour_snapshots (chain, hour, block_num, block_time, swap_locked, spot_locked, pools_without_usd,
    orders_without_usd, pools, markets)
  select $1, h, b.block_num, b.block_time, round((2e7 + 5e6 * sin(date_part('epoch', h) / 1e6))::numeric, 8),
    round((2e6 + 5e5 * sin(date_part('epoch', h) / 3e5))::numeric, 8), 0, 0, 6300, 1600
  from meta.position p
  cross join lateral (select date_trunc('hour', block_time, 'UTC') as first from ledger.blocks where chain = $1 and block_num = p.first_block) f
  cross join lateral generate_series(f.first, date_trunc('hour', p.block_time, 'UTC') - interval '1 hour', '1 hour') h
  cross join lateral (
    select block_num, block_time from ledger.blocks where chain = $1
      and block_num >= p.first_block + floor(date_part('epoch', h + interval '1 hour' - f.first) / 60)::int8 - 60
      and block_time >= h + interval '1 hour' order by block_num limit 1
  ) b where p.chain = $1`

const LOCKS = `
  insert into state.locks (chain, position_id, unlock_time)
  select $1, position_id, now() + position_id * interval '1 minute' from state.positions where chain = $1 and position_id % 100 = 0`

const FARMS = `
  insert into state.incentives (chain, incentive_id, creator, pool_id, contract, symbol, decimals, amount, period_finish, duration,
    reward_rate_e18, total_staking_weight, stakes)
  select $1, n, 'farmer', n % 300, contract_a, symbol_a, decimals_a, 1000000000000, now() + (n % 60 - 20) * interval '1 day', 86400,
    1e24::numeric, 1e9::numeric, 3
  from generate_series(0, 999) n join state.pools p on p.chain = $1 and p.pool_id = n % 300`

const HOLDERS = `
  insert into derive.holder_samples (chain, token_id, hour, holders, truncated, block_num)
  select $1, token_id, date_trunc('hour', now(), 'UTC') - h * interval '1 hour', 100 + h, false, 2
  from (select distinct token_id from derive.score_snapshots where chain = $1) t cross join generate_series(0, 25) h`

/** All hours at once, as if counted one by one. Numbers of users are synthetic. */
const TOTALS = `
  insert into derive.hour_totals (chain, hour, swap_volume, swap_fees, swap_trades, swaps_without_usd, spot_volume, spot_fees,
    spot_trades, deals_without_usd, day_users)
  select $1, h.hour, coalesce(t.swap_volume, 0), coalesce(t.swap_fees, 0), coalesce(t.swap_trades, 0), coalesce(t.swaps_without_usd, 0),
    coalesce(t.spot_volume, 0),
    coalesce(t.spot_fees, 0), coalesce(t.spot_trades, 0), coalesce(t.deals_without_usd, 0), 500 + date_part('epoch', h.hour)::int8 / 3600 % 97
  from meta.position p
  join ledger.hour_snapshots h on h.chain = p.chain
  left join meta.hour_sums($1, p.first_block, p.block_num) t on t.hour = h.hour
  where p.chain = $1`

const USERS = `
  insert into derive.hour_users (chain, hour, account)
  select $1, a.hour, a.account from meta.position p cross join lateral meta.hour_accounts($1, p.block_num - 1440, p.block_num) a
  where p.chain = $1 and a.hour < date_trunc('hour', p.block_time, 'UTC')`

/** Snapshots, numbers of holders, and totals of hours. */
export const HOURS_ALONE = [SNAPSHOTS, HOLDERS, TOTALS] as const
const ALL = [SNAPSHOTS, LOCKS, FARMS, HOLDERS, TOTALS, USERS] as const

/** Adds the data to an existing history. */
export async function writeHours(url: string, chain: string, statements: readonly string[] = ALL): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('select exists (select from ledger.hour_snapshots where chain = $1) as there', [
      chain,
    ])
    if (rows[0].there) return
    await client.query("set work_mem = '1GB'")
    for (const statement of statements) await client.query(statement, [chain])
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
