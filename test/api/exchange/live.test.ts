// After every block and fork, a running server answers like one that has just started, with the same ETag.
import t from 'tap'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { indexExchange } from '../../indexer/replay/index-recording.ts'
import { type TestApi, testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { VALUATION } from '../../support/valuation.ts'

const fixtures = new URL('../../fixtures/recordings/', import.meta.url).pathname

const TICKER = 'tlm-alien.worlds_wax-eosio.token'
const PATHS = [
  '/api/v2/tickers',
  `/api/v2/tickers/${TICKER}`,
  `/api/v2/tickers/${TICKER}/orderbook`,
  `/api/v2/tickers/${TICKER}/historical_trades`,
  `/api/v2/tickers/${TICKER}/charts?resolution=1&from=0`,
  '/api/v2/amm/pairs?min_liquidity_usd=100',
  '/api/v2/amm/tickers',
  '/api/v2/amm/historical_trades?ticker_id=wax-eosio.token_usdt-usdt.svc',
  '/api/v2/swap/pools/0/candles?resolution=1&volumeField=volumeB',
  '/api/v2/swap/candles?resolution=5&tokenA=usdt-usdt.svc&tokenB=wax-eosio.token',
  '/api/v2/swap/pools',
  '/api/v2/swap/pools/0',
  '/api/v2/tokens',
  '/api/v2/tokens/tlm-alien.worlds',
  '/api/v3/swapRouter/getRoute?tradeType=exactIn&input=wax-eosio.token&output=usdt-usdt.svc&amount=1',
  '/api/v2/account/alice/deals',
  '/api/v2/account/alice/swap-history',
  ...[0, 1].map((pool) => `/api/v2/swap/pools/${pool}/swaps?limit=5`),
  '/api/v2/account/nobody/swap-history',
  '/api/v2/tokens/wax-eosio.token/score',
]

/** Requests whose ETag changes only when the answer changes. */
const BY_CONTENT = PATHS.filter((path) => /charts|candles|account|swap|historical_trades|score|amm|tokens/.test(path))

async function answers(api: TestApi): Promise<Map<string, { tag: unknown; text: string }>> {
  const all = new Map()
  for (const path of PATHS) {
    const { status, text, headers } = await api.get(path)
    all.set(path, { tag: headers.etag, text: `${status} ${text}` })
  }
  return all
}

for (const name of ['medium', 'forks'])
  t.test(`${name}: answers of a running server follow the blocks`, async (t) => {
    const database = await testDatabase(t)
    const path = `${fixtures}${name}.ship.gz`
    const upTo = (block: number) => indexExchange(database.url, 'wax', new ReplaySource(path), block, VALUATION)
    await upTo(60)
    await database.pool.query(`select meta.build_indexes('wax')`)
    const staying = await testApi(t, database)
    let before = await answers(staying)
    const moved = new Set<string>()
    let forks = 0
    for (const block of [61, 62, 120, 121, 200, 400]) {
      forks += (await upTo(block)).forks.length
      await staying.catchUp()
      const [now, fresh] = [await answers(staying), await answers(await testApi(t, database))]
      for (const one of PATHS) {
        t.same(now.get(one), fresh.get(one), `block ${block}: ${one}`)
        const [old, current] = [before.get(one)!, now.get(one)!]
        if (old.tag === current.tag)
          t.equal(current.text, old.text, `a tag that stays means an answer that stays: ${one}`)
        if (old.text !== current.text) moved.add(one)
        else if (BY_CONTENT.includes(one)) t.equal(current.tag, old.tag, `block ${block}: ${one} has not changed`)
      }
      before = now
    }
    const lasting = PATHS.filter((one) => !moved.has(one))
    t.same(
      lasting,
      ['/api/v2/amm/pairs?min_liquidity_usd=100', ...PATHS.slice(-2)],
      'every other answer changed at some block',
    )
    t.equal(forks > 0, name === 'forks')
  })
