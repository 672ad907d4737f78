// Settings of prices and trust: which belong together, and the resulting options.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { quoteServers, valuation } from '../../bin/valuation.ts'
import { chainFiles, loadConfig } from '../../config/load.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

function load(change: Record<string, unknown>, env: NodeJS.ProcessEnv = {}) {
  const folder = temporaryFolder(t)
  const base = {
    chain: 'wax',
    systemToken: { contract: 'eosio.token', symbol: 'WAX', decimals: 8 },
    usdToken: 'usdt-usdt.svc',
    accounts: { system: 'eosio', oracle: 'delphioracle' },
    source: {},
  }
  writeFileSync(join(folder, 'wax.json'), JSON.stringify({ ...base, ...change }))
  const [config] = loadConfig({ env, program: { chains: ['wax'] }, folder }).config.chains
  if (!config) throw new Error('no chain')
  return config
}

t.test('without price settings, thresholds have their defaults and there are no USD values', async (t) => {
  const { usd, threshold, trust } = valuation(load({}))
  t.equal(usd, null)
  t.same(threshold, { usd: 100, system: 500 })
  t.same(trust, { stable: ['usdt-usdt.svc'], trusted: [], scam: [], minimumScore: 41 })
})

t.test('each source becomes an option of the indexer', async (t) => {
  const usdOf = (price: object) => valuation(load({ price })).usd
  t.same(usdOf({ source: 'fixed', usd: 0.05 }), { kind: 'fixed', usd: 5n * 10n ** 14n })
  const oracle = { kind: 'oracle', contract: 'delphioracle', pair: 'waxpusd', decimals: 4, maxAge: 86_400_000 }
  t.same(usdOf({ source: 'oracle', pair: 'waxpusd' }), oracle)
  const http = { source: 'http', url: 'https://a.test/x', path: 'wax.usd', maxAgeMinutes: 30 }
  t.same(usdOf(http), { kind: 'http', maxAge: 1_800_000 })
  const fallbacks = [{ url: 'https://b.test/', path: 'price' }]
  t.same(quoteServers(load({ price: { ...http, fallbacks } })), [
    { url: 'https://a.test/x', path: 'wax.usd' },
    ...fallbacks,
  ])
  t.same(quoteServers(load({ price: { source: 'oracle', pair: 'waxpusd' } })), [])
})

t.test('entries of lists have their times, also from the environment', async (t) => {
  const trust = {
    scam: [{ token: 'bad-tokens', from: '2026-01-31' }, { token: 'scamcontract' }],
    trusted: [{ token: 'tlm-alien.worlds' }],
  }
  const env = { HEADWATER_WAX_TRUST_TRUSTED: '[{"token":"pgl-prospectorsg","from":"2026-02-01T12:00:00Z"}]' }
  const lists = valuation(load({ trust }, env)).trust
  t.same(lists.scam, [{ token: 'bad-tokens', from: Date.UTC(2026, 0, 31) }, { token: 'scamcontract' }])
  t.same(lists.trusted, [{ token: 'pgl-prospectorsg', from: Date.UTC(2026, 1, 1, 12) }])
  t.equal(lists.minimumScore, 41)
})

t.test('incomplete sources and invalid lists are reported', async (t) => {
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ price: { source: 'oracle' } }, /wax\.price\.pair: missing: a pair of the oracle.*HEADWATER_WAX_PRICE_PAIR/],
    [{ price: { source: 'oracle', pair: 'x' }, accounts: { system: 'eosio' } }, /wax\.accounts\.oracle: missing/],
    [{ price: { source: 'http', path: 'usd' } }, /wax\.price\.url: missing/],
    [{ price: { source: 'http', url: 'https://a.test' } }, /wax\.price\.path: missing/],
    [{ price: { source: 'fixed' } }, /wax\.price\.usd: missing/],
    [{ price: { source: 'fixed', usd: 1e12 } }, /wax\.price\.usd: 1000000000000 is not a price/],
    [{ price: { source: 'fixed', usd: 1e-30 } }, /wax\.price\.usd: 1e-30 is not a price/],
    [
      { trust: { scam: [{ token: 'x-y', from: '2026-13-01' }] } },
      /wax\.trust\.scam\.0\.from: "2026-13-01" is not a time/,
    ],
    [{ trust: { scam: [{ token: 'x-y', from: 'soon' }] } }, /wax\.trust\.scam\.0\.from: "soon" is not a time such as/],
    [{ trust: { scam: [{ token: 'WAX-eosio' }] } }, /wax\.trust\.scam\.0\.token/],
    [{ trust: { scam: [{ token: 'eosio.token' }] } }, /the system token, which cannot be a scam/],
    [{ trust: { minimumScore: 101 } }, /wax\.trust\.minimumScore: 101 is not a whole number from 0 to 100/],
    [{ liquidityThreshold: { usd: 0 } }, /wax\.liquidityThreshold\.usd: 0 is not a number above 0/],
    [{ price: { source: 'oracle', pair: 'x', decimals: 17 } }, /wax\.price\.decimals/],
  ]
  for (const [change, message] of cases)
    t.throws(() => load(change), { code: 'INVALID_CONFIG', message }, String(message))
})

t.test('every shipped chain can be valued', async (t) => {
  for (const config of loadConfig({ env: {}, program: { chains: chainFiles() } }).config.chains)
    t.ok(valuation(config).trust)
})
