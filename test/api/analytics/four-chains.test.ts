// Four chains in one deployment, with the shipped configuration of each. Analytics cover the host's chain only and use
// its names; the feed covers all four chains.
import t from 'tap'
import { readFeedAssets } from '../../../config/feed-assets.ts'
import { testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { CHAINS, chainConfig, POOLS, USD, writeScene } from '../feed/scene.ts'

/** Contract of the order books, system token and USD token of each chain, and the chain's name in the feed. */
const DIALECTS = {
  wax: { dex: 'svcdexmain', system: 'wax-eosio.token', usd: 'usdt-usdt.svc', feed: 'wax' },
  telos: { dex: 'eostokensdex', system: 'tlos-eosio.token', usd: 'xusdc-xtokens', feed: 'telos' },
  eos: { dex: 'eostokensdex', system: 'eos-eosio.token', usd: 'usdt-tethertether', feed: 'eos' },
  proton: { dex: 'svc', system: 'xpr-eosio.token', usd: 'xusdc-xtokens', feed: 'xpr' },
}

t.test('four chains', async (t) => {
  const database = await testDatabase(t)
  const { pool } = database
  await writeScene(pool)
  for (const chain of CHAINS)
    await pool.query(`insert into state.bans values ($1, 'dex', 0, array['thief' || length($1)])`, [chain])
  const configs = CHAINS.map((chain) => {
    const { price, trust, hosts } = chainConfig(chain)
    return testChain(chain, chain, { price, trust, hosts })
  })
  const api = await testApi(t, database, { chains: configs, feed: { assets: readFeedAssets(undefined, []) } })
  const get = async (chain: string, path: string) => {
    const answer = await api.get(path, { host: `${chain}.localhost` })
    t.equal(answer.status, 200, `${path} of ${chain}`)
    return answer.body
  }

  for (const chain of CHAINS)
    t.test(`AN-01 GEN-07 GEN-21 V2A-01 analytics of ${chain}`, async (t) => {
      const { dex, system, usd } = DIALECTS[chain]
      const { meta, stats, topPools } = await get(chain, '/api/v3/analytics/overview?window=all')
      t.match(meta, { chain, baseToken: system, usdToken: usd })
      const { rows } = await pool.query(
        `select coalesce(sum(usd), 0)::float8 as usd, count(*)::int4 as swaps from ledger.swaps where chain = $1`,
        [chain],
      )
      t.same([stats.swapVolume, stats.swapTx], [rows[0].usd, rows[0].swaps])
      t.same(
        topPools.map(({ id }: { id: number }) => id).sort(),
        POOLS[chain].map(({ id }) => id),
      )
      const { token } = await get(chain, `/api/v3/analytics/tokens/${system}`)
      t.ok(Math.abs(token.price.usd / USD[chain] - 1) < 1e-9)
      t.equal((await get(chain, '/api/v2/analytics/global'))._id, chain)
      const bans = await get(chain, '/api/v3/analytics/bans/accounts')
      t.same([bans.contracts.dex, bans.bySource.dex], [dex, [`thief${chain.length}`]])
    })

  t.test('FEED-03 FEED-20 GEN-08 the feed of all of them, the same on every host', async (t) => {
    const tickers: { chain: string; pool_id: string; base_currency: string }[] = await get(
      'wax',
      '/api/v3/feed/tickers',
    )
    t.same([...new Set(tickers.map(({ chain }) => chain))].sort(), CHAINS.map((chain) => DIALECTS[chain].feed).sort())
    for (const one of tickers)
      t.ok([one.pool_id, one.base_currency].every((id) => id.startsWith(`${one.chain}:`)) && one.chain !== 'proton')
    for (const chain of CHAINS) t.same(await get(chain, '/api/v3/feed/tickers'), tickers)
    const { chains } = await get('eos', '/api/v3/feed/status')
    t.same(
      chains.map(({ chain }: { chain: string }) => chain),
      CHAINS.map((chain) => DIALECTS[chain].feed),
    )
  })
})
