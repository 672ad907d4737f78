// Candles of pools over HTTP, compared with candles computed from swaps.
import t from 'tap'
import { RESOLUTIONS } from '../../../../core/candles/resolution.ts'
import { MEDIUM_RECORDING } from '../../../indexer/replay/medium-recording.ts'
import { type TestApi, testApi } from '../../../support/api.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { priceText, rawCandles, toNumber } from '../../exchange/expected-candles.ts'
import { id, NOW, POOLS, TLM, USDT, WAX, WAX_SCENE } from '../../exchange/scene.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

interface Candle {
  time: number
  open: string
  high: string
  low: string
  close: string
  volume: number
}

interface Asked {
  resolution: string
  from: number
  to: number
  reverse?: boolean
  volumeField?: 'volumeA' | 'volumeB' | 'volumeUSD'
}

async function expected(
  database: TestDatabase,
  pool: number,
  decimals: [number, number],
  asked: Asked,
): Promise<Candle[]> {
  const { reverse = false, volumeField = 'volumeUSD' } = asked
  const price = (root: string) => priceText(root, ...decimals, reverse)
  return (await rawCandles(database.pool, 'amm', pool, asked)).map(
    ({ time, open, high, low, close, base, target, usd }) => ({
      time,
      open: price(open),
      high: price(reverse ? low : high),
      low: price(reverse ? high : low),
      close: price(close),
      volume: { volumeA: toNumber(base, decimals[0]), volumeB: toNumber(target, decimals[1]), volumeUSD: Number(usd) }[
        volumeField
      ],
    }),
  )
}

const decimalsOf = (pool: number): [number, number] => [POOLS[pool]!.a.decimals, POOLS[pool]!.b.decimals]

function query(parameters: Record<string, unknown>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) search.set(name, String(value))
  return search.toString()
}

const candles = async (api: TestApi, pool: number, parameters: Record<string, unknown>): Promise<Candle[]> =>
  (await api.get(`/api/v2/swap/pools/${pool}/candles?${query(parameters)}`)).body

t.test('a chain of a hundred days', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const api = await testApi(t, database)

  t.test('CND-03 CND-07 CND-12 every resolution is the fold of the swaps, without gaps', async (t) => {
    for (const resolution of RESOLUTIONS) {
      // Minutes of a few hours; the whole history for resolutions above an hour.
      const from = Number(resolution) < 60 ? NOW - 0.4 * DAY : NOW - 100 * DAY
      for (const pool of [0, 3]) {
        const asked = { resolution, from: Math.round(from), to: NOW }
        t.same(
          await candles(api, pool, asked),
          await expected(database, pool, decimalsOf(pool), asked),
          `${resolution} of pool ${pool}`,
        )
      }
    }
  })

  t.test('CND-05 CND-06 reversed prices with high and low exchanged, in each unit of volume', async (t) => {
    for (const volumeField of ['volumeA', 'volumeB', 'volumeUSD'] as const) {
      for (const reverse of [true, false]) {
        const asked = { resolution: '240', from: NOW - 40 * DAY, to: NOW - DAY, reverse, volumeField }
        const answer = await candles(api, 0, asked)
        t.same(answer, await expected(database, 0, decimalsOf(0), asked), `${volumeField} ${reverse}`)
        t.ok(
          answer.every(({ open, high, low, close }) =>
            [open, close].every((price) => Number(low) <= Number(price) && Number(price) <= Number(high)),
          ),
        )
      }
    }
    const plain = { resolution: '1D', from: NOW - 5 * DAY, to: NOW }
    t.same(
      await candles(api, 0, plain),
      await candles(api, 0, { ...plain, volumeField: 'volumeUSD', reverse: false }),
      'defaults',
    )
  })

  t.test('CND-04 prices are text without exponent, volumes are numbers', async (t) => {
    for (const candle of await candles(api, 4, { resolution: '1D' }).then((all) => all.concat())) {
      for (const price of [candle.open, candle.high, candle.low, candle.close]) t.match(price, /^\d+(\.\d+)?$/)
      t.type(candle.volume, 'number')
    }
  })

  t.test('CND-08 a range inside of a quiet stretch is flat at the price before it', async (t) => {
    const { rows } = await database.pool.query(
      `select date_part('epoch', block_time) * 1000 as quiet, sqrt_price_x64::text as price from (
         select *, lead(block_time) over (order by global_seq) - block_time as gap from ledger.swaps where pool_id = 0) s
       order by gap desc limit 1`,
    )
    const { quiet, price } = rows[0] as { quiet: number; price: string }
    const from = quiet + 90_000
    const answer = await candles(api, 0, { resolution: '1', from, to: from + 300_000 })
    const flat = priceText(price, ...decimalsOf(0), false)
    t.equal(answer.length, 6)
    for (const { open, high, low, close, volume } of answer)
      t.same([open, high, low, close, volume], [flat, flat, flat, flat, 0])
  })

  t.test('CND-09 nothing before the pool, then the price of its creation until the first swap', async (t) => {
    const { created, a, b } = POOLS[0]!
    const asked = { resolution: '60', from: created - 3 * DAY, to: created + 8 * HOUR }
    const answer = await candles(api, 0, asked)
    t.equal(answer[0]?.time, Math.floor(created / HOUR) * HOUR)
    t.same(answer, await expected(database, 0, [a.decimals, b.decimals], asked))
    t.ok(answer.slice(0, 7).every(({ volume }) => volume === 0))
    t.same(await candles(api, 0, { ...asked, to: created - DAY }), [])
    const never = await candles(api, 4, { resolution: '1D' })
    t.equal(never.length, 4, 'a pool that never traded')
    t.ok(new Set(never.map(({ open }) => open)).size === 1)
  })

  t.test('CND-10 from counts only together with to', async (t) => {
    const from = NOW - DAY
    const whole = await candles(api, 0, { resolution: '1D' })
    t.same(await candles(api, 0, { resolution: '1D', from }), whole)
    t.equal((await candles(api, 0, { resolution: '1D', from, to: NOW })).length, 2)
    t.equal(whole.length, 98)
  })

  t.test('CND-11 CND-02 limit keeps the newest, oldest first', async (t) => {
    const range = { resolution: '15', from: NOW - 3 * DAY, to: NOW - DAY }
    const whole = await candles(api, 0, range)
    for (const limit of [1, 7, 100]) t.same(await candles(api, 0, { ...range, limit }), whole.slice(-limit), `${limit}`)
    t.ok(whole.every(({ time }, i) => i === 0 || time > whole[i - 1]!.time))
    const newest = await candles(api, 0, { resolution: '1' })
    t.equal(newest.length, 5000)
    t.same(newest, await expected(database, 0, decimalsOf(0), { resolution: '1', from: NOW - 4999 * 60_000, to: NOW }))
  })

  t.test('the candle in progress is the last, and none lies in the future', async (t) => {
    const answer = await candles(api, 0, { resolution: '5', from: NOW - HOUR, to: NOW + DAY })
    t.equal(answer.at(-1)?.time, Date.parse('2026-03-18T09:40:00Z'))
    t.same(await candles(api, 0, { resolution: '5', from: NOW + HOUR, to: NOW + DAY }), [])
  })

  t.test('CND-14 CND-15 CND-16 the active pool of a pair that holds most, in the order asked for', async (t) => {
    const range = { resolution: '1D', from: NOW - 20 * DAY, to: NOW }
    const pair = async (tokenA: string, tokenB: string, more = {}) =>
      api.get(`/api/v2/swap/candles?${query({ ...range, tokenA, tokenB, ...more })}`)
    const { body } = await pair(id(TLM), id(WAX))
    t.same([body.poolId, body.isReversed], [0, false], 'pool 1 holds more, but is not active')
    t.same(body.candles, await candles(api, 0, range))
    const other = (await pair(id(USDT), id(WAX))).body
    t.same([other.poolId, other.isReversed], [3, true])
    t.same(other.candles, await candles(api, 3, { ...range, reverse: true }))
    t.same((await pair(id(USDT), id(WAX), { reverse: true })).body.candles, await candles(api, 3, range))
    for (const [asked, ofPool] of [
      ['volumeA', 'volumeB'],
      ['volumeB', 'volumeA'],
      ['volumeUSD', 'volumeUSD'],
    ])
      t.same(
        (await pair(id(USDT), id(WAX), { volumeField: asked })).body.candles,
        await candles(api, 3, { ...range, reverse: true, volumeField: ofPool }),
        `${asked} is of the token asked for in that place`,
      )
    t.same(
      (await pair(id(WAX), id(USDT), { volumeField: 'volumeA' })).body.candles,
      await candles(api, 3, { ...range, volumeField: 'volumeA' }),
    )
    t.equal((await pair(id(USDT), id(TLM))).status, 404)
    t.equal((await api.get(`/api/v2/swap/candles?resolution=1D&tokenA=${id(WAX)}`)).status, 400)
  })

  t.test('CND-01 GEN-17 GEN-18 invalid parameters are refused, never answered with 500', async (t) => {
    const base = '/api/v2/swap/pools/0/candles'
    for (const bad of [
      '',
      '?resolution=',
      '?resolution=7',
      '?resolution=1d',
      '?resolution=1&limit=x',
      '?resolution=1&limit=-1',
      '?resolution=1&from=a&to=b',
      '?resolution=1&volumeField=volumeC',
      '?resolution=1&to=1e400',
      '?resolution=1&limit=-Infinity',
      '?resolution=1&limit=%20',
      '?resolution=1&from=%20&to=5',
    ])
      t.equal((await api.get(`${base}${bad}`)).status, 400, bad)
    for (const odd of [
      '&limit=1e30',
      '&from=1e308&to=1e308',
      '&from=-1e308&to=1e308',
      '&reverse=maybe',
      '&limit=1&limit=2',
      '&from=5&to=-5',
      '&foo=bar',
      '&limit=0',
    ])
      t.equal((await api.get(`${base}?resolution=1M${odd}`)).status, 200, odd)
    for (const pool of ['abc', '-1', '1e400', '99999999999999999999'])
      t.equal((await api.get(`/api/v2/swap/pools/${pool}/candles?resolution=1`)).status, 400, pool)
    t.equal((await api.get('/api/v2/swap/pools/77/candles?resolution=1')).status, 404)
  })
})

t.test('CND-12 a recorded chain, valued as it was indexed', async (t) => {
  const database = await testDatabase(t, { scene: MEDIUM_RECORDING })
  const api = await testApi(t, database)
  const { rows: pools } = await database.pool.query(
    'select pool_id::int4 as id, decimals_a, decimals_b from state.pools order by 1',
  )
  const { rows } = await database.pool.query(
    `select date_part('epoch', block_time) * 1000 as now, block_num::text as block from meta.position`,
  )
  const { now, block } = rows[0] as { now: number; block: string }
  t.equal(pools.length, 10)
  for (const { id: pool, decimals_a: a, decimals_b: b } of pools) {
    for (const resolution of RESOLUTIONS) {
      const asked: Asked = { resolution, from: now - HOUR / 2, to: now, volumeField: 'volumeA' }
      t.same(
        await candles(api, pool, { ...asked }),
        await expected(database, pool, [a, b], asked),
        `${resolution} of pool ${pool}`,
      )
    }
  }
  const answer = await api.get('/api/v2/swap/pools/0/candles?resolution=1')
  t.equal(answer.headers['x-block-num'], block)
  const usd = (answer.body as Candle[]).reduce((sum, { volume }) => sum + volume, 0)
  const { rows: sums } = await database.pool.query('select sum(usd)::float8 as usd from ledger.swaps where pool_id = 0')
  t.ok(usd > 0 && Math.abs(usd - sums[0].usd) <= 1e-9 * usd, 'volumes add up')
})
