// Rules for all endpoints of the exchange: content types, unknown parameters, no API keys, error bodies, old paths,
// limits of requests.
import t from 'tap'
import { type Answer, type TestApi, testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { id, MARKETS, NFT, POOLS, TLM, USDT, WAX, WAX_SCENE } from './scene.ts'

const MAIN = `${id(TLM)}_${id(WAX)}`
const POOL = '/api/v2/swap/pools/0'
const TICKER = `/api/v2/tickers/${MAIN}`

/** Every JSON endpoint of tokens, pools, markets and accounts, with its parameters. */
const PATHS = [
  '/api/v2/tokens',
  `/api/v2/tokens/${id(TLM)}`,
  `/api/v2/tokens/${id(TLM)}/score`,
  `/api/v2/swap/pools?tokenA=${id(WAX)}`,
  POOL,
  '/api/v2/swap/pools/77',
  `${POOL}/positions`,
  `${POOL}/swaps?limit=3`,
  `${POOL}/candles?resolution=1D`,
  `/api/v2/swap/candles?resolution=1W&tokenA=${id(WAX)}&tokenB=${id(TLM)}`,
  '/api/v2/pairs',
  '/api/v2/tickers',
  TICKER,
  `${TICKER}/orderbook?depth=2`,
  `${TICKER}/historical_trades?limit=3`,
  `${TICKER}/latest_trades?limit=3`,
  `${TICKER}/charts?resolution=1M&from=0`,
  '/api/v2/amm/pairs',
  '/api/v2/amm/tickers',
  `/api/v2/amm/historical_trades?ticker_id=${MAIN}&limit=3`,
  '/api/v2/account/alice/deals?limit=3',
  '/api/v2/account/alice/positions',
  '/api/v2/account/alice/positions-history',
  '/api/v2/account/alice/swap-history?limit=3',
  '/api/v3/meta',
  '/api/v3/udf/config',
  '/api/v3/feed/onchain/latest-block',
]

const JSON_TYPE = /^application\/json(; charset=utf-8)?$/

t.test('conventions', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const api = await testApi(t, database)
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await api.get(path, headers)
    t.equal(answer.status, 200, path)
    return answer
  }

  t.test('GEN-02 answers are JSON, and the named errors are plain text', async (t) => {
    for (const path of PATHS) {
      const { headers, text } = await ask(path)
      t.match(headers['content-type'], JSON_TYPE, path)
      t.doesNotThrow(() => JSON.parse(text), path)
    }
    const unknown = await api.get('/api/v2/tokens/no-such')
    t.same([unknown.status, unknown.text], [403, 'Token with this ID is not found'])
    t.match(unknown.headers['content-type'], /^text\/plain/)
  })

  t.test('GEN-16 unknown parameters change nothing', async (t) => {
    const odd = 'nothing=1&limits=-5&x[]=2&__proto__=3&constructor=4&%E2%82%AC=%00&=5&&api_key=abc'
    for (const path of PATHS) {
      const known = await ask(path)
      const asked = await ask(`${path}${path.includes('?') ? '&' : '?'}${odd}`)
      t.equal(asked.text, known.text, path)
      t.equal(asked.headers.etag, known.headers.etag, path)
    }
  })

  t.test('GEN-20 no request needs authentication', async (t) => {
    for (const path of PATHS) {
      const { text, headers } = await ask(path)
      t.notOk(headers['www-authenticate'] ?? headers['set-cookie'], path)
      const wrong = await ask(path, { authorization: 'Bearer wrong', cookie: 'session=wrong', 'x-api-key': 'wrong' })
      t.equal(wrong.text, text, `${path}: and it makes no difference`)
    }
  })

  t.test('OB-07 the order book of an unknown market is 404', async (t) => {
    const names = [
      `${id(WAX)}_${id(TLM)}`,
      `${id(TLM)}_${id(TLM)}`,
      'x',
      '%00',
      `${MAIN}%20`,
      '0',
      MAIN.replace('_', '-'),
    ]
    for (const name of names) {
      const { status, body } = await api.get(`/api/v2/tickers/${name}/orderbook?depth=5`)
      t.equal(status, 404, name)
      t.type(body.error, 'string')
    }
  })

  t.test('NS-06 all errors have one form', async (t) => {
    const mistakes: [path: string, status: number, method?: 'POST' | 'DELETE'][] = [
      ['/nothing', 404],
      ['/api/v2', 404],
      ['/api/v2/tokens/%E0%A4%A', 400],
      [`/api/v2/tickers/${'x'.repeat(300)}`, 414],
      ['/api/v2/tokens', 404, 'POST'],
      [POOL, 404, 'DELETE'],
      [`/api/v2/tokens/${id(NFT)}/logo`, 404],
      ['/api/v2/swap/pools/abc', 400],
      ['/api/v2/swap/pools/-1/swaps', 400],
      [`${POOL}/candles`, 400],
      [`${POOL}/candles?resolution=7`, 400],
      [`${POOL}/swaps?from=x`, 400],
      [`${POOL}/swaps?skip=-1`, 400],
      [`${POOL}/swaps?cursor=x`, 400],
      [`/api/v2/swap/candles?resolution=1&tokenA=${id(TLM)}&tokenB=${id(USDT)}`, 404],
      ['/api/v2/tickers/x_y', 404],
      [`${TICKER}/orderbook?depth=-1`, 400],
      [`${TICKER}/historical_trades?limit=1.5`, 400],
      [`${TICKER}/charts?resolution=1`, 400],
      ['/api/v2/amm/historical_trades', 400],
      ['/api/v2/amm/historical_trades?ticker_id=x_y', 404],
      ['/api/v2/account/ALICE/deals', 400],
      ['/api/v3/feed/onchain/events?fromBlock=5&toBlock=1', 400],
    ]
    for (const [url, status, method = 'GET'] of mistakes) {
      const answer = await api.app.inject({ method, url, headers: { host: 'wax.localhost' } })
      t.equal(answer.statusCode, status, `${method} ${url}`)
      t.match(answer.headers['content-type'], JSON_TYPE, url)
      t.match(answer.json(), { statusCode: status, error: /./, message: /./ }, url)
      t.equal(answer.headers['access-control-allow-origin'], '*', `${url}: other sites may read it`)
      t.same(
        [answer.headers['cache-control'], answer.headers.etag],
        ['no-store', undefined],
        `${url}: and it is not kept`,
      )
    }
  })

  t.test('NS-07 paths and fields that earlier clients use still exist', async (t) => {
    const trades = (await ask(`${TICKER}/historical_trades?limit=0`)).body
    const newest = (await ask(`${TICKER}/latest_trades`)).body
    t.equal(newest.length, 300)
    t.same(
      newest.map((one: { trade_id: string }) => one.trade_id),
      trades
        .slice(-300)
        .map((one: { trade_id: string }) => one.trade_id)
        .reverse(),
      'newest first',
    )
    for (const { time, trade_timestamp } of newest) t.equal(Math.floor(time / 1000), trade_timestamp)
    const [since, until] = [newest[40].time, newest[7].time]
    const range = (await ask(`${TICKER}/historical_trades?from=${since}&to=${until}&step=3`)).body
    t.same(
      range.map((one: { trade_id: string }) => one.trade_id),
      newest
        .filter(({ time }: { time: number }) => time >= since && time <= until)
        .map((one: { trade_id: string }) => one.trade_id)
        .reverse(),
      'milliseconds, both ends inclusive; the step of earlier clients is no reason to refuse',
    )
    const listed = (await ask(`/api/v2/tickers?tickers=${MAIN.toUpperCase()},`)).body
    t.same(
      listed.map((one: { ticker_id: string }) => one.ticker_id),
      [MAIN],
    )
    t.equal((await ask('/api/v2/tickers?tickers=')).body.length, MARKETS.length, 'an empty list is none')
    const pools = (await ask('/api/v2/swap/pools')).body
    t.equal(pools.length, POOLS.length)
    for (const { high24, low24 } of pools) t.ok(Number.isFinite(high24) && high24 >= low24)
  })
})

const statusOf = ({ status }: Answer) => status

t.test('NS-08 request limits', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const many = async (api: TestApi, headers: Record<string, string> = {}) => {
    const answers = []
    for (let i = 0; i < 8; i++) answers.push(await api.get('/api/v2/pairs', headers))
    return answers
  }

  t.test('there is no limit unless it is configured', async (t) => {
    const answers = await many(await testApi(t, database))
    t.same([...new Set(answers.map(statusOf))], [200])
    t.notOk(answers[7]?.headers['ratelimit-limit'])
  })

  t.test('each client address has its own limit; a client behind a proxy cannot choose its address', async (t) => {
    const api = await testApi(t, database, { rateLimit: 5, trustProxy: ['127.0.0.1'] })
    const first = await many(api, { 'x-forwarded-for': '10.0.0.1' })
    t.same(first.map(statusOf), [200, 200, 200, 200, 200, 429, 429, 429])
    t.same(
      first.map(({ headers }) => headers['ratelimit-remaining']),
      ['4', '3', '2', '1', '0', '0', '0', '0'],
    )
    const refused = first[5] as Answer
    t.match(refused.body, { statusCode: 429, error: 'Too Many Requests', message: /5 requests/ })
    t.ok(Number(refused.headers['retry-after']) > 0 && Number(refused.headers['retry-after']) <= 60)
    t.equal(refused.headers['access-control-allow-origin'], '*')
    t.same((await many(api, { 'x-forwarded-for': '10.0.0.2' })).map(statusOf).slice(0, 2), [200, 200])
    const forged = await many(api, { 'x-forwarded-for': '10.9.9.9, 10.0.0.1' })
    t.same([...new Set(forged.map(statusOf))], [429], 'what the proxy has added counts')
  })
})
