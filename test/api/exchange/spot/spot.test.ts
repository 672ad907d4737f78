// Order-book markets over HTTP, compared with SQL over orders, deals and swaps.
import t from 'tap'
import { testApi, testChain } from '../../../support/api.ts'
import { testDatabase } from '../../../support/database.ts'
import { rawCandles, toNumber } from '../expected-candles.ts'
import { id, MARKETS, NFT, NOW, TLM, USDT, WAX, WAX_SCENE } from '../scene.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const MAIN = `${id(TLM)}_${id(WAX)}`
const QUIET = `${id(USDT)}_${id(WAX)}`
const NEVER = `${id(NFT)}_${id(WAX)}`

const TICKER_MEMBERS = {
  string: ['ticker_id', 'pool_id', 'base_currency', 'target_currency', 'trade_url'],
  number:
    'market_id last_price change24 high24 low24 bid ask base_volume target_volume volumeUSD24 volume90d base_amm_liquidity target_amm_liquidity min_buy min_sell fee'.split(
      ' ',
    ),
  boolean: ['frozen'],
  nullable: ['base_cmc_ucid', 'target_cmc_ucid', 'global_ticker_id', 'high', 'low'],
}

/** Equal except for the rounding of sums of doubles. */
const close = (x: number, y: number) => Math.abs(x - y) <= 1e-9 * Math.max(Math.abs(x), Math.abs(y))

t.test('order-book markets', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const { pool } = database
  const api = await testApi(t, database)
  const get = async (path: string) => (await api.get(path)).body
  const ticker = (name: string) => get(`/api/v2/tickers/${name}`)
  const one = async (sql: string, ...values: unknown[]) => (await pool.query(sql, values)).rows[0]

  t.test('PAIR-01 PAIR-02 GEN-03 GEN-05 pairs, by base and by target', async (t) => {
    const all = await get('/api/v2/pairs')
    t.same(
      all,
      MARKETS.map(({ base, target }) => ({
        ticker_id: `${id(base)}_${id(target)}`,
        base: { id: id(base), contract: base.contract, symbol: base.symbol, precision: base.decimals },
        target: { id: id(target), contract: target.contract, symbol: target.symbol, precision: target.decimals },
      })),
    )
    t.same(await get(`/api/v2/pairs?base=${id(TLM)}`), [all[0]])
    t.same(await get(`/api/v2/pairs?target=${id(WAX).toUpperCase()}`), all, 'GEN-04')
    t.same(await get(`/api/v2/pairs?base=${id(USDT)}&target=${id(WAX)}`), [all[1]])
    t.same(await get(`/api/v2/pairs?base=${id(WAX)}&target=${id(USDT)}`), [], 'GEN-12')
    for (const { ticker_id: name } of all) {
      const [base, target] = [name.slice(0, name.indexOf('_')), name.slice(name.indexOf('_') + 1)]
      t.equal(`${base}_${target}`, name)
    }
  })

  t.test('TICK-01 TICK-02 TICK-03 TICK-11 TICK-12 TICK-19 members and types of every ticker', async (t) => {
    for (const item of await get('/api/v2/tickers')) {
      const { string, number, boolean, nullable } = TICKER_MEMBERS
      t.same(Object.keys(item).sort(), [...string, ...number, ...boolean, ...nullable].sort())
      for (const [type, names] of Object.entries({ string, number, boolean }))
        for (const name of names) t.type(item[name], type, name)
      for (const name of number) t.ok(Number.isFinite(item[name]), `GEN-13 ${name}`)
      t.equal(item.pool_id, String(item.market_id))
      t.same([item.base_cmc_ucid, item.target_cmc_ucid, item.global_ticker_id], [null, null, null])
      t.equal(item.fee, 20)
      t.ok(item.trade_url.startsWith('http://wax.localhost/'))
    }
    const { min_buy: buy, min_sell: sell } = await ticker(MAIN)
    t.same([buy, sell], [12.3456789, 0.0015], 'of a market of target 8 and base 4 decimals')
  })

  t.test('TICK-03 TICK-14 TICK-19 values from the configuration: aggregator ids, scam lists, the site', async (t) => {
    const lists = testChain('wax', 'dev')
    const chain = {
      ...lists,
      aggregatorIds: { [id(WAX)]: 2300, [id(TLM)]: 9119 },
      trust: { ...lists.trust, scam: [{ token: NFT.contract }, { token: id(USDT) }] },
    }
    const other = await testApi(t, database, { chains: [chain], siteUrl: 'https://exchange.example.org' })
    const tickers = (await other.get('/api/v2/tickers')).body
    t.same(
      tickers.map(({ ticker_id, base_cmc_ucid, target_cmc_ucid, global_ticker_id }: Record<string, unknown>) => [
        ticker_id,
        base_cmc_ucid,
        target_cmc_ucid,
        global_ticker_id,
      ]),
      [
        [MAIN, 9119, 2300, 'TLM-WAX'],
        [QUIET, null, 2300, null],
        [NEVER, null, 2300, null],
      ],
    )
    t.ok(tickers[0].trade_url.startsWith('https://exchange.example.org/'))
    const names = async (query: string) =>
      (await other.get(`/api/v2/tickers?${query}`)).body.map(({ ticker_id }: { ticker_id: string }) => ticker_id)
    t.same(await names('hide_scam=true'), [MAIN])
    t.same(await names('hide_scam=false'), [MAIN, QUIET, NEVER])
    t.same(await names('hide_scam=what'), [MAIN, QUIET, NEVER], 'GEN-17')
    const pools = async (list: string) =>
      (await other.get(`/api/v2/amm/${list}?hide_scam=true`)).body.map(({ pool_id }: { pool_id: string }) => pool_id)
    t.same(
      [(await pools('pairs')).sort(), (await pools('tickers')).sort()],
      [
        ['0', '2'],
        ['0', '2'],
      ],
    )
  })

  t.test(
    'TICK-17 TICK-18 GEN-04 one ticker equals its item of the list; a reversed or unknown one is 404',
    async (t) => {
      const all = await get('/api/v2/tickers')
      t.equal(all.length, 3)
      for (const item of all) t.equal(JSON.stringify(await ticker(item.ticker_id)), JSON.stringify(item))
      t.same(await ticker(MAIN.toUpperCase()), all[0])
      for (const name of [`${id(WAX)}_${id(TLM)}`, 'a-b_c-d', 'x', '_', `${MAIN}_`]) {
        const paths = ['', '/orderbook', '/historical_trades', '/latest_trades', '/charts?resolution=1&from=0']
        for (const path of paths)
          t.equal((await api.get(`/api/v2/tickers/${name}${path}`)).status, 404, `${name}${path}`)
      }
      t.same(await get(`/api/v2/tickers?tickers=${QUIET},nothing`), [all[1]], 'NS-07 an earlier form')
    },
  )

  t.test(
    'TICK-07 TICK-08 TICK-09 TICK-10 volumes of a day include the market and the pools of its pair, in either order',
    async (t) => {
      const day = `block_time >= date_trunc('minute', $1::timestamptz) - interval '24 hours'`
      const now = new Date(NOW)
      const deals = (market: number) =>
        one(
          `select coalesce(sum(amount_base), 0) as base, coalesce(sum(amount_target), 0) as target, coalesce(sum(usd), 0) as usd
         from ledger.deals where market_id = $2 and ${day}`,
          now,
          market,
        )
      const swaps = (...pools: number[]) =>
        one(
          `select coalesce(sum(abs(amount_a)), 0) as a, coalesce(sum(abs(amount_b)), 0) as b, coalesce(sum(usd), 0) as usd
         from ledger.swaps where pool_id = any($2) and ${day}`,
          now,
          pools,
        )
      const [spot, amm] = [await deals(0), await swaps(0, 1, 2)]
      const main = await ticker(MAIN)
      t.ok(Number(spot.base) > 0 && Number(amm.a) > 0)
      t.equal(main.base_volume, toNumber(`${BigInt(spot.base) + BigInt(amm.a)}`, 4))
      t.equal(main.target_volume, toNumber(`${BigInt(spot.target) + BigInt(amm.b)}`, 8))
      t.ok(close(main.volumeUSD24, Number(spot.usd) + Number(amm.usd)))
      t.equal(main.base_amm_liquidity, 5_000_000 + 90_000_000 + 900)
      t.equal(main.target_amm_liquidity, 1_200_000 + 21_000_000 + 210)

      const reversed = await swaps(3)
      const quiet = await ticker(QUIET)
      t.equal((await deals(1)).base, '0', 'the market itself has not traded')
      t.ok(Number(reversed.a) > 0)
      t.equal(quiet.base_volume, toNumber(reversed.b, 6))
      t.equal(quiet.target_volume, toNumber(reversed.a, 8))
      t.ok(close(quiet.volumeUSD24, Number(reversed.usd)))
      t.same([quiet.base_amm_liquidity, quiet.target_amm_liquidity], [45_000, 900_000])

      for (const [market, item] of [main, quiet].entries()) {
        const { target } = await one(
          `select sum(amount_target)::text as target from ledger.deals where market_id = $2
         and block_time >= date_trunc('minute', $1::timestamptz) - interval '90 days'`,
          now,
          market,
        )
        t.equal(item.volume90d, toNumber(target, 8))
      }
    },
  )

  t.test('TICK-04 TICK-05 TICK-15 GEN-06 prices of a day', async (t) => {
    const facts = await one(
      `select max(unit_price) filter (where recent)::text as high, min(unit_price) filter (where recent)::text as low,
         (array_agg(unit_price order by global_seq desc))[1]::text as last,
         (array_agg(unit_price order by global_seq desc) filter (where not recent))[1]::text as before
       from (select *, block_time >= date_trunc('minute', $1::timestamptz) - interval '24 hours' as recent from ledger.deals where market_id = 0) d`,
      new Date(NOW),
    )
    const main = await ticker(MAIN)
    t.same(
      [main.high24, main.low24, main.last_price],
      [facts.high, facts.low, facts.last].map((price) => toNumber(price, 8)),
    )
    t.same([main.high, main.low], [main.high24, main.low24])
    t.ok(Math.abs(main.change24 - (Number(facts.last) / Number(facts.before) - 1) * 100) < 1e-3)

    const quiet = await ticker(QUIET)
    const { last } = await one(
      'select unit_price::text as last from ledger.deals where market_id = 1 order by global_seq desc limit 1',
    )
    const price = toNumber(last, 8)
    t.same(
      [quiet.last_price, quiet.high24, quiet.low24, quiet.high, quiet.low, quiet.change24],
      [price, price, price, price, price, 0],
    )
    const never = await ticker(NEVER)
    t.same(
      [never.last_price, never.high24, never.low24, never.high, never.low, never.change24],
      [0, 0, 0, null, null, 0],
    )
  })

  t.test('TICK-06 TICK-13 TICK-16 best orders, and frozen markets', async (t) => {
    const best = await one(
      `select max(unit_price) filter (where side = 'buy')::text as bid, min(unit_price) filter (where side = 'sell')::text as ask
       from state.orders where market_id = 0`,
    )
    const main = await ticker(MAIN)
    t.same([main.bid, main.ask], [toNumber(best.bid, 8), toNumber(best.ask, 8)])
    t.ok(main.bid < main.ask)
    const quiet = await ticker(QUIET)
    t.same([quiet.bid, quiet.ask, quiet.frozen, main.frozen], [0, 20.85017089, true, false])
  })

  t.test('OB-01 OB-02 OB-03 OB-04 OB-05 OB-06 the order book', async (t) => {
    const side = async (name: string, amount: string, order: string, limit: number) => {
      const { rows } = await pool.query(
        `select (unit_price / 1e8)::numeric(40, 8)::text as price, (sum(${amount}) / 1e4)::numeric(40, 4)::text as quantity
         from state.orders where market_id = 0 and side = $1 group by unit_price order by unit_price ${order} limit $2`,
        [name, limit],
      )
      return rows.map(({ price, quantity }) => [price, quantity])
    }
    for (const depth of [undefined, 5, 1, 0]) {
      const book = await get(`/api/v2/tickers/${MAIN}/orderbook${depth === undefined ? '' : `?depth=${depth}`}`)
      const limit = depth === undefined ? 300 : depth || 1000
      t.same(Object.keys(book).sort(), ['asks', 'bids', 'ticker_id', 'timestamp'])
      t.same([book.ticker_id, book.timestamp], [MAIN, NOW])
      // A buy order wants base, a sell order offers it.
      t.same(book.bids, await side('buy', 'ask_amount', 'desc', limit), `${depth} bids`)
      t.same(book.asks, await side('sell', 'bid_amount', 'asc', limit), `${depth} asks`)
      for (const text of [...book.bids, ...book.asks].flat()) t.match(text, /^\d+(\.\d+)?$/)
    }
    const merged = await one(
      'select count(*)::int4 as orders, count(distinct unit_price)::int4 as levels from state.orders where market_id = 0',
    )
    t.ok(merged.levels < merged.orders, 'there are orders at one price')
    t.same(await get(`/api/v2/tickers/${NEVER}/orderbook`), { ticker_id: NEVER, timestamp: NOW, bids: [], asks: [] })
    t.equal((await api.get(`/api/v2/tickers/${MAIN}/orderbook?depth=x`)).status, 400)
  })

  t.test('HT-01 HT-02 HT-04 HT-05 HT-06 trades: the newest, oldest first', async (t) => {
    const stored = async (condition: string, limit: number) => {
      const { rows } = await pool.query(
        `select * from (select global_seq::text as trade_id, unit_price::text as price, amount_base::text as base, amount_target::text as target,
           floor(date_part('epoch', block_time)) as at, case type when 'buymatch' then 'buy' else 'sell' end as side, encode(trx_id, 'hex') as trx
         from ledger.deals where market_id = 0 and ${condition} order by global_seq desc limit ${limit}) d order by trade_id::int8`,
      )
      return rows.map(({ trade_id, price, base, target, at, side, trx }) => ({
        trade_id,
        price: toNumber(price, 8),
        base_volume: toNumber(base, 4),
        target_volume: toNumber(target, 8),
        trade_timestamp: at,
        type: side,
        trx_id: trx,
      }))
    }
    const path = `/api/v2/tickers/${MAIN}/historical_trades`
    t.same(await get(path), await stored('true', 200))
    for (const [limit, count] of [
      [7, 7],
      [0, 400],
      [5000, 400],
    ])
      t.same(await get(`${path}?limit=${limit}`), await stored('true', count!), `limit ${limit}`)
    t.same(await get(`${path}?type=buy&limit=50`), await stored(`type = 'buymatch'`, 50))
    t.same(await get(`${path}?type=sell&limit=50`), await stored(`type = 'sellmatch'`, 50))
    t.same(await get(`/api/v2/tickers/${NEVER}/historical_trades`), [])
    for (const bad of ['type=foo', 'limit=-1', 'limit=x', 'start_time=x', 'end_time=1e400'])
      t.equal((await api.get(`${path}?${bad}`)).status, 400, `HT-07 ${bad}`)
    for (const odd of ['start_time=1e308', 'end_time=-1e308', 'start_time=9&end_time=1', 'limit=1e30', 'step=5'])
      t.equal((await api.get(`${path}?${odd}`)).status, 200, odd)
  })

  t.test('HT-02 never more than a thousand', async (t) => {
    await pool.query(
      `insert into ledger.deals select chain, 2, block_time, 900000 + n, block_num, trx_id, type, bidder, asker, amount_base, amount_target,
         0, 8, unit_price, null, null, null, null, usd from ledger.deals cross join generate_series(1, 1100) n where market_id = 0 and global_seq =
         (select min(global_seq) from ledger.deals where market_id = 0)`,
    )
    const path = `/api/v2/tickers/${NEVER}/historical_trades`
    const count = async (query: string) => (await get(`${path}${query}`)).length
    t.same(
      // No block announces these deals: an answer with them comes from the database, not from a cache.
      [await count('?start_time=0'), await count('?limit=0'), await count('?limit=5000'), await count('?limit=999')],
      [200, 1000, 1000, 999],
    )
    await pool.query('delete from ledger.deals where market_id = 2')
  })

  t.test('HT-03 GEN-10 seconds are inclusive, with their fractions', async (t) => {
    const { at } = await one(
      `select date_part('epoch', block_time) as at from ledger.deals where market_id = 0 and date_part('epoch', block_time)::numeric % 1 = 0.5 limit 1`,
    )
    const second = Math.floor(at)
    const path = `/api/v2/tickers/${MAIN}/historical_trades`
    const within = async (query: string): Promise<number[]> =>
      (await get(`${path}?${query}`)).map((trade: { trade_timestamp: number }) => trade.trade_timestamp)
    t.ok((await within(`start_time=${second}&end_time=${second}`)).includes(second))
    t.ok((await within(`end_time=${second}&limit=0`)).includes(second))
    t.notOk((await within(`end_time=${second - 1}&limit=0`)).some((time) => time >= second))
    t.notOk((await within(`start_time=${second + 1}&limit=0`)).some((time) => time <= second))
    t.same(
      await within(`from=${second * 1000}&to=${second * 1000 + 999}`),
      await within(`start_time=${second}&end_time=${second}`),
      'NS-07 milliseconds',
    )
  })

  t.test('NS-07 latest trades, newest first', async (t) => {
    const latest = await get(`/api/v2/tickers/${MAIN}/latest_trades`)
    const history = await get(`/api/v2/tickers/${MAIN}/historical_trades?limit=300`)
    t.equal(latest.length, 300)
    t.same(
      latest.map(({ time: _, ...trade }: { time: number }) => trade),
      history.reverse(),
    )
    const { at } = await one(
      `select date_part('epoch', block_time) * 1000 as at from ledger.deals where market_id = 0 order by global_seq desc limit 1`,
    )
    t.equal(latest[0].time, at)
    t.equal((await get(`/api/v2/tickers/${MAIN}/latest_trades?limit=3`)).length, 3)
  })

  t.test('CH-01 CH-02 CH-03 CH-04 charts', async (t) => {
    const path = `/api/v2/tickers/${MAIN}/charts`
    const expected = async (market: number, resolution: string, from: number, to = NOW) =>
      (await rawCandles(pool, 'spot', market, { resolution, from, to })).map(
        ({ time, open, high, low, close: last, target }) => ({
          time,
          open: toNumber(open, 8),
          high: toNumber(high, 8),
          low: toNumber(low, 8),
          close: toNumber(last, 8),
          volume: toNumber(target, 8),
        }),
      )
    for (const [resolution, from] of [
      ['1', NOW - 6 * HOUR],
      ['60', NOW - 9 * DAY],
      ['240', NOW - 40 * DAY],
      ['1D', 0],
      ['1W', 0],
      ['1M', 0],
    ] as const) {
      const start = Math.max(from, NOW - 120 * DAY)
      t.same(
        await get(`${path}?resolution=${resolution}&from=${from}`),
        await expected(0, resolution, start),
        resolution,
      )
    }
    const quiet = await get(`/api/v2/tickers/${QUIET}/charts?resolution=15&from=${NOW - DAY}`)
    t.same(quiet, await expected(1, '15', NOW - DAY), 'CND-08 the price of two days ago is carried in')
    t.equal(quiet.length, 97)
    t.same(await get(`/api/v2/tickers/${NEVER}/charts?resolution=1&from=0`), [])
    const most = await get(`${path}?resolution=1&from=0&limit=9999`)
    t.same([most.length, most[4999].time], [5000, Math.floor(NOW / 60_000) * 60_000])
    t.same(await get(`${path}?resolution=1&from=0&limit=10`), most.slice(-10))
    for (const bad of [
      '',
      'resolution=1',
      `from=${NOW}`,
      'resolution=2&from=0',
      'resolution=1&from=x',
      'resolution=1&from=0&to=x',
    ])
      t.equal((await api.get(`${path}?${bad}`)).status, 400, bad)
  })
})
