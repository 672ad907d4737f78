// Names of chains in hosts, in answers and in the bridge. Answers of a host contain only data of its chain, even when
// other chains are requested at the same time.
import t from 'tap'
import { BRIDGE_NAMES, bridgeChain, feedChain } from '../../../core/chains.ts'
import { CHAINS, EVM_CHAINS } from '../../../web/sdk/chains.ts'
import { testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { writeScene } from './scene.ts'

t.test('two chains on one server', async (t) => {
  const database = await testDatabase(t)
  for (const chain of ['wax', 'proton']) await writeScene(database.pool, chain)
  // Data that only one chain has: a token, and an account's trades.
  await database.pool.query(`update state.pools set symbol_a = 'XTLM' where chain = 'proton' and symbol_a = 'TLM'`)
  await database.pool.query(
    `update state.markets set base_symbol = 'XTLM' where chain = 'proton' and base_symbol = 'TLM'`,
  )
  const api = await testApi(t, database, { chains: ['wax', 'proton'].map((chain) => testChain(chain)) })
  const get = (host: string, path: string) => api.get(path, { host })

  t.test('GEN-21 POOL-11 hosts and v2 say proton, the bridge and the feed say xpr', async (t) => {
    for (const host of ['proton.localhost', 'PROTON.localhost:7700', 'proton.example.org']) {
      const { status, body } = await get(host, '/api/v2/swap/pools')
      t.equal(status, 200, host)
      t.same([...new Set(body.map((pool: { chain: string }) => pool.chain))], ['proton'], host)
      t.equal((await get(host, '/api/v2/swap/pools/0')).body.chain, 'proton')
      t.equal((await get(host, '/api/v3/meta')).body.chain, 'proton')
    }
    for (const other of ['xpr.localhost', 'vaulta.localhost', 'xpr.example.org']) {
      const { status, body } = await get(other, '/api/v2/swap/pools')
      t.match([status, body], [404, { error: 'Unknown network' }], `${other} is the name in another dialect`)
    }
    const names = ['wax', 'telos', 'proton', 'eos']
    t.same(names.map(bridgeChain), ['wax', 'telos', 'xpr', 'vaulta'])
    t.same(names.map(feedChain), ['wax', 'telos', 'xpr', 'eos'])
    t.same(CHAINS, [...BRIDGE_NAMES.antelope, ...BRIDGE_NAMES.evm], 'those of the script for other sites')
    t.same(EVM_CHAINS, BRIDGE_NAMES.evm)
  })

  t.test('GEN-07 requests to both at once are never mixed up', async (t) => {
    const paths: [path: string, ofProton: RegExp][] = [
      ['/api/v2/tokens', /"xtlm-alien\.worlds"/],
      ['/api/v2/swap/pools', /"chain":"proton"/],
      ['/api/v2/swap/pools/0', /"chain":"proton"/],
      ['/api/v2/tickers', /"xtlm-alien\.worlds_wax-eosio\.token"/],
      ['/api/v2/pairs', /"XTLM"/],
      ['/api/v2/amm/tickers', /"xtlm-alien\.worlds_wax-eosio\.token"/],
      ['/api/v3/market/tokens', /"xtlm-alien\.worlds"/],
      ['/api/v3/udf/symbols?symbol=pool:0', /"XTLM\/WAX"/],
    ]
    const asked = Array.from({ length: 40 }, (_, i) => i).flatMap((round) =>
      paths.map(async ([path, ofProton], i) => {
        const chain = (round * 7 + i) % 3 === 0 ? 'proton' : 'wax'
        const { status, text } = await get(`${chain}.localhost`, path)
        return status === 200 && ofProton.test(text) === (chain === 'proton') ? null : `${chain} ${path} ${status}`
      }),
    )
    t.same(
      (await Promise.all(asked)).filter((one) => one !== null),
      [],
    )
  })
})
