// The demo contains the rare cases that clients must handle, and forks during transfers. Tested through the public API,
// as a client uses it.
import { get as request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { WAX_DOMAIN } from '../../devnet/contracts/bridge/domains.ts'
import { DEEP, LEVELS, SCAM, UNPRICED } from '../../devnet/contracts/edge-cases.ts'
import { amountOf, HOP, tokenOf } from '../../devnet/contracts/exchange.ts'
import { telosProfile, waxProfile } from '../../devnet/contracts/profile.ts'
import { evmAddress } from '../../devnet/evm/accounts.ts'
import { startLiveBridge } from './bridge/live-bridge.ts'

const bridge = await startLiveBridge(t, 1, { forks: { everySeconds: 8 }, edgeCases: true })
const { users, until, pool: database, places } = bridge

/** JSON of an answer of the API; null unless its status is 200. Repeats the request while the server is busy (503). */
// biome-ignore lint/suspicious/noExplicitAny: tests check single members
async function get(path: string, host = 'wax.localhost'): Promise<any> {
  for (;;) {
    const { status, text } = await getOnce(path, host)
    if (status !== 503) return status === 200 ? JSON.parse(text) : null
    await sleep(500)
  }
}

function getOnce(path: string, host: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    request(`${bridge.site}${path}`, { headers: { host } }, (response) => {
      let text = ''
      response.on('data', (part) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    }).on('error', reject)
  })
}

const idOf = ({ code, contract }: { code: string; contract: string }) => `${code}-${contract}`.toLowerCase()
const ticker = (base: string, target = 'wax-eosio.token') => get(`/api/v2/tickers/${base}_${target}`)
const firstPool = waxProfile.pools.length
const firstMarket = waxProfile.markets.length

// A farm that ends within history is still active while earlier blocks are being indexed.
await get('/health/ready')
for (const host of ['wax.localhost', 'telos.localhost'])
  await until(
    `the pools of ${host}`,
    () => get('/api/v3/analytics/pools', host),
    (pools) => pools?.total > 0,
  )
await until(
  'a price',
  () => get(`/api/v2/tokens/${idOf(DEEP)}`),
  (token) => token?.usd_price > 0,
)

t.test('a scam token trades and has no price', async (t) => {
  const scam = await get(`/api/v2/tokens/${idOf(SCAM)}`)
  t.match(scam, { is_scam: true, system_price: 0, usd_price: 0, safe_system_price: 0, safe_usd_price: 0 })
  const swaps = await get(`/api/v2/swap/pools/${firstPool}/swaps`)
  t.ok(swaps.length > 0, 'it is traded')
  const clean = await get('/api/v2/tokens?hide_scam=true')
  t.notOk(clean.some(({ id }: { id: string }) => id === idOf(SCAM)))
  t.ok(clean.length > waxProfile.tokens.length, 'the others stay')
})

t.test('an inactive pool is not listed and not routed through', async (t) => {
  const inactive = firstPool + 3
  t.match(await get(`/api/v2/swap/pools/${inactive}`), { active: false })
  const pools = await get('/api/v2/swap/pools')
  t.same(
    pools.filter(({ active }: { active: boolean }) => !active).map(({ id }: { id: number }) => id),
    [inactive],
  )
  const pairs = await get('/api/v2/amm/pairs')
  t.notOk(pairs.some(({ pool_id }: { pool_id: string }) => pool_id === `${inactive}`))
})

t.test('a frozen market keeps its orders and its last price', async (t) => {
  const frozen = await ticker('eos-ibc.wt.eos')
  t.match(frozen, { market_id: firstMarket, frozen: true })
  t.ok(frozen.last_price > 0)
  t.ok(frozen.bid > 0 && frozen.ask > frozen.bid)
  const tickers = await get('/api/v2/tickers')
  t.equal(tickers.filter((one: { frozen: boolean }) => one.frozen).length, 1)
})

t.test('a market without trades has null where the API’s contract allows it', async (t) => {
  const never = await ticker(idOf(UNPRICED))
  t.match(never, { market_id: firstMarket + 1, frozen: false, high: null, low: null, last_price: 0 })
  t.type(never.high24, 'number')
  t.type(never.low24, 'number')
  t.ok(never.bid > 0 && never.ask > never.bid, 'it has orders')
  t.same(await get(`/api/v2/tickers/${idOf(UNPRICED)}_wax-eosio.token/historical_trades`), [])
})

t.test('a token without a price', async (t) => {
  t.match(await get(`/api/v2/tokens/${idOf(UNPRICED)}`), { is_scam: false, system_price: 0, usd_price: 0 })
  const { token } = await get(`/api/v3/market/tokens/${idOf(UNPRICED)}`)
  t.match(token, { price: null, priceUsd: null, pools: 1, orderbooks: 1 })
})

t.test('ids for the aggregators of the feed', async (t) => {
  const listed = await ticker('tlm-alien.worlds')
  t.match(listed, { base_cmc_ucid: 9119, target_cmc_ucid: 2300, global_ticker_id: 'TLM-WAX' })
  t.match(await ticker(idOf(DEEP)), { base_cmc_ucid: null, target_cmc_ucid: 2300, global_ticker_id: null })
  t.match(await get('/api/v2/tokens/tlm-alien.worlds'), { cmc_id: 9119 })
})

t.test('tokens of one symbol are distinguished by their contracts', async (t) => {
  const tokens: { id: string; symbol: string; usd_price: number }[] = await get('/api/v2/tokens')
  const of = (symbol: string) =>
    tokens
      .filter((token) => token.symbol === symbol)
      .map(({ id }) => id)
      .sort()
  t.same(of('USDT'), ['usdt-usdt.svc', 'usdt-wrap.svc'])
  t.same(of('USDC'), ['usdc-usdc.free', 'usdc-wrap.svc'])
  t.ok(tokens.find(({ id }) => id === 'usdc-wrap.svc')!.usd_price > 0.9)
})

t.test('an order book of more than 300 levels', async (t) => {
  const book = (query = '') => get(`/api/v2/tickers/${idOf(DEEP)}_wax-eosio.token/orderbook${query}`)
  const usual = await book()
  t.same([usual.bids.length, usual.asks.length], [300, 300])
  const { bids, asks } = await book('?depth=1000')
  for (const side of [bids, asks]) t.ok(side.length > 300 && side.length <= LEVELS, `${side.length} levels`)
  t.equal(new Set(bids.map(([price]: [string]) => price)).size, bids.length, 'each at a price of its own')
})

t.test('farms pay', async (t) => {
  const farms = async (choice: string, host: string, pool: number) => {
    const answer = await get(`/api/v3/analytics/pools/${pool}?include=incentives&incentives=${choice}`, host)
    return answer.pool.incentives as { rewardPerDay: number; apr: number; reward: { quantity: number } }[]
  }
  for (const host of ['wax.localhost', 'telos.localhost']) {
    const [running, ...others] = await farms('active', host, 0)
    t.same(others, [])
    t.ok(running!.rewardPerDay > 0 && running!.apr > 0, host)
    t.match(await farms('finished', host, 2), [{ isFinished: true, apr: 0 }])
  }
  const { rows } = await database.query<{ chain: string; incentive: number; paid: number }>(
    `select chain, incentive_id::int incentive, count(*)::int paid from head.incentive_events
     where type = 'paid' and amount > 0 group by 1, 2 order by 1, 2`,
  )
  t.same(
    rows.map(({ chain, incentive }) => [chain, incentive]),
    [
      ['telos', 1],
      ['telos', 2],
      ['wax', 1],
      ['wax', 2],
    ],
    'every farm with a reward has paid its stakers',
  )
})

const usdc = (amount: number) => amountOf(tokenOf(telosProfile, 'USDC'), amount)

/** Forks that the indexer has handled, by chain, as its metrics count them. */
async function forks(): Promise<Record<string, number>> {
  const text = await (await fetch(`${bridge.site}/metrics`)).text()
  const counts = [...text.matchAll(/^headwater_fork_depth_blocks_count\{chain="(\w+)"\} (\d+)/gm)]
  return Object.fromEntries(counts.map(([, chain, count]) => [chain, Number(count)]))
}

t.test('transfers arrive while all three chains fork', async (t) => {
  const { api } = places
  const delivered = (key: string) =>
    until(
      `${key} delivered`,
      () => api.hop(key),
      (journey) => journey?.status === 'delivered',
    )
  const before = (await api.hopsOf('ivan')).map(({ key }) => key)
  const [first, second] = await Promise.all([
    users.depositEvm('bob', 'USDC', 120, 'bob'),
    users.depositEvm('frank', 'USDC', 50, HOP, `${WAX_DOMAIN}:frank|1:${evmAddress('frank')}`),
    users.depositWax('ivan', usdc(45), `${HOP}:1:${evmAddress('ivan')}|${WAX_DOMAIN}:ivan`),
  ])
  await Promise.all([users.collect(first, 'bob', 'USDC'), delivered(second)])
  await delivered(first)
  const journeys = () => api.hopsOf('ivan')
  const own = await until('the journey from wax', journeys, (all) =>
    all.some(({ key, from, status }) => from.chain === 'wax' && !before.includes(key) && status === 'delivered'),
  )
  t.ok(own)
  const all = ['mainnet', 'telos', 'wax'] as const
  const seen = await until('a fork of each chain', forks, (counts) => all.every((chain) => (counts[chain] ?? 0) > 0))
  const { rows } = await database.query<{ chain: string }>(
    `select distinct chain from head.orphaned_blocks where chain = any($1) order by 1`,
    [all],
  )
  t.same(
    rows.map(({ chain }) => chain),
    all,
    `blocks that were replaced are kept (${JSON.stringify(seen)})`,
  )
})
