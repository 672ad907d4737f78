// Chart endpoints (UDF): symbols, search and bars, compared with candles computed from trades.
import t from 'tap'
import { type TestApi, testApi } from '../../../support/api.ts'
import { testDatabase } from '../../../support/database.ts'
import { priceText, rawCandles, toNumber } from '../expected-candles.ts'
import { id, NFT, NOW, POOLS, TLM, USDT, WAX, WAX_SCENE } from '../scene.ts'

const DAY = 86_400_000
const path = '/api/v3/udf'

const seconds = (at: number) => Math.floor(at / 1000)

t.test('charts of a chain of a hundred days', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const api = await testApi(t, database)

  const history = async (symbol: string, more: Record<string, unknown>) => {
    const values = { symbol, from: seconds(NOW - 10 * DAY), to: seconds(NOW), resolution: '60', ...more }
    const query = new URLSearchParams(
      Object.entries(values).map(([name, value]) => [name, String(value)] as [string, string]),
    )
    return (await api.get(`${path}/history?${query}`)).body
  }

  /** Independently computed bars; `from` and `to` in milliseconds, both inclusive. */
  const expected = async (kind: 'amm' | 'spot', market: number, resolution: string, from: number, to: number) => {
    const { a, b } = kind === 'amm' ? POOLS[market]! : { a: TLM, b: WAX }
    const price = (text: string) =>
      kind === 'amm' ? Number(priceText(text, a.decimals, b.decimals, false)) : toNumber(text, 8)
    const bars = await rawCandles(database.pool, kind, market, { resolution, from, to })
    const whole = bars.filter(({ time }) => time >= from)
    return {
      s: 'ok',
      t: whole.map(({ time }) => time / 1000),
      o: whole.map(({ open }) => price(open)),
      h: whole.map(({ high }) => price(high)),
      l: whole.map(({ low }) => price(low)),
      c: whole.map(({ close }) => price(close)),
      v: whole.map(({ target }) => toNumber(target, b.decimals)),
    }
  }

  t.test('bars of pools and markets are the fold of the trades, in seconds, without the right end', async (t) => {
    for (const resolution of ['15', '60', '240', '1D', '1W', '1M']) {
      const from = Math.floor((NOW - 30 * DAY) / DAY) * DAY
      // One second before the end of the data: `to` is exclusive.
      const to = Math.floor(NOW / DAY) * DAY
      const range = { resolution, from: seconds(from), to: seconds(to) }
      t.same(await history('pool:0', range), await expected('amm', 0, resolution, from, to - 1), `pool, ${resolution}`)
      t.same(
        await history('market:0', range),
        await expected('spot', 0, resolution, from, to - 1),
        `market, ${resolution}`,
      )
    }
    const { t: times } = await history('pool:0', { resolution: '1D' })
    t.ok(times.every((time: number, i: number) => i === 0 || time > times[i - 1]))
  })

  t.test('countback counts from the right end and overrides `from`', async (t) => {
    const whole = await history('pool:3', { from: seconds(NOW - 20 * DAY) })
    const last = await history('pool:3', { from: seconds(NOW - 60_000), countback: 100 })
    t.equal(last.t.length, 100)
    for (const name of ['t', 'o', 'h', 'l', 'c', 'v']) t.same(last[name], whole[name].slice(-100), name)
    t.same((await history('pool:3', { countback: 0 })).t.length, 240, 'none is asked for')
    t.equal((await history('pool:3', { resolution: '1', countback: 1e9 })).t.length, 5000)
  })

  t.test('an empty range gives the time of the last older bar, if there is one', async (t) => {
    const { created } = POOLS[0]!
    const before = { from: seconds(created - 9 * DAY), to: seconds(created - 5 * DAY) }
    t.same(await history('pool:0', before), { s: 'no_data' })
    const after = { from: seconds(NOW + DAY), to: seconds(NOW + 2 * DAY), resolution: '1D' }
    t.same(await history('pool:0', after), { s: 'no_data', nextTime: Date.parse('2026-03-18') / 1000 })
    t.same(await history('market:2', {}), { s: 'no_data' }, 'a market that never traded')
    t.same(await history('market:2', after), { s: 'no_data' })
    t.same(await history('pool:0', { from: -5, to: -1 }), { s: 'no_data' })
    t.same(await history('pool:0', { from: 0, to: 0 }), { s: 'no_data' })
    const hour = Date.parse('2026-03-10T10:00:00Z') / 1000
    const within = await history('pool:0', { from: hour + 60, to: hour + 120 })
    t.same(within, { s: 'no_data', nextTime: hour }, 'inside of a bar')
    t.same(await history('pool:0', { from: seconds(NOW), to: seconds(NOW - DAY) }), { s: 'no_data' }, 'turned round')
  })

  t.test('D, W and M are days, weeks and months', async (t) => {
    for (const name of ['D', 'W', 'M']) {
      t.same(await history('pool:0', { resolution: name }), await history('pool:0', { resolution: `1${name}` }))
    }
  })

  t.test('a symbol is found by its ticker, and by the tokens of a pair', async (t) => {
    const symbol = async (name: string) => (await api.get(`${path}/symbols?symbol=${name}`)).body
    t.match(await symbol('pool:0'), {
      name: 'TLM/WAX',
      ticker: 'pool:0',
      exchange: 'amm',
      session: '24x7',
      currency_code: 'WAX',
      volume_precision: 8,
      intraday_multipliers: ['1', '5', '15', '30', '60', '240'],
    })
    t.equal((await symbol(`${id(TLM)}_${id(WAX)}`)).ticker, 'market:0', 'the order book')
    t.equal(await symbol(`${id(WAX)}_${id(USDT)}`).then((one) => one.ticker), 'pool:3', 'a pair of pools alone')
    t.equal((await symbol(`${id(USDT)}_${id(WAX)}`.toUpperCase())).ticker, 'market:1')
    t.equal((await symbol('AMM:POOL:3')).ticker, 'pool:3')
    t.equal((await symbol('SPOT:market:2')).name, 'NFT/WAX')
    // 0.2 WAX: eight significant digits are eight decimals.
    const { rows } = await database.pool.query('select sqrt_price_x64::text as root from state.pools where pool_id = 0')
    const price = Number(priceText(rows[0].root, TLM.decimals, WAX.decimals, false))
    t.equal((await symbol('pool:0')).pricescale, 10 ** (7 - Math.floor(Math.log10(price))))
  })

  t.test('search finds by symbol, token id and description; order books first, then pools by liquidity', async (t) => {
    const search = async (query: string) =>
      (await api.get(`${path}/search?${query}`)).body.map(({ ticker }: { ticker: string }) => ticker)
    t.same(await search(''), ['market:0', 'market:2', 'pool:0', 'pool:3', 'pool:2', 'pool:4'], 'pool 1 is not active')
    t.same(await search('query=tlm'), ['market:0', 'pool:0', 'pool:2'])
    t.same(await search(`query=${id(NFT)}&exchange=amm`), ['pool:4'])
    t.same(await search('query=wax&exchange=SPOT'), ['market:0', 'market:2'], 'a frozen market is left out')
    t.same(await search('query=wax&limit=1'), ['market:0'])
    t.same(await search('query=wax&type=stock'), [])
    t.same(await search('query=%25'), ['pool:0', 'pool:3', 'pool:2', 'pool:4'], 'a percent sign is a text')
  })

  t.test('unknown symbols are 404, invalid parameters 400', async (t) => {
    const missing = await api.get(`${path}/history?symbol=pool:99&from=0&to=1&resolution=1`)
    t.equal(missing.status, 404)
    t.match(missing.body, { statusCode: 404, error: 'Not Found', s: 'error', errmsg: 'There is no symbol pool:99.' })
    t.equal((await api.get(`${path}/symbols?symbol=x`)).status, 404)
    t.equal((await api.get(`${path}/symbols?symbol=`)).status, 400)
    for (const bad of [
      'resolution=7',
      'resolution=',
      'resolution=1&from=x',
      'resolution=1&to=1e300',
      'resolution=1&countback=-1',
    ])
      t.equal((await api.get(`${path}/history?symbol=pool:0&from=0&to=1&${bad}`)).status, 400, bad)
    for (const bad of ['symbols?symbol=', 'search?limit=x', 'history?symbol=pool:0&resolution=60&from=x&to=1']) {
      const { status, body } = await api.get(`${path}/${bad}`)
      t.same(
        [status, body.statusCode, body.s, body.errmsg],
        [400, 400, 'error', body.message],
        `${bad}: as charts read it`,
      )
      t.ok(body.message.length > 0)
    }
    t.equal((await api.get(`${path}/history?symbol=pool:0&resolution=1D`)).status, 400)
  })

  t.test('supported resolutions, and the time', async (t) => {
    const { body } = await api.get(`${path}/config`)
    t.same(body.supported_resolutions, ['1', '5', '15', '30', '60', '240', '1D', '1W', '1M'])
    t.ok(body.supports_search)
    const { text, headers } = await time(api)
    t.equal(text, String(seconds(NOW)))
    t.equal(headers['x-block-num'], '99000000')
  })
})

const time = (api: TestApi) => api.get(`${path}/time`)
