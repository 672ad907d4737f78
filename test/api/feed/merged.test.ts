// The feed merged by asset over HTTP, compared with figures computed by hand and SQL over trades.
import type { Pool } from 'pg'
import t from 'tap'
import { Assets, quoteOrder } from '../../../api/feed/assets.ts'
import { readFeedAssets } from '../../../config/feed-assets.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { CHAINS, chainConfig, writeScene } from './scene.ts'

interface Merged {
  ticker_id: string
  pools: string[]
  [member: string]: unknown
}

const FEED = '/api/v3/feed'
const close = (x: number, y: number) => Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(x), Math.abs(y))

/** Markets merged into WAX_USDT; `true` for those with the tokens reversed. */
const POOLS = [
  { chain: 'wax', pool: 0, reversed: false },
  { chain: 'wax', pool: 1, reversed: false },
  { chain: 'wax', pool: 8, reversed: true },
  { chain: 'telos', pool: 1, reversed: false },
]
const BOOKS = [
  { chain: 'wax', market: 1, reversed: true },
  { chain: 'wax', market: 2, reversed: false },
]

interface Trade {
  trade_id: string
  pool_id: string
  base: number
  target: number
  at: number
  type: string
  usd: number
  recent: boolean
}

/** Every trade of WAX for USDT, in whole WAX and USDT, oldest first. */
async function trades(pool: Pool): Promise<Trade[]> {
  const turn = (is: boolean, x: string, y: string) =>
    is ? `${y} as base, ${x} as target` : `${x} as base, ${y} as target`
  const of = [
    ...POOLS.map(
      ({ chain, pool: id, reversed }) => `
      select '${chain}:swap:' || global_seq as trade_id, '${chain}:amm:${id}' as pool_id,
        ${turn(reversed, 'abs(amount_a / 10::numeric ^ decimals_a)', 'abs(amount_b / 10::numeric ^ decimals_b)')},
        floor(date_part('epoch', s.block_time)) as at,
        case when (amount_a < 0) <> ${reversed} then 'buy' else 'sell' end as type, usd,
        s.block_time >= date_trunc('minute', p.block_time) - interval '24 hours' as recent
      from ledger.swaps s join meta.position p using (chain) where chain = '${chain}' and pool_id = ${id}`,
    ),
    ...BOOKS.map(
      ({ chain, market, reversed }) => `
      select '${chain}:match:' || global_seq, '${chain}:orderbook:${market}',
        ${turn(reversed, 'amount_base / 10::numeric ^ decimals_base', 'amount_target / 10::numeric ^ decimals_target')},
        floor(date_part('epoch', s.block_time)), case when (type = 'buymatch') <> ${reversed} then 'buy' else 'sell' end, usd,
        s.block_time >= date_trunc('minute', p.block_time) - interval '24 hours'
      from ledger.deals s join meta.position p using (chain) where chain = '${chain}' and market_id = ${market}`,
    ),
  ]
  const { rows } = await pool.query(`select * from (${of.join(' union all ')}) t order by at, trade_id`)
  return rows.map((row) => ({ ...row, base: Number(row.base), target: Number(row.target), usd: Number(row.usd) }))
}

t.test('the feed merged by asset', async (t) => {
  const database = await testDatabase(t, { chains: CHAINS })
  await writeScene(database.pool)
  // The shipped file has no id for XPR.
  const assets = readFeedAssets(undefined, []).map((asset) => (asset.symbol === 'XPR' ? { ...asset, id: 999 } : asset))
  const api = await testApi(t, database, { chains: CHAINS.map(chainConfig), feed: { assets } })
  const get = async (path: string) => (await api.get(`${FEED}${path}`)).body
  const tickers: Merged[] = await get('/cmc/tickers')
  const byId = new Map(tickers.map((one) => [one.ticker_id, one]))
  const wax = byId.get('WAX_USDT')!

  t.test('CMC-01 CMC-02 CMC-03 CMC-04 CMC-05 CMC-14 CMC-15 one market for each pair of assets', async (t) => {
    t.same(
      Object.fromEntries(tickers.map((one) => [one.ticker_id, [...one.pools].sort()])),
      {
        WAX_USDT: ['telos:amm:1', 'wax:amm:0', 'wax:amm:1', 'wax:amm:8', 'wax:orderbook:1', 'wax:orderbook:2'],
        TLM_WAX: ['wax:amm:2', 'wax:orderbook:0'],
        TLOS_USDT: ['telos:amm:0'],
        TLOS_WAX: ['telos:amm:2'],
        EOS_USDT: ['eos:amm:0', 'eos:orderbook:0'],
        XPR_USDC: ['xpr:amm:0'],
      },
      'not the pool of two forms of USDT, nor pools of tokens without an id, nor what is not listed',
    )
    t.ok(tickers.every((one) => one.ticker_id === `${one.base_currency}_${one.target_currency}`))
    const pairs = await get('/cmc/pairs')
    t.same(
      pairs,
      tickers.map(({ ticker_id, base_currency: base, target_currency: target, pool_id }) => ({
        ticker_id,
        base,
        target,
        pool_id,
      })),
    )
  })

  t.test('CMC-03 an asset without an id is in no pair, and no other asset gets its symbol', async (t) => {
    const shipped = readFeedAssets(undefined, [])
    t.equal(shipped.find(({ symbol }) => symbol === 'XPR')?.id, undefined)
    const other = await testApi(t, database, { chains: CHAINS.map(chainConfig), feed: { assets: shipped } })
    const ids = (await other.get(`${FEED}/cmc/tickers`)).body.map((one: Merged) => one.ticker_id)
    t.same(
      ids,
      tickers.map((one) => one.ticker_id).filter((id) => id !== 'XPR_USDC'),
    )
    const plain = (await other.get(`${FEED}/tickers`)).body.find((one: Merged) => one.pool_id === 'xpr:amm:0')
    t.same([plain.base_cmc_ucid, plain.global_ticker_id], [null, null], 'it is in the plain feed')
    const known = new Assets(shipped, [{ ...chainConfig('wax'), aggregatorIds: { 'xpr-other': 7 } }])
    t.equal(known.of('wax:xpr-other')?.symbol, 'XPR.7')
  })

  t.test('CMC-06 CMC-07 stablecoins first, then chain coins, then the alphabet', (t) => {
    const config = chainConfig('wax')
    const ids = { 'aaa-a.test': 7, 'zzz-z.test': 8, 'usdx-u.test': 9, 'usdt-other': 10 }
    const chains = [{ ...config, aggregatorIds: ids, trust: { ...config.trust, stable: ['usdx-u.test'] } }]
    const known = new Assets(assets, chains)
    const order = (x: string, y: string) => quoteOrder(known.of(x)!, known.of(y)!).map(({ symbol }) => symbol)
    const both = (x: string, y: string, wanted: string[]) => {
      t.same(order(x, y), wanted)
      t.same(order(y, x), wanted)
    }
    both('wax:usdt-usdt.svc', 'wax:wax-eosio.token', ['WAX', 'USDT'])
    both('wax:zzz-z.test', 'wax:usdc-wrap.svc', ['ZZZ', 'USDC'])
    both('wax:aaa-a.test', 'wax:wax-eosio.token', ['AAA', 'WAX'])
    both('wax:zzz-z.test', 'wax:aaa-a.test', ['AAA', 'ZZZ'])
    both('wax:usdt-usdt.svc', 'wax:usdc-wrap.svc', ['USDC', 'USDT'])
    both('wax:wax-eosio.token', 'telos:tlos-eosio.token', ['TLOS', 'WAX'])
    both('wax:usdx-u.test', 'wax:wax-eosio.token', ['WAX', 'USDX'])
    t.same(known.of('wax:usdt-other')!.symbol, 'USDT.10', 'another asset with the symbol of one that is known')
    t.equal(known.of('wax:usdt-usdt.svc'), known.of('telos:usdt-wrap.svc'))
    t.end()
  })

  t.test('CMC-08 sums over the parts, each turned to the order of the pair', async (t) => {
    const recent = (await trades(database.pool)).filter((trade) => trade.recent)
    const sum = (of: (trade: Trade) => number) => recent.reduce((total, trade) => total + of(trade), 0)
    t.ok(
      close(
        wax.base_volume as number,
        sum(({ base }) => base),
      ),
    )
    t.ok(
      close(
        wax.target_volume as number,
        sum(({ target }) => target),
      ),
    )
    t.ok(
      close(
        wax.volume_usd_24h as number,
        sum(({ usd }) => usd),
      ),
    )
    const plain: Merged[] = await get('/tickers')
    const held = plain.filter(({ pool_id }) => wax.pools.includes(pool_id as string))
    t.ok(
      close(
        wax.liquidity_in_usd as number,
        held.reduce((total, one) => total + (one.liquidity_in_usd as number), 0),
      ),
    )
    t.ok(close(wax.liquidity_in_usd as number, 100_000 + 20_000 + 40_000 + 10_000 + 1996.5 + 2752.5))
  })

  t.test('CMC-09 CMC-10 CMC-11 the price is of the most liquid part, the orders of the most liquid book', async (t) => {
    t.match(wax, { pool_id: 'wax:amm:0', bid: 0.0499, ask: 0.0502, type: 'amm', chain: 'wax' })
    t.ok(close(wax.last_price as number, 0.05))
    t.equal(wax.trade_url, 'http://wax.localhost/swap/wax-eosio.token_usdt-usdt.svc')
    t.same([wax.base_cmc_ucid, wax.target_cmc_ucid, wax.global_ticker_id], [2300, 825, 'WAX-USDT'])
    t.notOk('bid' in byId.get('TLOS_USDT')!, 'without a book there are no orders')
    const { rows } = await database.pool.query(`
      select max(case when turned then 1 / low else high end)::float8 as high, min(case when turned then 1 / high else low end)::float8 as low
      from (
        select chain = 'wax' and pool_id = 8 as turned, max(price) as high, min(price) as low from (
          select chain, pool_id, power(sqrt_price_x64 / 2::numeric ^ 64, 2) * 10::numeric ^ (decimals_a - decimals_b) as price
          from ledger.swaps where block_time > now() - interval '1 day' and ((chain = 'wax' and pool_id in (0, 1, 8)) or (chain = 'telos' and pool_id = 1))
        ) s group by chain, pool_id
        union all
        select market_id = 1, max(unit_price / 1e8), min(unit_price / 1e8) from ledger.deals
        where chain = 'wax' and market_id in (1, 2) and block_time > now() - interval '1 day' group by market_id
      ) t`)
    t.ok(close(wax.high as number, rows[0].high))
    t.ok(close(wax.low as number, rows[0].low))
    t.same([byId.get('EOS_USDT')!.high, byId.get('EOS_USDT')!.low], [null, null])
  })

  t.test('CMC-10 CMC-12 a book that is seen from its other token', async (t) => {
    const plain = await get('/cmc/orderbook?ticker_id=WAX_USDT')
    t.same([plain.pool_id, plain.ticker_id], ['wax:orderbook:2', 'WAX_USDT'])
    t.same(plain.bids, [['0.04990000', '30000.00000000']])
    t.same(plain.asks, [
      ['0.05020000', '20000.00000000'],
      ['0.05030000', '5000.00000000'],
    ])
    // Without its first book, the pair uses the book that trades USDT for WAX.
    await database.pool.query(`delete from state.orders where chain = 'wax' and market_id = 2`)
    await database.pool.query(
      `with parts as (
        update state.orders set bid_amount = 1000000000000 where chain = 'wax' and market_id = 1 and side = 'buy' and bid_amount = 1791000000000
        returning *
      )
      insert into state.orders select (jsonb_populate_record(null::state.orders,
        to_jsonb(parts) || '{"order_id": 900, "bid_amount": 791000000000}')).* from parts`,
    )
    const other = await testApi(t, database, { chains: CHAINS.map(chainConfig), feed: { assets } })
    const turned = (await other.get(`${FEED}/cmc/orderbook?ticker_id=wax_usdt`)).body
    t.equal(turned.pool_id, 'wax:orderbook:1')
    // 1 / 20.1, 1 / 19.9 and 1 / 19.8, rounded to 16 digits.
    t.same(turned.bids, [['0.04975124378109453', '16080.00000000']])
    t.same(turned.asks, [
      ['0.05025125628140704', '17910.00000000'],
      ['0.05050505050505051', '5940.00000000'],
    ])
    // The level at 1 / 19.9 has two orders, of 10,000 and 7,910.
    const layout = async (query: string) => (await other.get(`${FEED}/cmc/orderbook/WAX_USDT?${query}`)).body
    const { ticker_id: _, pool_id: __, ...prices } = turned
    t.same(await layout('level=2'), prices)
    t.same(await layout('level=1'), { ...prices, asks: prices.asks.slice(0, 1) }, 'the best of each side')
    const [first, second] = prices.asks
    const orders = [[first[0], '10000.00000000'], [first[0], '7910.00000000'], second]
    t.same(await layout('level=3'), { ...prices, asks: orders }, 'every order by itself')
    t.same((await layout('level=3&depth=4')).asks, orders.slice(0, 2))
    t.equal((await other.get(`${FEED}/cmc/orderbook/WAX_USDT?level=4`)).status, 400)
    const [ticker] = (await other.get(`${FEED}/cmc/tickers`)).body
    t.equal(ticker.ticker_id, 'WAX_USDT')
    t.ok(close(ticker.bid, 1 / 20.1) && close(ticker.ask, 1 / 19.9))
    t.equal((await other.get(`${FEED}/cmc/orderbook?ticker_id=WAX_USDT&depth=2`)).body.asks.length, 1)
    t.equal((await api.get(`${FEED}/cmc/orderbook?ticker_id=TLOS_USDT`)).status, 400)
    t.equal((await api.get(`${FEED}/cmc/orderbook?ticker_id=NO_PAIR`)).status, 404)
  })

  t.test('CMC-13 trades of all parts, turned to the order of the pair', async (t) => {
    const wanted = await trades(database.pool)
    t.ok(wanted.length > 10 && new Set(wanted.map((one) => one.pool_id)).size === 6)
    const path = '/cmc/historical_trades?ticker_id=WAX_USDT'
    const found = await get(path)
    t.same(
      found.map((one: Record<string, unknown>) => [
        one.trade_id,
        one.pool_id,
        one.ticker_id,
        one.trade_timestamp,
        one.type,
      ]),
      wanted.map((one) => [one.trade_id, one.pool_id, 'WAX_USDT', one.at, one.type]),
    )
    for (const [i, one] of found.entries()) {
      t.ok(close(one.base_volume, wanted[i]!.base) && close(one.target_volume, wanted[i]!.target), one.trade_id)
      t.ok(Math.abs(one.price / (wanted[i]!.target / wanted[i]!.base) - 1) < 1e-3, `price of ${one.trade_id}`)
    }
    const ids = async (query: string) => (await get(`${path}${query}`)).map((one: Trade) => one.trade_id)
    t.same(
      await ids('&limit=3'),
      wanted.slice(-3).map((one) => one.trade_id),
    )
    for (const type of ['buy', 'sell'])
      t.same(
        await ids(`&type=${type}`),
        wanted.filter((one) => one.type === type).map((one) => one.trade_id),
        type,
      )
  })

  t.test('the aggregator’s own layouts, from the same markets', async (t) => {
    const summary = await get('/cmc/summary')
    t.same(
      summary.map((one: Record<string, unknown>) => [
        one.trading_pairs,
        one.last_price,
        one.base_volume,
        one.quote_volume,
      ]),
      tickers.map((one) => [one.ticker_id, one.last_price, one.base_volume, one.target_volume]),
    )
    t.match(summary[0], { base_currency: 'WAX', quote_currency: 'USDT', highest_bid: 0.0499, lowest_ask: 0.0502 })
    t.same((await get('/cmc/assets')).WAX, { name: 'WAX', unified_cryptoasset_id: 2300 })
    t.same(Object.keys(await get('/cmc/assets')), ['EOS', 'TLM', 'TLOS', 'USDC', 'USDT', 'WAX', 'XPR'])
    const pairs = await get('/cmc/ticker')
    t.match(pairs.WAX_USDT, { base_id: 2300, quote_id: 825, last_price: wax.last_price, isFrozen: '0' })
    t.same(
      Object.keys(pairs),
      tickers.map((one) => one.ticker_id),
    )
    const rows = await get('/cmc/trades/WAX_USDT')
    const all = await get('/cmc/historical_trades?ticker_id=WAX_USDT')
    t.same(
      rows.map((one: Record<string, unknown>) => [one.trade_id, one.base_volume, one.quote_volume, one.type]),
      all.map((one: Record<string, unknown>) => [one.trade_id, one.base_volume, one.target_volume, one.type]),
    )
    t.ok(
      rows.every(
        (one: { timestamp: number }, i: number) => Math.floor(one.timestamp / 1000) === all[i].trade_timestamp,
      ),
    )
    const { ticker_id: _, pool_id: __, ...levels } = await get('/cmc/orderbook?ticker_id=WAX_USDT')
    t.same(await get('/cmc/orderbook/WAX_USDT'), levels)
  })
})
