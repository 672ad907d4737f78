// Counting the hours of a large exchange into days, and refreshing the boards that read them: from nothing, and after one
// more hour. 6,300 pools, 1,600 markets, 4,200 tokens of which 500 have prices, 20,000 accounts; a million swaps are 110
// days, ten million three years. What no board reads is left out: candles of minutes, those of hours and prices of hours
// older than 90 days, secondary indexes. Days older than 30 days are counted by tens, the rest as the job counts them.
// Usage: node --import tsx bench/boards.ts [swaps]
import { readFile } from 'node:fs/promises'
import os from 'node:os'
import pg from 'pg'
import { countHours } from '../indexer/derive/hours/count.ts'
import { BOARDS } from '../indexer/jobs/refresh-boards.ts'
import { exchangeOf, writeHistory } from './exchange/history.ts'
import { HOURS_ALONE, writeHours } from './exchange/hours.ts'
import { benchDatabase } from './support/database.ts'
import { hardware } from './support/hardware.ts'

const swaps = Number(process.argv[2] || 1_000_000)
const chain = 'wax'

/** Prices of 500 tokens and values of all pools at the ends of days; prices in the last 90 days at the end of each hour. */
const PRICES = `
  insert into ledger.price_hours (chain, hour, token_id, block_num, block_time, system_price, usd_price)
  select $1, h.hour, t.token_id, h.block_num, h.block_time, p, round(p * 0.05, 24)
  from ledger.hour_snapshots h
  cross join (select distinct token_id from derive.score_snapshots where chain = $1 order by 1 limit 500) t
  cross join lateral (select round((2 + sin(date_part('epoch', h.hour) / 1e5 + hashtext(t.token_id) % 100))::numeric, 24) as p) x
  where h.chain = $1 and (date_part('hour', h.hour at time zone 'UTC') = 23
    or h.hour >= (select max(hour) - interval '90 days' from ledger.hour_snapshots where chain = $1))
  order by h.hour`
const VALUES = `
  insert into ledger.pool_hours (chain, hour, pool_id, block_num, block_time, usd)
  select $1, h.hour, p.pool_id, h.block_num, h.block_time, round((1e6 / (1 + p.pool_id))::numeric, 8)
  from ledger.hour_snapshots h join state.pools p on p.chain = h.chain
  where h.chain = $1 and date_part('hour', h.hour at time zone 'UTC') = 23 order by h.hour`

/** Days at the end that the job of hours counts. */
const COUNTED_DAYS = 30
/** First and last hour of each ten of the days before them, with the blocks. In turn, so that rows lie in the order of time. */
const EARLIER_DAYS = `
  with hours as (
    select s.hour, s.block_num - 1 as last, lag(s.block_num, 1, p.first_block) over (order by s.hour) as first,
      (row_number() over (order by s.hour) - 1) / 240 as part
    from ledger.hour_snapshots s join meta.position p on p.chain = s.chain where s.chain = $1
      and s.hour <= (select max(hour) - interval '${COUNTED_DAYS} days' from ledger.hour_snapshots where chain = $1)
  )
  select min(first) as "firstBlock", max(last) as "lastBlock", min(hour) as "firstHour", max(hour) as "lastHour"
  from hours group by part order by part`

/** Bytes a row of the tables that grow with trades and time. */
const SIZES = `
  select t.name, c.reltuples::int8 as count, round(pg_relation_size(c.oid) / c.reltuples) as table,
    round(pg_indexes_size(c.oid) / c.reltuples) as indexes
  from unnest(array['ledger.blocks', 'ledger.swaps', 'ledger.deals', 'derive.candles', 'ledger.price_hours', 'ledger.pool_hours',
    'derive.account_days', 'derive.token_days']) t(name)
  join pg_class c on c.oid = to_regclass(t.name || '__' || $1) where c.reltuples > 0`

const database = await benchDatabase('headwater_bench_boards')
const client = new pg.Client({ connectionString: database.url })

/** Processor seconds of the client's server process. */
async function processor(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number)
  return (user + system) / 100
}

async function refreshAll(what: string, pid: number): Promise<void> {
  for (const board of BOARDS) {
    const [before, started] = [await processor(pid), performance.now()]
    await client.query('begin isolation level repeatable read')
    const { rows } = await client.query('select meta.refresh_board($1) as done', [board])
    await client.query('commit')
    const seconds = ((performance.now() - started) / 1000).toFixed(2)
    const used = ((await processor(pid)) - before).toFixed(2)
    const size = await client.query(
      `select count(*)::int4 as rows, pg_size_pretty(pg_total_relation_size('board.${board}')) as size from board.${board}`,
    )
    console.log(
      `${what}: ${board} ${rows[0].done ? '' : 'NOT '}refreshed, ${seconds} s, processor ${used} s,`,
      `${size.rows[0].rows} rows, ${size.rows[0].size}`,
    )
  }
}

try {
  console.log(hardware())
  const begun = performance.now()
  const done = (what: string) =>
    console.log(`${what} at ${((performance.now() - begun) / 1000).toFixed(0)} s, load ${os.loadavg()[0]?.toFixed(1)}`)
  const scale = exchangeOf(chain, { symbol: 'WAX', decimals: 8 }, swaps)
  await writeHistory(database.url, scale, Date.now(), { candles: 'days', indexes: false })
  done('history written')
  await writeHours(database.url, chain, HOURS_ALONE)
  await client.connect()
  await client.query("set synchronous_commit = off; set work_mem = '1GB'; set timezone = 'UTC'")
  await client.query(PRICES, [chain])
  await client.query(VALUES, [chain])
  done('hours written')
  const { rows: parts } = await client.query(EARLIER_DAYS, [chain])
  for (const { firstBlock, lastBlock, firstHour, lastHour } of parts)
    await client.query('select meta.count_days($1, $2, $3, $4, $5)', [
      chain,
      firstBlock,
      lastBlock,
      firstHour,
      lastHour,
    ])
  await client.query(
    'delete from derive.hour_totals where hour >= (select max(hour) from derive.hour_totals) - $1::interval',
    [`${COUNTED_DAYS - 1} days 23 hours`],
  )
  await client.query('vacuum analyze')
  await client.query('reset synchronous_commit; reset work_mem')
  done('earlier days counted')
  // All hours but the last.
  await client.query(
    `update meta.position set lib_num = (select max(block_num) - 1 from ledger.hour_snapshots where chain = $1) where chain = $1`,
    [chain],
  )
  const started = performance.now()
  const hours = await countHours({ chain, databaseUrl: database.url })
  const ms = (performance.now() - started) / hours
  console.log(`${hours} hours counted, ${ms.toFixed(1)} ms an hour in batches of 24`)
  await client.query('vacuum analyze')
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid ?? 0
  await refreshAll('from nothing', pid)
  await client.query('update meta.position set lib_num = block_num where chain = $1', [chain])
  const again = performance.now()
  const more = await countHours({ chain, databaseUrl: database.url })
  console.log(`${more} more hour counted alone: ${(performance.now() - again).toFixed(0)} ms`)
  await refreshAll('after an hour', pid)
  const { rows: sums } = await client.query(
    `select (select sum(swaps)::int8 from board.pool_days) as "poolDays", (select sum(swaps)::int8 from board.account_days) as "accountDays",
       (select count(*)::int8 from ledger.swaps s join board.freshness f on f.chain = s.chain and f.board = 'pool_days' and s.block_time < f.counted_to) as swaps`,
  )
  const { rows: sizes } = await client.query(SIZES, [chain])
  for (const { name, count, table, indexes } of sizes)
    console.log(`${name}: ${count} rows, ${table} bytes a row and ${indexes} of its indexes`)
  console.log('completeness:', JSON.stringify(sums[0]))
  if (new Set(Object.values(sums[0])).size !== 1) process.exitCode = 1
} finally {
  await client.end()
  await database.close()
}
