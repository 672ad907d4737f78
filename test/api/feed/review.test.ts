// Checks that price aggregators make before they list an exchange, on four chains.
import t from 'tap'
import { readFeedAssets } from '../../../config/feed-assets.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { CHAINS, chainConfig, writeScene } from './scene.ts'

const HOST = { host: 'feed.localhost' }
const FIELDS = ['base_currency', 'target_currency', 'last_price', 'base_volume', 'target_volume', 'high', 'low']

interface Ticker {
  ticker_id: string
  pool_id: string
  base_currency: string
  target_currency: string
  last_price: number
  base_volume: number
  target_volume: number
  volume_usd_24h: number
  liquidity_in_usd: number
  bid?: number
  ask?: number
  high: number | null
  low: number | null
  trade_url: string
}

interface Trade {
  trade_id: string
  price: number
  base_volume: number
  target_volume: number
  trade_timestamp: number
  type: string
}

t.test('the review of an aggregator', async (t) => {
  const database = await testDatabase(t, { chains: CHAINS })
  const { pool } = database
  await writeScene(pool)
  const assets = readFeedAssets(undefined, [])
  const siteUrl = 'https://{chain}.exchange.test'
  const api = await testApi(t, database, { chains: CHAINS.map(chainConfig), feed: { assets }, siteUrl })
  const ask = async (path: string, headers = {}) => {
    const answer = await api.get(path, { ...HOST, ...headers })
    t.equal(answer.status, 200, path)
    return answer
  }
  const get = async (path: string) => (await ask(path)).body
  const tickers: Ticker[] = await get('/tickers')
  const merged: Ticker[] = await get('/cmc/tickers')

  t.test('every list is one answer, without a key, compressed, and cacheable for less than a minute', async (t) => {
    for (const path of [
      '/pairs',
      '/tickers',
      '/cmc/pairs',
      '/cmc/tickers',
      '/cmc/summary',
      '/cmc/assets',
      '/cmc/ticker',
    ]) {
      const { headers, text } = await ask(path)
      t.match(headers['content-type'], /^application\/json/)
      t.equal(headers['access-control-allow-origin'], '*')
      t.match(headers['cache-control'], /^public, max-age=\d+, stale-while-revalidate=60$/)
      t.ok(Number(/max-age=(\d+)/.exec(String(headers['cache-control']))?.[1]) <= 30)
      t.ok(headers.etag && headers['x-feed-refreshed-at'], path)
      t.notMatch(text, /"null"|"undefined"|"NaN"|Infinity/, 'nothing that is text instead of null')
      if (text.length < 1024) continue
      for (const encoding of ['gzip', 'br'])
        t.equal((await ask(path, { 'accept-encoding': encoding })).headers['content-encoding'], encoding, path)
    }
  })

  t.test('symbols may repeat: ids do not, and pairs and tickers are the same markets', async (t) => {
    const pairs: { ticker_id: string; base: string; target: string; pool_id: string }[] = await get('/pairs')
    t.same(
      pairs.map((one) => [one.ticker_id, one.base, one.target, one.pool_id]),
      tickers.map((one) => [one.ticker_id, one.base_currency, one.target_currency, one.pool_id]),
    )
    t.equal(new Set(tickers.map((one) => one.pool_id)).size, tickers.length)
    t.equal(new Set(merged.map((one) => one.ticker_id)).size, merged.length, 'one market for a pair of assets')
    const unordered = merged.map((one) => [one.base_currency, one.target_currency].sort().join(' '))
    t.equal(new Set(unordered).size, merged.length)
    t.ok(merged.every(({ ticker_id: id }) => /^[A-Z0-9.$-]+_[A-Z0-9.$-]+$/.test(id)))
    t.ok(tickers.every((one) => one.base_currency !== one.target_currency))
  })

  t.test('no price is zero, no volume negative, a bid is below its ask, a low below its high', (t) => {
    for (const one of [...tickers, ...merged]) {
      t.ok(FIELDS.every((field) => field in one))
      t.ok(one.last_price > 0 && one.liquidity_in_usd >= 1000, one.ticker_id)
      t.ok(one.base_volume >= 0 && one.target_volume >= 0 && one.volume_usd_24h >= 0)
      if (one.bid !== undefined && one.ask !== undefined) t.ok(one.bid > 0 && one.bid < one.ask)
      t.equal(one.high === null, one.low === null)
      if (one.high !== null && one.low !== null) t.ok(one.low > 0 && one.low <= one.high)
    }
    t.end()
  })

  t.test('base and target are the right way round: volumes are in their own tokens, prices target per base', (t) => {
    for (const one of [...tickers, ...merged]) {
      t.equal(one.base_volume > 0, one.target_volume > 0, one.ticker_id)
      if (one.base_volume === 0) continue
      const average = one.target_volume / one.base_volume
      t.ok(Math.abs(average / one.last_price - 1) < 0.15, `${one.pool_id}: ${average} a base, ${one.last_price}`)
    }
    t.end()
  })

  t.test('the volume of a ticker equals the one on the page of its market', async (t) => {
    for (const [chain, name] of [
      ['wax', 'wax'],
      ['telos', 'telos'],
      ['eos', 'eos'],
      ['proton', 'xpr'],
    ] as const) {
      const host = { host: `${chain}.localhost` }
      const pools = (await api.get('/api/v2/swap/pools', host)).body
      for (const one of tickers.filter(({ pool_id: id }) => id.startsWith(`${name}:amm:`))) {
        const own = pools.find(({ id }: { id: number }) => one.pool_id === `${name}:amm:${id}`)
        t.same([one.base_volume, one.target_volume], [own.volumeA24, own.volumeB24])
        t.same([one.volume_usd_24h, one.liquidity_in_usd, one.last_price], [own.volumeUSD24, own.tvlUSD, own.priceA])
      }
      const pairs = (await api.get('/api/v3/analytics/spot-pairs?window=24h', host)).body.items
      for (const one of tickers.filter(({ pool_id: id }) => id.startsWith(`${name}:orderbook:`))) {
        const own = pairs.find(({ id }: { id: number }) => one.pool_id === `${name}:orderbook:${id}`)
        t.equal(one.volume_usd_24h, own.volume.usd)
      }
    }
  })

  t.test('each page of a market has an address', (t) => {
    for (const one of [...tickers, ...merged])
      t.match(one.trade_url, /^https:\/\/(wax|telos|eos|proton)\.exchange\.test\/(swap|spot)\/\S+-\S+_\S+-\S+$/)
    t.end()
  })

  t.test('order books: text, best first, milliseconds, half of the depth a side', async (t) => {
    for (const { ticker_id: id } of tickers.filter((one) => 'bid' in one)) {
      const { bids, asks, timestamp } = await get(`/orderbook?ticker_id=${id}`)
      t.ok(timestamp > 1e12)
      for (const [side, sign] of [
        [bids, -1],
        [asks, 1],
      ] as const) {
        t.ok(side.flat().every((text: unknown) => typeof text === 'string' && Number(text) > 0))
        const prices = side.map(([price]: [string]) => sign * Number(price))
        t.same(
          prices,
          [...prices].sort((x, y) => x - y),
        )
        t.equal(new Set(prices).size, prices.length, 'one level for a price')
      }
      t.ok(Number(bids[0][0]) < Number(asks[0][0]))
      const half = await get(`/orderbook?ticker_id=${id}&depth=2`)
      t.same([half.bids, half.asks], [bids.slice(0, 1), asks.slice(0, 1)])
    }
  })

  t.test('trades: unique, in order, price times base is target, bounds of time included', async (t) => {
    for (const id of new Set(tickers.map((one) => one.ticker_id))) {
      const trades: Trade[] = await get(`/historical_trades?ticker_id=${id}`)
      t.equal(new Set(trades.map((one) => one.trade_id)).size, trades.length)
      for (const one of trades) {
        t.ok(Math.abs((one.price * one.base_volume) / one.target_volume - 1) < 1e-3, one.trade_id)
        t.ok(one.type === 'buy' || one.type === 'sell')
      }
      const times = trades.map((one) => one.trade_timestamp)
      t.same(
        times,
        [...times].sort((x, y) => x - y),
      )
      const [first] = times
      if (first === undefined) continue
      const only = await get(`/historical_trades?ticker_id=${id}&start_time=${first}&end_time=${first}`)
      t.ok(only.length > 0 && only.every((one: Trade) => one.trade_timestamp === first))
    }
  })

  t.test('the other layout has the same values', async (t) => {
    const [known, pairs, summary] = [await get('/cmc/assets'), await get('/cmc/ticker'), await get('/cmc/summary')]
    t.same(
      Object.keys(pairs),
      merged.map((one) => one.ticker_id),
    )
    t.same(
      summary.map((one: { trading_pairs: string }) => one.trading_pairs),
      Object.keys(pairs),
    )
    for (const [pair, one] of Object.entries(pairs) as [string, Record<string, unknown>][]) {
      const [base, quote] = pair.split('_') as [string, string]
      t.same([one.base_id, one.quote_id], [known[base].unified_cryptoasset_id, known[quote].unified_cryptoasset_id])
      t.match(String(one.isFrozen), /^[01]$/)
      t.ok(Array.isArray(await get(`/cmc/trades/${pair}`)))
    }
  })

  t.test(
    'on-chain adapters: no event is missing up to the latest block, no price is zero, no name empty',
    async (t) => {
      for (const chain of CHAINS) {
        const host = { host: `${chain}.localhost` }
        await pool.query(
          `insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
           select chain, block_num, decode(block_id, 'hex'), '\\x00', block_time, 'prod' from meta.position where chain = $1`,
          [chain],
        )
        const one = async (path: string) => {
          const { status, body } = await api.get(`/api/v3/feed/onchain${path}`, host)
          t.equal(status, 200, `${path} of ${chain}`)
          return body
        }
        const { block } = await one('/latest-block')
        const { rows } = await pool.query(
          `select lib_num::float8 as lib, (select count(*) from ledger.swaps s where s.chain = p.chain)::int4 as swaps
           from meta.position p where chain = $1`,
          [chain],
        )
        t.ok(block.blockNumber <= rows[0].lib && block.blockTimestamp > 0)
        const { events } = await one(`/events?fromBlock=${block.blockNumber}&toBlock=${block.blockNumber}`)
        t.equal(events.length, rows[0].swaps, 'all swaps of the scene are of one block')
        for (const event of events) {
          t.ok(Number(event.priceNative) > 0 && event.maker !== '' && event.txnId !== '', `event of ${chain}`)
          const { pair } = await one(`/pair?id=${event.pairId}`)
          for (const asset of [pair.asset0Id, pair.asset1Id]) t.ok((await one(`/asset?id=${asset}`)).asset.name !== '')
        }
      }
    },
  )

  t.test('the feed’s own check finds no problem', async (t) => {
    t.same((await get('/check')).violations, [])
    t.equal((await get('/status')).violations, 0)
  })
})
