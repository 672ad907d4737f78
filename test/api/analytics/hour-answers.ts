// Compares the API's hourly answers with SQL over the trades.
import type { Pool } from 'pg'
import type { Test } from 'tap'
import type { TestApi } from '../../support/api.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

export interface Snapshot {
  hour: Date
  block: number
  swap: string
  spot: string
  pools: number
  markets: number
}

export async function snapshots(pool: Pool, chain: string): Promise<Snapshot[]> {
  const { rows } = await pool.query(
    `select hour, block_num::int4 as block, swap_locked::text as swap, spot_locked::text as spot, pools, markets
     from ledger.hour_snapshots where chain = $1 order by hour`,
    [chain],
  )
  return rows
}

/** Sums over the ledger's trades in a time range; the end is exclusive. */
async function sums(pool: Pool, from: number, before: number) {
  const { rows } = await pool.query(
    `select coalesce((select sum(usd) from ledger.swaps where chain = 'wax' and block_time >= $1 and block_time < $2), 0)::float8 as "swapVolume",
       coalesce((select sum(usd) from ledger.deals where chain = 'wax' and block_time >= $1 and block_time < $2), 0)::float8 as "spotVolume",
       coalesce((select sum(usd * fee / 1000000) from ledger.swaps join state.pools using (chain, pool_id)
         where chain = 'wax' and block_time >= $1 and block_time < $2), 0)::float8 as "swapFees",
       coalesce((select sum(usd * fee / 10000) from ledger.deals join state.markets using (chain, market_id)
         where chain = 'wax' and block_time >= $1 and block_time < $2), 0)::float8 as "spotFees",
       (select count(*) from ledger.swaps where chain = 'wax' and block_time >= $1 and block_time < $2)::int4 as swaps,
       (select count(*) from ledger.deals where chain = 'wax' and block_time >= $1 and block_time < $2)::int4 as deals`,
    [new Date(from), new Date(before)],
  )
  return rows[0] as Record<'swapVolume' | 'spotVolume' | 'swapFees' | 'spotFees' | 'swaps' | 'deals', number>
}

const close = (x: number, y: number) => Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(x), Math.abs(y))

/** Tests every answer that is computed from hours. @param last  time of the newest block, Unix milliseconds */
export async function answers(t: Test, pool: Pool, api: TestApi, last: number, when: string): Promise<void> {
  const get = async (path: string) => {
    const answer = await api.get(path)
    t.equal(answer.status, 200, path)
    return answer.body
  }
  const end = Math.floor(last / HOUR) * HOUR
  const latest = (await snapshots(pool, 'wax')).at(-1)!
  const usersOfDay = async (before: number) => {
    const { rows } = await pool.query(
      `select count(distinct account)::int4 as users from (
         select block_time, unnest(array[sender, recipient]) as account from ledger.swaps where chain = 'wax'
         union all select block_time, unnest(array[bidder, asker]) from ledger.deals where chain = 'wax'
         union all select block_time, owner from ledger.position_events where chain = 'wax') u
       where block_time >= $1 and block_time < $2 and account not in ('swap.svc', 'svcdexmain')`,
      [new Date(before - DAY), new Date(before)],
    )
    return rows[0].users as number
  }

  t.test(`V2A-01 V2A-02 V2A-03 global statistics, ${when}`, async (t) => {
    for (const [resolution, length] of [
      ['1D', DAY],
      ['1W', 7 * DAY],
      ['1M', 30 * DAY],
    ] as const) {
      const found = await get(`/api/v2/analytics/global?resolution=${resolution}`)
      const wanted = await sums(pool, end - length, end)
      t.equal(found._id, 'wax')
      for (const [name, value] of Object.entries({
        swapTradingVolume: wanted.swapVolume,
        spotTradingVolume: wanted.spotVolume,
        totalTradingVolume: wanted.swapVolume + wanted.spotVolume,
        swapFees: wanted.swapFees,
        spotFees: wanted.spotFees,
        swapTransactions: wanted.swaps,
        spotTransactions: wanted.deals,
        swapValueLocked: Number(latest.swap),
        spotValueLocked: Number(latest.spot),
        totalValueLocked: Number(latest.swap) + Number(latest.spot),
        totalLiquidityPools: latest.pools,
        totalSpotPairs: latest.markets,
      }))
        t.ok(close(found[name], value), `${name} of ${resolution}: ${found[name]} is ${value}`)
      const days: number[] = []
      const first = (await snapshots(pool, 'wax'))[0]!.hour.getTime()
      for (let hour = Math.max(first, end - length); hour < end; hour += HOUR) days.push(await usersOfDay(hour + HOUR))
      t.ok(close(found.dailyActiveUsers, days.reduce((x, y) => x + y, 0) / days.length), 'users')
      t.ok(found.swapTransactions > 0)
      const window = { '1D': '24h', '1W': '7d', '1M': '30d' }[resolution]
      const { stats } = await get(`/api/v3/analytics/overview?window=${window}`)
      t.ok(close(stats.dauAvg, found.dailyActiveUsers), `${window} is the same hours: ${stats.dauAvg}`)
    }
    t.same(await get('/api/v2/analytics/global'), await get('/api/v2/analytics/global?resolution=1D'))
    for (const none of ['x', 'toString', '__proto__'])
      t.same(await get(`/api/v2/analytics/global?resolution=${none}`), await get('/api/v2/analytics/global'), none)
  })

  t.test(`V2A-04 V2A-05 V2A-06 V2A-07 NS-04 volume of a range, ${when}`, async (t) => {
    const day = Math.floor(end / DAY) * DAY - DAY
    const of = (from: number, before: number) =>
      get(`/api/v2/analytics/volume?start_time=${from / 1000}&end_time=${before / 1000}`)
    const full = await of(day, day + DAY)
    const wanted = await sums(pool, day, day + DAY)
    t.match(full, { start_time: day / 1000, end_time: (day + DAY) / 1000, buckets: 24 })
    for (const name of ['swapVolume', 'spotVolume', 'swapFees', 'spotFees'] as const)
      t.ok(close(full[name], wanted[name]), name)
    t.ok(close(full.volume, wanted.swapVolume + wanted.spotVolume) && full.volume > 0)
    t.ok(close(full.fees, wanted.swapFees + wanted.spotFees))
    t.equal((await of(end - 3 * HOUR, end + DAY)).buckets, 3, 'partly covered')
    t.equal((await of(day + 1000, day + 3 * HOUR)).buckets, 2, 'only whole hours')
    t.match(await of(0, DAY), { volume: 0, fees: 0, swapVolume: 0, spotFees: 0, buckets: 0 })
    const status = async (query: string) => (await api.get(`/api/v2/analytics/volume?${query}`)).status
    for (const query of [
      '',
      'start_time=1',
      'end_time=1',
      'start_time=2&end_time=2',
      'start_time=3&end_time=2',
      'start_time=a&end_time=2',
    ])
      t.equal(await status(query), 400, query)
    t.equal(await status('start_time=1&end_time=1e300'), 400)
  })

  t.test(`V2A-08 V2A-09 points, ${when}`, async (t) => {
    const all = await snapshots(pool, 'wax')
    for (const [resolution, count] of [
      ['1D', 24],
      ['1W', 168],
      ['1M', 720],
    ] as const) {
      const points = await get(`/api/v2/analytics/charts?resolution=${resolution}`)
      const wanted = all.slice(-count)
      t.same(
        points.map((one: { _id: string }) => one._id),
        wanted.map(({ hour }) => hour.toISOString()),
      )
      for (const [i, one] of points.entries()) {
        const { hour, swap, spot } = wanted[i]!
        t.ok(close(one.totalValueLocked, Number(swap) + Number(spot)))
        if (i % 7 !== 0) continue
        const traded = await sums(pool, hour.getTime(), hour.getTime() + HOUR)
        t.ok(close(one.swapTradingVolume, traded.swapVolume) && one.spotTransactions === traded.deals, one._id)
        t.equal(one.dailyActiveUsers, await usersOfDay(hour.getTime() + HOUR))
      }
    }
    const days = await get('/api/v2/analytics/charts?resolution=ALL')
    const starts = [...new Set(all.map(({ hour }) => Math.floor(hour.getTime() / DAY) * DAY))]
    t.same(
      days.map((one: { _id: string }) => one._id),
      starts.map((start) => new Date(start).toISOString()),
    )
    for (const one of days) {
      const start = Date.parse(one._id)
      const traded = await sums(pool, start, Math.min(start + DAY, end))
      t.ok(close(one.swapTradingVolume, traded.swapVolume), `volume of ${one._id}`)
      const left = all.filter(({ hour }) => hour.getTime() < start + DAY).at(-1)!
      t.ok(close(one.swapValueLocked, Number(left.swap)))
    }
    t.equal((await api.get('/api/v2/analytics/charts')).status, 400)
    t.equal((await api.get('/api/v2/analytics/charts?resolution=x')).status, 400)
  })

  t.test(
    `GC-01 GC-02 GC-03 GC-04 GC-05 GC-06 GC-07 GC-08 GC-09 GC-10 GC-11 NS-12 charts of the whole exchange, ${when}`,
    async (t) => {
      const all = await snapshots(pool, 'wax')
      const lengths = { '1h': HOUR, '4h': 4 * HOUR, '1d': DAY, '1w': 7 * DAY }
      const spans = { '24h': DAY, '7d': 7 * DAY, '30d': 30 * DAY, '90d': 90 * DAY }
      for (const [window, span] of Object.entries(spans))
        for (const [resolution, length] of Object.entries(lengths)) {
          const { meta, charts, items } = await get(
            `/api/v3/analytics/global/charts?window=${window}&resolution=${resolution}`,
          )
          t.match(meta, { chain: 'wax', window, baseToken: 'wax-eosio.token' })
          const starts = items.map((one: { t: string }) => Date.parse(one.t)) as number[]
          t.ok(
            starts.every((start, i) => i === 0 || start - starts[i - 1]! === length),
            'every bucket',
          )
          // 4 January 1970 was a Sunday.
          t.ok(
            starts.every((start) => (start - 4 * DAY) % length === 0),
            `${resolution} on its boundary`,
          )
          t.ok(starts.at(-1)! <= last && last < starts.at(-1)! + length, 'the last is in progress')
          t.ok(starts[0]! <= last - span && starts[0]! > last - span - length, 'the first is whole')
          for (const name of ['tvl', 'volume', 'fees', 'swapVolume', 'spotVolume', 'swapFees', 'spotFees'])
            t.same(
              charts[name],
              items.map((one: Record<string, unknown>) => ({ t: one.t, v: one[name] })),
              name,
            )
          for (const [i, one] of items.entries()) {
            const start = starts[i]!
            if (i % 60 === 0 || i === items.length - 1) {
              const traded = await sums(pool, start, start + length)
              for (const name of ['swapVolume', 'spotVolume', 'swapFees', 'spotFees'] as const)
                t.ok(close(one[name], traded[name]), `${name} from ${one.t} by ${resolution}`)
            }
            const left = all.filter(({ hour }) => hour.getTime() < start + length).at(-1)
            t.ok(close(one.tvl, left === undefined ? 0 : Number(left.swap) + Number(left.spot)), `tvl of ${one.t}`)
          }
        }
      const usual = await get('/api/v3/analytics/global/charts')
      t.same([usual.meta.window, usual.items.length], ['30d', 31])
      t.same((await get('/api/v3/analytics/global/charts?window=x&resolution=y')).items, usual.items, 'GC-10')
      const whole = await get('/api/v3/analytics/global/charts?window=all&resolution=1h')
      t.equal(whole.items[0].t, all[0]!.hour.toISOString())
    },
  )

  t.test(`GC-08 more points than can be answered, ${when}`, async (t) => {
    const { state } = api.contexts[0]!.market
    const { since } = state!
    // The limit is 5,000 hours.
    state!.since = Math.floor(last / HOUR) * HOUR - 4999 * HOUR
    const path = '/api/v3/analytics/global/charts?window=all&resolution=1h'
    // Another URL than before, because an answer is cached while the block is the same.
    t.equal((await get(`${path}&again=1`)).items.length, 5000)
    state!.since -= 1
    const { status, body } = await api.get(path)
    t.equal(status, 400)
    t.match(body.message, /5001 points/)
    state!.since = since
  })
}
