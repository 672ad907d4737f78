// The cross-chain feed over HTTP for four chains, compared with figures computed by hand and SQL over trades.
import type { Pool } from 'pg'
import t from 'tap'
import { readFeedAssets } from '../../../config/feed-assets.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { idOf } from '../market/hand-made.ts'
import { CHAINS, chainConfig, EOS, MARKETS, POOLS, TETHER, TLM, TLOS, USD, USDT, WAX, writeScene } from './scene.ts'

interface Ticker {
  ticker_id: string
  pool_id: string
  type: string
  chain: string
  liquidity_in_usd: number
  [member: string]: unknown
}

const FEED = '/api/v3/feed'
const NAMES = { wax: 'wax', telos: 'telos', eos: 'eos', proton: 'xpr' }
const close = (x: number, y: number) => Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(x), Math.abs(y))

/** Volumes and extremes of 24 hours, computed from trades, by pool id of the feed. */
async function dayVolumes(pool: Pool) {
  const { rows } = await pool.query(`
    select chain, 'amm' as type, pool_id::int4 as id, sum(abs(amount_a) / 10::numeric ^ decimals_a)::float8 as base,
      sum(abs(amount_b) / 10::numeric ^ decimals_b)::float8 as target, sum(usd)::float8 as usd,
      max(power(sqrt_price_x64 / 2::numeric ^ 64, 2) * 10::numeric ^ (decimals_a - decimals_b))::float8 as high,
      min(power(sqrt_price_x64 / 2::numeric ^ 64, 2) * 10::numeric ^ (decimals_a - decimals_b))::float8 as low
    from ledger.swaps s join meta.position p using (chain)
    where s.block_time >= date_trunc('minute', p.block_time) - interval '24 hours' group by 1, 3
    union all
    select chain, 'orderbook', market_id::int4, sum(amount_base / 10::numeric ^ decimals_base)::float8,
      sum(amount_target / 10::numeric ^ decimals_target)::float8, sum(usd)::float8, max(unit_price / 1e8)::float8, min(unit_price / 1e8)::float8
    from ledger.deals s join meta.position p using (chain)
    where s.block_time >= date_trunc('minute', p.block_time) - interval '24 hours' group by 1, 3`)
  return new Map(rows.map((row) => [`${NAMES[row.chain as 'wax']}:${row.type}:${row.id}`, row]))
}

t.test('the cross-chain feed', async (t) => {
  const database = await testDatabase(t, { chains: CHAINS })
  const { pool } = database
  await writeScene(pool)
  const minute = 60_000
  const clock = { now: Math.floor(Date.now() / minute) * minute }
  const assets = readFeedAssets(undefined, [])
  const api = await testApi(t, database, {
    chains: CHAINS.map(chainConfig),
    feed: { assets, now: () => clock.now },
  })
  const get = async (path: string) => (await api.get(`${FEED}${path}`)).body
  const tickers: Ticker[] = await get('/tickers')
  const byPool = new Map(tickers.map((one) => [one.pool_id, one]))

  t.test('FEED-08 FEED-09 FEED-10 the listed markets, and their liquidity', async (t) => {
    const values: Record<string, number> = {
      'wax:amm:0': 100_000,
      'wax:amm:1': 20_000,
      'wax:amm:2': 2 * 80_000 * USD.wax,
      'wax:amm:3': 10_000,
      'wax:amm:4': 1_000,
      'wax:amm:8': 40_000,
      'telos:amm:0': 100_000,
      'telos:amm:1': 10_000,
      'telos:amm:2': 2 * 30_000 * USD.telos,
      'eos:amm:0': 10_000,
      'xpr:amm:0': 16_000,
      // Depth of 10 percent around 0.08 includes orders at 0.072 and 0.088, but not at 0.0711 and 0.0889.
      'wax:orderbook:0': (150_000 * 0.0799 + 70_000 * 0.072 + 120_000 * 0.0801 + 90_000 * 0.088) * USD.wax,
      'wax:orderbook:1': (900 * 19.9 + 300 * 19.8 + 800 * 20.1) * USD.wax,
      'wax:orderbook:2': 30_000 * 0.0499 + 20_000 * 0.0502 + 5_000 * 0.0503,
      'eos:orderbook:0': 4000 * 0.499 + 4000 * 0.501,
    }
    t.same([...byPool.keys()].sort(), Object.keys(values).sort())
    for (const [id, value] of Object.entries(values)) {
      const found = byPool.get(id)!.liquidity_in_usd
      t.ok(close(found, value), `${id} holds ${value}: ${found}`)
    }
    t.equal(byPool.get('wax:amm:4')!.liquidity_in_usd, 1000, 'exactly the threshold')
    t.ok(tickers.every((one) => one.liquidity_in_usd >= 1000))
  })

  t.test('FEED-01 FEED-02 FEED-03 FEED-13 FEED-22 ids of pairs', async (t) => {
    const pairs: Record<string, string>[] = await get('/pairs')
    t.same(pairs.map((one) => one.pool_id).sort(), [...byPool.keys()].sort())
    t.equal(new Set(pairs.map((one) => one.pool_id)).size, pairs.length)
    for (const pair of pairs) {
      t.same(Object.keys(pair), ['ticker_id', 'base', 'target', 'pool_id'])
      const [name, type, id] = pair.pool_id!.split(':')
      const chain = CHAINS.find((one) => NAMES[one] === name)!
      const own = POOLS[chain].find((one) => one.id === Number(id))
      const book = MARKETS[chain].find((one) => one.id === Number(id))
      const [base, target] = type === 'amm' ? [own!.a[0], own!.b[0]] : [book!.base, book!.target]
      t.same([pair.base, pair.target], [`${name}:${idOf(base)}`, `${name}:${idOf(target)}`])
      t.equal(pair.ticker_id, `${pair.base}_${pair.target}`)
    }
    const named = (id: string) => byPool.get(id)!.ticker_id
    t.equal(named('wax:amm:0'), named('wax:amm:1'), 'fee tiers share a ticker')
    t.not(named('wax:orderbook:1'), named('wax:orderbook:2'), 'the other order is another ticker')
  })

  t.test('FEED-04 FEED-05 FEED-06 FEED-07 FEED-11 prices and volumes of a market itself', async (t) => {
    const volumes = await dayVolumes(pool)
    const last: Record<string, number> = {
      'wax:amm:0': 0.05,
      'wax:amm:8': 20,
      'telos:amm:0': 0.1,
      'wax:orderbook:0': 0.0799,
      'wax:orderbook:1': 20.1,
      'wax:orderbook:2': 0.0502,
      'eos:orderbook:0': 0.5,
    }
    const orders: Record<string, [number, number]> = {
      'wax:orderbook:0': [0.0799, 0.0801],
      'wax:orderbook:1': [19.9, 20.1],
      'wax:orderbook:2': [0.0499, 0.0502],
      'eos:orderbook:0': [0.499, 0.501],
    }
    for (const [id, one] of byPool) {
      t.equal(one.type, id.split(':')[1])
      t.equal(one.chain, id.split(':')[0])
      const wanted = volumes.get(id) ?? { base: 0, target: 0, usd: 0, high: null, low: null }
      for (const [member, value] of Object.entries({
        base_volume: wanted.base,
        target_volume: wanted.target,
        volume_usd_24h: wanted.usd,
      }))
        t.ok(close(one[member] as number, value), `${member} of ${id}: ${one[member]} is ${value}`)
      for (const member of ['high', 'low'])
        if (wanted[member] === null) t.equal(one[member], null)
        else t.ok(close(one[member] as number, wanted[member]), `${member} of ${id}`)
      if (last[id] !== undefined) t.ok(Math.abs((one.last_price as number) / last[id]! - 1) < 1e-9, `price of ${id}`)
      if (one.type === 'orderbook') t.same([one.bid, one.ask], orders[id])
      else t.notOk('bid' in one || 'ask' in one, `${id} has no orders`)
    }
    t.same(
      ['base_cmc_ucid', 'target_cmc_ucid', 'global_ticker_id'].map((member) => byPool.get('wax:amm:2')![member]),
      [9119, 2300, 'TLM-WAX'],
    )
    t.same(
      ['base_cmc_ucid', 'target_cmc_ucid', 'global_ticker_id'].map((member) => byPool.get('wax:amm:4')![member]),
      [2300, null, null],
    )
    const pages = ['wax:amm:2', 'telos:amm:0', 'xpr:amm:0', 'wax:orderbook:1'].map((id) => byPool.get(id)!.trade_url)
    t.same(pages, [
      `http://wax.localhost/swap/${idOf(TLM)}_${idOf(WAX)}`,
      `http://telos.localhost/swap/${idOf(TLOS)}_usdt-wrap.svc`,
      'http://proton.localhost/swap/xpr-eosio.token_xusdc-xtokens',
      `http://wax.localhost/spot/${idOf(USDT)}_${idOf(WAX)}`,
    ])
  })

  t.test('FEED-20 FEED-21 GEN-08 the same on every host, at the root of its own', async (t) => {
    const wax = `${idOf(USDT)}_${idOf(WAX)}`
      .split('_')
      .map((one) => `wax:${one}`)
      .join('_')
    const query = `?ticker_id=${wax}`
    for (const path of ['/pairs', '/tickers', `/orderbook${query}`, `/historical_trades${query}`, '/cmc/tickers']) {
      const own = await api.get(path, { host: 'feed.localhost' })
      t.equal(own.status, 200, path)
      t.equal(own.headers['access-control-allow-origin'], '*')
      for (const chain of CHAINS) {
        const other = await api.get(`${FEED}${path}`, { host: `${chain}.localhost` })
        t.equal(other.text, own.text, `${path} of ${chain}`)
      }
    }
    t.equal((await api.get('/tickers', { host: 'wax.localhost' })).status, 404, 'not at the root of a chain')
    const unknown = await api.get(`${FEED}/tickers`, { host: 'nowhere.localhost' })
    t.match([unknown.status, unknown.body], [404, { error: 'Unknown network', hosts: Array }])
  })

  t.test('FEED-14 FEED-15 FEED-16 order books', async (t) => {
    const id = byPool.get('wax:orderbook:0')!.ticker_id
    const book = await get(`/orderbook?ticker_id=${id}`)
    const { rows } = await pool.query(
      `select date_part('epoch', block_time) * 1000 as at from meta.position where chain = 'wax'`,
    )
    t.same(book, {
      ticker_id: id,
      pool_id: 'wax:orderbook:0',
      timestamp: rows[0].at,
      bids: [
        ['0.07990000', '150000.0000'],
        ['0.07200000', '70000.0000'],
        ['0.07110000', '9000000.0000'],
      ],
      asks: [
        ['0.08010000', '120000.0000'],
        ['0.08800000', '90000.0000'],
        ['0.08890000', '9000000.0000'],
      ],
    })
    const depth = async (query: string) => {
      const { bids, asks } = await get(`/orderbook?ticker_id=${id}${query}`)
      return [bids.length, asks.length]
    }
    t.same(await depth('&depth=0'), [3, 3])
    t.same(await depth('&depth=4'), [2, 2], 'both sides together')
    t.same(await depth('&depth=2'), [1, 1])
    t.same(await depth('&depth=100'), [3, 3])
    const status = async (query: string) => (await api.get(`${FEED}/orderbook${query}`)).status
    t.equal(await status(''), 400)
    t.equal(await status('?ticker_id=wax:x-y_wax:z-w'), 404)
    t.equal(await status(`?ticker_id=${byPool.get('wax:amm:2')!.ticker_id}`), 200, 'a pool and a book share it')
    t.equal(await status(`?ticker_id=${byPool.get('wax:amm:4')!.ticker_id}`), 400, 'NS-05 pools have no book')
  })

  t.test('FEED-17 FEED-18 FEED-19 trades of all pools and books of a ticker', async (t) => {
    const id = `wax:${idOf(WAX)}_wax:${idOf(USDT)}`
    const path = `/historical_trades?ticker_id=${id}`
    const { rows } = await pool.query(`
      select * from (
        select 'wax:swap:' || global_seq as trade_id, 'wax:amm:' || pool_id as pool_id, abs(amount_a) / 1e8 as base, abs(amount_b) / 1e6 as target,
          floor(date_part('epoch', block_time)) as at, case when amount_a < 0 then 'buy' else 'sell' end as type, encode(trx_id, 'hex') as trx
        from ledger.swaps where chain = 'wax' and pool_id in (0, 1)
        union all
        select 'wax:match:' || global_seq, 'wax:orderbook:' || market_id, amount_base / 1e8, amount_target / 1e6,
          floor(date_part('epoch', block_time)), replace(type, 'match', ''), encode(trx_id, 'hex')
        from ledger.deals where chain = 'wax' and market_id = 2) t order by at, trade_id`)
    const found = await get(path)
    t.equal(rows.length, 5)
    t.same(
      found.map(({ price: _, ...trade }: { price: number }) => trade),
      rows.map((row) => ({
        trade_id: row.trade_id,
        ticker_id: id,
        pool_id: row.pool_id,
        base_volume: Number(row.base),
        target_volume: Number(row.target),
        trade_timestamp: row.at,
        type: row.type,
        trx_id: row.trx,
      })),
    )
    for (const [i, trade] of found.entries())
      t.ok(close(trade.price, rows[i].target / rows[i].base), `price of ${trade.trade_id}`)
    const ids = async (query: string) => (await get(`${path}${query}`)).map((one: { trade_id: string }) => one.trade_id)
    const of = (wanted: (row: { type: string; at: number }) => boolean) =>
      rows.filter(wanted).map((row) => row.trade_id)
    t.same(await ids('&limit=2'), of(() => true).slice(-2), 'the latest')
    t.same(
      await ids('&type=buy'),
      of(({ type }) => type === 'buy'),
    )
    t.same(
      await ids('&type=sell'),
      of(({ type }) => type === 'sell'),
    )
    const [from, to] = [rows[1].at, rows[3].at]
    t.same(
      await ids(`&start_time=${from}&end_time=${to}`),
      of(({ at }) => at >= from && at <= to),
    )
    t.equal((await api.get(`${FEED}/historical_trades?ticker_id=x_y`)).status, 404)
    t.equal((await api.get(`${FEED}/historical_trades`)).status, 400)
    const all = []
    for (const ticker of new Set(tickers.map((one) => one.ticker_id)))
      all.push(...(await get(`/historical_trades?ticker_id=${ticker}`)))
    t.equal(new Set(all.map((one) => one.trade_id)).size, all.length, 'ids are unique across the feed')
    t.equal(all.length, 17, 'every trade of a listed market once')
  })

  t.test('FEED-12 the feed is refreshed once a minute, and gives the time of the refresh', async (t) => {
    await pool.query(`update state.pools set active = false where chain = 'wax' and pool_id = 1`)
    await pool.query(
      `update meta.position set block_num = 1001, block_id = repeat('6f', 32), lib_num = 1001 where chain = 'wax'`,
    )
    await api.catchUp()
    clock.now += 59_000
    const answer = await api.get(`${FEED}/tickers`)
    t.same(answer.body, tickers, 'the feed of the minute')
    t.equal(answer.headers['x-feed-refreshed-at'], new Date(clock.now - 59_000).toISOString())
    t.equal(answer.headers['cache-control'], 'public, max-age=1, stale-while-revalidate=60')
    clock.now += 1000
    const next = await api.get(`${FEED}/tickers`, { 'if-none-match': String(answer.headers.etag) })
    t.equal(next.status, 200)
    t.equal(next.headers['x-feed-refreshed-at'], new Date(clock.now).toISOString())
    t.same(
      next.body.map((one: Ticker) => one.pool_id).sort(),
      [...byPool.keys()].filter((id) => id !== 'wax:amm:1').sort(),
    )
    const same = await api.get(`${FEED}/tickers`, { 'if-none-match': String(next.headers.etag) })
    t.same([same.status, same.text], [304, ''])
    await pool.query(`update state.pools set active = true where chain = 'wax' and pool_id = 1`)
    await pool.query(
      `update meta.position set block_num = 1002, block_id = repeat('70', 32), lib_num = 1002 where chain = 'wax'`,
    )
    await api.catchUp()
    clock.now += minute
    t.same(await get('/tickers'), tickers)
  })

  t.test('the status of the feed, and its own check', async (t) => {
    clock.now += 7000
    const status = await get('/status')
    t.match(status, { ageSeconds: 7, refreshSeconds: 60, minimumUsd: 1000, tickers: 15, violations: 0 })
    t.match(status.chains, [
      { chain: 'wax', block: 1002, pools: 9, poolsListed: 6, orderbooks: 6, orderbooksListed: 3 },
      { chain: 'telos', block: 1000, pools: 3, poolsListed: 3, orderbooks: 0, orderbooksListed: 0 },
      { chain: 'eos', block: 1000, pools: 1, poolsListed: 1, orderbooks: 1, orderbooksListed: 1 },
      { chain: 'xpr', block: 1000, pools: 1, poolsListed: 1, orderbooks: 0, orderbooksListed: 0 },
    ])
    t.same((await get('/check')).violations, [])
    // A buy order above the sell orders, which the contract would have matched.
    const { rows } = await pool.query(
      `update state.orders set unit_price = 50200001 where chain = 'eos' and side = 'buy' returning market_id`,
    )
    t.equal(rows.length, 1)
    await pool.query(
      `update meta.position set block_num = 1001, block_id = repeat('71', 32), lib_num = 1001 where chain = 'eos'`,
    )
    const other = await testApi(t, database, { chains: [chainConfig('eos')], feed: { assets } })
    const { body } = await other.get(`${FEED}/check`, { host: 'eos.localhost' })
    t.match(body.violations, [
      {
        rule: 'bid-below-ask',
        ticker_id: `eos:${idOf(EOS)}_eos:${idOf(TETHER)}`,
        pool_id: 'eos:orderbook:0',
        message: 'the bid 0.50200001 is not below the ask 0.501',
      },
      { rule: 'bid-below-ask', ticker_id: 'EOS_USDT', pool_id: null },
    ])
    t.equal((await other.get(`${FEED}/status`, { host: 'eos.localhost' })).body.violations, 2)
  })
})
