// Routes of a chain are closed while this instance lags on it.
import t from 'tap'
import type { BridgeContext } from '../../../api/bridge/bridge-context.ts'
import { laggingChains } from '../../../api/bridge/lagging-chains.ts'
import { BASE, bridgeApi, NOW, openScene, type Scene, WAX } from './scene.ts'

async function openWorld(t: Parameters<typeof openScene>[0], scene: Scene) {
  let now = NOW + 30_000
  const api = await bridgeApi(t, scene, { maxLagSeconds: 60, now: () => now })
  const open = async () => {
    const { body, headers } = await api.get(`${BASE}/routes`)
    const routes = body.routes as { symbol: string; from: string; to: string; open: boolean }[]
    const lanes = routes.filter(({ open }) => open).map(({ symbol, from, to }) => `${symbol} ${from}-${to}`)
    return { lanes: [...new Set(lanes)].sort(), tag: headers.etag }
  }
  const lagging = async () => {
    const { sources, ledger } = (await api.get(`${BASE}/chains`)).body
    return [...sources, ledger].filter((one: { behind: boolean }) => one.behind).map(({ id }: { id: string }) => id)
  }
  const pass = (ms: number) => {
    now += ms
  }
  return { open, lagging, pass }
}

const move = (scene: Scene, chain: string, ms: number) =>
  scene.run(
    'update meta.position set block_time = $2, block_id = $3 where chain = $1',
    chain,
    new Date(NOW + ms),
    `${ms}`,
  )

t.test('a chain that lags closes its own routes, the ledger all of them', async (t) => {
  const scene = await openScene(t)
  const { open, lagging, pass } = await openWorld(t, scene)
  const all = await open()
  t.ok(all.lanes.includes('USDC telos-mainnet') && all.lanes.includes('USDC mainnet-wax'))
  t.same(await lagging(), [])
  pass(31_000)
  t.same([(await open()).lanes, await lagging()], [[], ['mainnet', 'wax', 'telos']], 'all are a minute old')
  await move(scene, 'telos', 30_000)
  await move(scene, 'wax', 30_000)
  const some = await open()
  t.same(
    some.lanes,
    all.lanes.filter((lane) => !lane.includes('mainnet')),
  )
  t.same(await lagging(), ['mainnet'])
  await move(scene, 'mainnet', 30_000)
  t.same((await open()).lanes, all.lanes)
  pass(29_000)
  const before = await open()
  pass(2000)
  const after = await open()
  t.same([before.lanes.length > 0, after.lanes], [true, []])
  t.not(before.tag, after.tag, 'no block has come, and the answer is another one')
})

t.test('a contradiction closes the routes of its chain', async (t) => {
  const scene = await openScene(t)
  const { open, lagging } = await openWorld(t, scene)
  await scene.run(
    `insert into meta.chain_reports (chain, started_at, contradiction, contradiction_at)
     values ('mainnet', clock_timestamp(), 'x', clock_timestamp())`,
  )
  t.same(await lagging(), ['mainnet'])
  t.notOk((await open()).lanes.some((lane) => lane.includes('mainnet')))
})

t.test('a configured chain without indexed blocks has closed routes', async (t) => {
  const scene = await openScene(t)
  const { open, lagging } = await openWorld(t, scene)
  const all = await open()
  await scene.run(`delete from meta.position where chain = 'mainnet'`)
  t.same(await lagging(), ['mainnet'])
  t.notOk((await open()).lanes.some((lane) => lane.includes('mainnet')))
  await scene.run(`delete from meta.position where chain = 'wax'`)
  t.same(await lagging(), ['mainnet', 'wax'])
  t.ok(all.lanes.some((lane) => lane.includes('wax')))
  t.same((await open()).lanes, [])
})

t.test('a configured Antelope chain without an indexed block closes only its own routes', async (t) => {
  const scene = await openScene(t)
  const { open, lagging } = await openWorld(t, scene)
  const all = await open()
  await scene.run(`delete from meta.position where chain = 'wax'`)
  t.same(await lagging(), ['wax'])
  const ethereum = all.lanes.filter((lane) => !lane.includes('wax'))
  t.ok(ethereum.length > 0)
  t.same((await open()).lanes, ethereum)
})

t.test('a configured chain under another name closes the routes of its chain id', (t) => {
  const telos = { ...{ chain: 'telos', id: 'a', block: 1, time: NOW, lib: 1, libTime: NOW }, firstBlock: 1 }
  const context: BridgeContext = {
    ...{ ledger: 'telos', accounts: [], proved: null, followed: false, tag: '' },
    positions: new Map([['telos', { ...telos, contradicted: false, rewinds: 0 }]]),
    domains: [],
  }
  const chainId = '1064487b3cd1a897ce03ae5b6a865651747e2e152090f99c1d19d44e01aec5a4'
  const clock = { maxLagSeconds: 60, now: () => NOW }
  const lagging = (chain: string, chainId?: string) => [
    ...laggingChains(context, { evm: [], exchange: [{ chain: 'telos' }, { chain, chainId }] }, clock),
  ]
  t.same([lagging('proton'), lagging('mywax', chainId), lagging('other')], [['xpr'], ['wax'], ['other']])
  const indexed = { ...context, domains: [{ chain: 'wax', domain: BigInt(WAX), named: true }] }
  indexed.positions = new Map([
    ...context.positions,
    ['wax', { ...telos, chain: 'wax', contradicted: false, rewinds: 0 }],
  ])
  const other = { evm: [], exchange: [{ chain: 'mywax', chainId }] }
  t.same([...laggingChains(indexed, other, clock)], [], 'another name of an indexed chain')
  t.end()
})
