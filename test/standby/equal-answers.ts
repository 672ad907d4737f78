// Every endpoint of the API on primary and standby at the same block, and of two APIs on one server: equal
// headers, equal bytes except for the server's time.
import type { Test } from 'tap'
import { loadConfig } from '../../config/load.ts'
import type { Config } from '../../config/program-schema.ts'
import { endpointUrls, MOVING } from '../api/exchange/endpoint-urls.ts'
import { DEVNET_HISTORY } from '../docs/sql-history.ts'
import { type TestApi, testApi, testChain } from '../support/api.ts'
import { type TestDatabase, testPool } from '../support/database.ts'
import type { ReplicatedServers } from '../support/standby.ts'

/** Members whose definition is a time of the server: of the answer, what it took, or of the feed's last refresh. */
const SERVER_TIMES = /"ts":\d+|"query_time_ms":[\d.]+|"refreshedAt":"[^"]+"/g
/** The feed's answers may be kept until its next refresh. */
const UNTIL_REFRESH = /max-age=\d+(?=, stale-while-revalidate)/
/** Headers that a client or a cache compares. */
const HEADERS = ['etag', 'x-block-num', 'x-block-time', 'content-type', 'cache-control', 'vary']

/** Config of the simulated chains. */
const DEMO = new URL('../../config/demo/', import.meta.url).pathname
/**
 * Endpoints without an answer of 200 on either simulated chain: one redirects, one is a WebSocket, and the feed of these
 * chains lists pools alone, which have no order book.
 */
const UNANSWERED = [
  '/api/v2/tokens/{tokenId}/logo',
  '/api/v3/market/stream',
  '/api/v3/feed/orderbook',
  '/api/v3/feed/cmc/orderbook',
  '/api/v3/feed/cmc/orderbook/{pair}',
]

/** A chain of a hundred days, without a bridge. */
export async function answersAreEqual(t: Test, servers: ReplicatedServers, database: TestDatabase): Promise<void> {
  const apis = await apisOf(t, servers, database, { chains: [testChain('wax')], evm: [] })
  const urls = await endpointUrls(apis[0])
  const answered = await compareAnswers(t, apis, 'wax', urls)
  t.ok(answered.size > 70, `${answered.size} of ${urls.length} endpoints answer with 200`)
}

/** Two days of two simulated chains with their bridge. */
export async function bridgeAnswersAreEqual(t: Test, servers: ReplicatedServers): Promise<void> {
  const { primary } = servers
  await primary.query('create database history template empty')
  await primary.query(`select meta.add_chain('telos')`, [], 'history')
  const url = primary.url('history')
  const database = { url, pool: testPool(t, url, { max: 4 }) }
  await DEVNET_HISTORY.scene?.write(database)
  const { config } = loadConfig({ env: {}, folder: DEMO, program: { chains: ['wax', 'telos', 'mainnet'] } })
  const apis = await apisOf(t, servers, database, config)
  const unanswered: string[][] = []
  for (const chain of ['wax', 'telos']) {
    const urls = await endpointUrls(apis[0], await valuesOf(apis[0], database, chain))
    const answered = await compareAnswers(t, apis, chain, urls)
    unanswered.push(urls.map(({ path }) => path).filter((path) => !answered.has(path) && !MOVING.test(path)))
  }
  const [wax = [], telos = []] = unanswered
  t.same(
    wax.filter((path) => telos.includes(path)),
    UNANSWERED,
    'endpoints without an answer on either chain',
  )
}

type Apis = [TestApi, TestApi, TestApi]

/** Of the primary, of the standby, and another of the primary. */
async function apisOf(
  t: Test,
  { standby, replayed }: ReplicatedServers,
  database: TestDatabase,
  { chains, evm }: Pick<Config, 'chains' | 'evm'>,
): Promise<Apis> {
  await replayed()
  const url = standby.url(new URL(database.url).pathname.slice(1))
  const there = { url, pool: testPool(t, url, { max: 4 }) }
  const options = { chains, evm, maxLagSeconds: Number.MAX_SAFE_INTEGER }
  return [await testApi(t, database, options), await testApi(t, there, options), await testApi(t, database, options)]
}

/** @returns the paths that answer with 200 */
async function compareAnswers(
  t: Test,
  apis: Apis,
  chain: string,
  described: readonly { url: string; path: string }[],
): Promise<Set<string>> {
  const answered = new Set<string>()
  for (const { url, path } of described) {
    if (MOVING.test(url)) continue
    const answers = await Promise.all(
      apis.map(async (api) => {
        const { status, headers, text } = await api.get(url, { host: `${chain}.localhost` })
        return {
          status,
          headers: HEADERS.map((name) => headers[name]?.toString().replace(UNTIL_REFRESH, 'max-age=N')),
          text: text.replaceAll(SERVER_TIMES, ''),
        }
      }),
    )
    if (answers[0]?.status === 200) answered.add(path)
    t.same(answers[1], answers[0], `${chain}: ${url} on the standby`)
    t.same(answers[2], answers[0], `${chain}: ${url} of another API`)
  }
  return answered
}

/** Values of parameters that the chain's history has. */
async function valuesOf(api: TestApi, { pool }: TestDatabase, chain: string): Promise<Record<string, string>> {
  const one = async (sql: string): Promise<Record<string, string>> => (await pool.query(sql, [chain])).rows[0] ?? {}
  const swap = await one(
    `select s.pool_id::text as pool, s.sender as account, s.trx_id, s.block_num::text as block, p.token_a as a, p.token_b as b
     from final.swaps s join final.pools p using (chain, pool_id) where s.chain = $1 order by s.global_seq desc limit 1`,
  )
  const deal = await one(
    `select d.market_id::text as market, m.base, m.target from final.deals d join final.markets m using (chain, market_id)
     where d.chain = $1 order by d.global_seq desc limit 1`,
  )
  const leg = await one('select key from final.deposits where chain = $1 order by key limit 1')
  const burn = await one('select key from final.withdrawals where chain = $1 order by block_num, key limit 1')
  const hop = await one('select key from final.hops where chain = $1 order by key limit 1')
  const transfer = await one(
    `select from_account as account, trx_id from final.transfers where chain = $1 order by global_seq desc limit 1`,
  )
  const blocks = await one(
    `select first_block::text as first, lib_num::text as last, (lib_num - 50)::text as "from" from meta.position where chain = $1`,
  )
  const pair = `${swap.a}_${swap.b}`
  const feed = async (list: string) => (await api.get(`/api/v3/feed/${list}`, { host: `${chain}.localhost` })).body
  const ticker = (await feed('tickers'))[0]?.ticker_id
  const merged = (await feed('cmc/summary'))[0]?.trading_pairs
  const all: Record<string, string | undefined> = {
    ...{ poolId: swap.pool, account: swap.account, block: swap.block, symbol: `pool:${swap.pool}` },
    ...{ tokenId: swap.a, tokenA: swap.a, tokenB: swap.b, base: swap.a, quote: swap.b, input: swap.a, output: swap.b },
    ...{ marketId: deal.market, tickerId: `${deal.base}_${deal.target}`, ticker_id: pair, pair: merged, key: leg.key },
    ...{ fromBlock: blocks.from, toBlock: blocks.last },
    '/api/v3/explore/tx/{id} id': swap.trx_id,
    '/api/v3/explore/search ?': 'q=wax',
    '/api/v3/feed/orderbook ticker_id': ticker,
    '/api/v3/feed/historical_trades ticker_id': ticker,
    '/api/v3/feed/cmc/orderbook ticker_id': merged,
    '/api/v3/feed/cmc/historical_trades ticker_id': merged,
    '/api/v3/feed/onchain/asset id': swap.a,
    '/api/v3/digests/ranges from': blocks.first,
    '/api/v3/digests/ranges to': blocks.last,
    '/api/v3/digests/rows table': 'blocks',
    '/api/v2/analytics/volume start_time': String(Date.parse('2026-03-08T00:00:00Z') / 1000),
    '/api/v2/analytics/volume end_time': String(Date.parse('2026-03-10T00:00:00Z') / 1000),
    '/v2/history/get_transaction ?': `id=${transfer.trx_id}`,
    '/v2/history/get_actions ?': `account=${transfer.account}&filter=*:transfer`,
    '/v2/history/get_transfers ?': `from=${transfer.account}`,
    '/v2/state/get_tokens ?': `account=${transfer.account}`,
    '/api/bridge/v1/hops/{key} key': hop.key,
    '/api/bridge/v1/proofs/{key} key': burn.key,
  }
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
