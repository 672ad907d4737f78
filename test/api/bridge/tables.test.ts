// Routes and chains: limits, methods and measured times. Also rules for all endpoints of the bridge.
import t from 'tap'
import { loadConfig } from '../../../config/load.ts'
import {
  arrival,
  BASE,
  bridgeApi,
  burn,
  deplog,
  HOUR,
  LIGHT_CLIENT,
  MINUTE,
  NATIVE,
  NOW,
  openScene,
  outcome,
  PROVED,
  raw,
  SECOND,
  USDC,
  VAULT,
  vaultDeposit,
  WAX,
  WITHDRAWALS,
  withdrawalEvent,
} from './scene.ts'

const SYMBOLS = ['USDC', 'USDT', 'ETH', 'BNB', 'POL', 'WAX', 'XPR', 'A']
const CHAINS = ['mainnet', 'bsc', 'polygon', 'telos', 'wax', 'xpr', 'vaulta']

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into.
type Any = any

t.test('routes', async (t) => {
  const scene = await openScene(t)
  const api = await bridgeApi(t, scene)
  const { status, body } = await api.get(`${BASE}/routes`)
  t.equal(status, 200)
  const routes = body.routes as Any[]
  const find = (from: string, to: string, symbol: string) =>
    routes.find((one) => one.from === from && one.to === to && one.symbol === symbol)

  t.test('BR-01 members of a route and their types', async (t) => {
    t.equal(routes.length, 5 * 2 + 2, 'each row both ways, USDC between mainnet and wax both ways')
    for (const route of routes) {
      t.match(route, {
        symbol: String,
        precision: Number,
        from: String,
        to: String,
        open: Boolean,
        min: /^\d+$/,
        max: /^\d+$/,
        how: Object,
      })
      t.ok(route.via === null || typeof route.via === 'string')
    }
  })
  t.test('BR-02 limits are integers in their order', async (t) => {
    for (const { min, max } of routes) t.ok(BigInt(min) <= BigInt(max))
    t.match(
      find('telos', 'mainnet', 'USDC'),
      { open: true, min: '1000000', max: '50000000000', backing: '50000000000' },
      'no more than the vault holds',
    )
    t.match(find('mainnet', 'telos', 'USDC'), { open: true, min: '1000000', max: '100000000000' })
    t.match(
      find('mainnet', 'wax', 'USDC'),
      { open: true, min: '2000000', max: '9000000000' },
      'what fits through both legs',
    )
    t.match(find('wax', 'telos', 'WAX'), { open: true })
    t.match(find('telos', 'wax', 'WAX'), { open: false })
    t.match(find('bsc', 'telos', 'BNB'), { open: false })
    t.match(find('telos', 'bsc', 'BNB'), { open: false }, 'nothing fits between the least amount and what is there')
  })
  t.test('BR-03 every route has telos at an end or in its middle', async (t) => {
    for (const { from, to, via } of routes)
      t.ok(via === 'telos' || ((from === 'telos' || to === 'telos') && via === null), `${from} ${to} ${via}`)
    t.same(
      routes
        .filter(({ via }) => via !== null)
        .map(({ from, to, symbol }) => `${from} ${to} ${symbol}`)
        .sort(),
      ['mainnet wax USDC', 'wax mainnet USDC'],
    )
  })
  t.test('BR-04 how a deposit is made', async (t) => {
    t.same(find('mainnet', 'telos', 'USDC').how, {
      deposit: { contract: VAULT, token: USDC, telosTo: '<account>', memo: '' },
    })
    t.same(find('mainnet', 'wax', 'USDC').how, {
      deposit: { contract: VAULT, token: USDC, telosTo: 'hop.svc', memo: `${WAX}:<account>|1:<return address>` },
    })
    t.same(find('wax', 'mainnet', 'USDC').how, {
      deposit: {
        contract: 'bridge.svc',
        token: 'wrap.svc',
        telosTo: 'hop.svc',
        memo: `hop.svc:1:0x<address>|${WAX}:<return account>`,
      },
    })
    t.same(find('wax', 'telos', 'WAX').how, {
      deposit: { contract: 'bridge.svc', token: 'eosio.token', telosTo: '<account>', memo: '<account>' },
    })
    t.same(find('telos', 'mainnet', 'ETH').how, {
      withdraw: { contract: 'bridge.svc', memo: '1:0x<address>[:<fee>]', token: 'wrap.svc' },
    })
    t.same(find('telos', 'wax', 'USDC').how.withdraw.memo, `${WAX}:<account>`)
  })
  t.test('BR-05 native coins have the all-zero address', async (t) => {
    t.equal(find('mainnet', 'telos', 'ETH').how.deposit.token, NATIVE)
    t.equal(find('mainnet', 'telos', 'ETH').how.deposit.token, '0x0000000000000000000000000000000000000000')
  })
  t.test('BR-06 symbols and chain ids equal the documented ones', async (t) => {
    for (const { symbol, from, to } of routes)
      t.ok(SYMBOLS.includes(symbol) && CHAINS.includes(from) && CHAINS.includes(to))
  })
  t.test('BR-09 antelopeToken and withdrawableNow stand in routes and chains', async (t) => {
    t.match(find('wax', 'telos', 'WAX'), { antelopeToken: 'eosio.token', withdrawableNow: '50000000000' })
    t.match(find('telos', 'wax', 'USDC'), { antelopeToken: 'wrap.svc', withdrawableNow: '9000000000' })
    t.match(
      find('telos', 'mainnet', 'USDC'),
      { antelopeToken: 'wrap.svc', withdrawableNow: null },
      'nobody tells the limits of the vault',
    )
    const { sources } = (await api.get(`${BASE}/chains`)).body
    t.match(sources.find(({ id }: Any) => id === 'wax').routes, [
      { symbol: 'USDC', antelopeToken: 'wrap.svc', withdrawableNow: '9000000000' },
      { symbol: 'WAX', antelopeToken: 'eosio.token', withdrawableNow: '50000000000' },
    ])
  })
})

t.test('a chain says whether proofs of its deposits show that their block is final', async (t) => {
  const { config } = loadConfig({ env: {}, program: { chains: ['mainnet', 'bsc', 'polygon'] } })
  const evm = config.evm.map((one) =>
    one.chain === 'mainnet' ? { ...one, source: { ...one.source, beacon: 'http://127.0.0.1:9' } } : one,
  )
  const api = await bridgeApi(t, await openScene(t), { evm })
  const { sources } = (await api.get(`${BASE}/chains`)).body
  t.same(Object.fromEntries(sources.map(({ id, provesFinality }: Any) => [id, provesFinality])), {
    ...{ mainnet: true, bsc: true, polygon: false, wax: true },
  })
})

t.test('chains', async (t) => {
  const scene = await openScene(t)
  // Three deposits from mainnet arrive after 768, 990 and 1212 seconds; one from wax after 40; one paid on wax after 100.
  for (const [nonce, seconds] of [
    [1, 990],
    [2, 768],
    [3, 1212],
  ] as const) {
    await scene.add({ ago: 5 * HOUR }, vaultDeposit(nonce))
    await scene.add({ ago: 5 * HOUR - seconds * SECOND }, arrival('credited', '1', nonce))
  }
  await scene.add({ ago: HOUR }, deplog(1))
  await scene.add({ ago: HOUR - 40 * SECOND }, arrival('parked', WAX, 1))
  await scene.add({ ago: HOUR }, burn(1, WAX))
  await scene.add({ ago: HOUR - 100 * SECOND }, [
    'withdrawal_events',
    { chain: 'wax', id: 1, type: 'paid', account: 'bob' },
  ])
  // Not measured: transfers that have not arrived, and transfers from chains that are not indexed.
  await scene.add({ ago: 9 * HOUR }, vaultDeposit(9))
  await scene.add({ ago: HOUR }, arrival('credited', '56', 1))
  await scene.add({ ago: 30 * MINUTE }, [
    'stored_roots',
    {
      chain: 'mainnet',
      root: Buffer.alloc(32, 5),
      contract: raw(LIGHT_CLIENT),
      log_index: 0,
      last_block: 77,
      root_time: new Date(NOW),
      generation: 1,
    },
  ])
  const api = await bridgeApi(t, scene)
  const { body } = await api.get(`${BASE}/chains`)
  const source = (id: string) => body.sources.find((one: Any) => one.id === id)

  t.test('BR-07 members of a chain', async (t) => {
    t.same(body.sources.map(({ id }: Any) => id).sort(), ['bsc', 'mainnet', 'wax'])
    for (const one of body.sources) {
      t.match(one, { id: String, name: String, contracts: Object, domain: /^\d+$/ })
      t.match(one.timing.deposit, { seconds: Number, range: [Number, Number], measured: Boolean, human: String })
    }
    t.match(source('mainnet'), {
      chainId: 1,
      name: 'Ethereum',
      contracts: { vault: VAULT, withdrawals: WITHDRAWALS, lightClient: LIGHT_CLIENT },
    })
    t.match(source('bsc'), { chainId: 56, contracts: { vault: VAULT } })
    t.match(source('wax'), {
      chainId: null,
      contracts: { vault: 'bridge.svc', bridge: 'bridge.svc', wrap: 'wrap.svc' },
    })
    t.match(body.ledger, { id: 'telos', contracts: { bridge: 'bridge.svc', hop: 'hop.svc' }, proved: PROVED })
    t.match(source('mainnet').roots, [{ root: `0x${'05'.repeat(32)}`, lastBlock: 77, generation: 1 }])
    t.match(source('mainnet').indexed, { block: 10_000, final: 9990, time: NOW / 1000 })
    t.equal(source('bsc').indexed, null)
  })
  t.test('BR-08 times are measured on transfers, or said not to be', async (t) => {
    t.same(source('mainnet').timing.deposit, {
      seconds: 990,
      range: [768, 1212],
      measured: true,
      samples: 3,
      human: 'about 17 min (13 min–20 min)',
    })
    t.same(source('wax').timing.deposit, {
      seconds: 40,
      range: [40, 40],
      measured: true,
      samples: 1,
      human: 'about 40 s',
    })
    t.same(source('wax').timing.withdrawal, {
      seconds: 100,
      range: [100, 100],
      measured: true,
      samples: 1,
      human: 'about 2 min',
    })
    t.same(source('bsc').timing.deposit, {
      seconds: 30,
      range: [30, 30],
      measured: false,
      samples: 0,
      human: 'about 30 s',
    })
    const { routes } = (await api.get(`${BASE}/routes`)).body
    t.match(routes.find((one: Any) => one.from === 'mainnet' && one.to === 'wax').timing, {
      seconds: 1090,
      range: [868, 1312],
      measured: true,
    })
  })
  t.test('BR-10 domains are decimal texts', async (t) => {
    t.equal(source('wax').domain, '1181148696416462999')
    t.equal(source('mainnet').domain, '1')
    t.equal(body.ledger.domain, '5073219243131244279')
  })
})

t.test('every endpoint', async (t) => {
  const scene = await openScene(t)
  await scene.add({}, vaultDeposit(5))
  await scene.add({}, burn(7, '1'))
  await scene.add({}, outcome('released', 7))
  await scene.add({}, withdrawalEvent('settled', 7, { released: true }))
  const api = await bridgeApi(t, scene)

  t.test('BR-11 keys raw and percent-encoded', async (t) => {
    for (const path of ['transfers', 'hops'])
      for (const key of ['d:1:5', 'd%3A1%3A5', 'd%3a1%3a5']) {
        const { status, body } = await api.get(`${BASE}/${path}/${key}`)
        t.equal(status, 200)
        t.equal(body.key, 'd:1:5')
      }
    t.equal((await api.get(`${BASE}/transfers/w%3A7`)).body.status, 'released')
    t.equal((await api.get(`${BASE}/proofs/d%3A1%3A5`)).status, 404, 'a proof that does not exist yet')
  })
  t.test('BR-12 NS-11 malformed keys are 400, unknown ones 404', async (t) => {
    const malformed = [
      'x',
      'd:1',
      'd:1:2:3',
      'w:',
      'w:-1',
      'w:01',
      'w:1.5',
      'd:0x1:5',
      'D:1:5',
      'w:18446744073709551616',
      'd:99999999999999999999:1',
      'w:7%20',
      '%00',
      'é',
    ]
    for (const path of ['transfers', 'hops', 'proofs']) {
      for (const key of malformed) {
        const { status, body } = await api.get(`${BASE}/${path}/${encodeURIComponent(decodeURIComponent(key))}`)
        t.equal(status, 400, `${path} ${key}`)
        t.match(body, { error: String, message: String })
      }
      for (const key of ['d:1:6', 'w:8', 'd:1:18446744073709551615', 'w:18446744073709551615', 'd:777:1']) {
        const { status, body } = await api.get(`${BASE}/${path}/${key}`)
        t.equal(status, 404, `${path} ${key}`)
        t.type(body.error, 'string')
      }
    }
  })
  t.test('BR-27 any site may read answers and errors', async (t) => {
    const headers = { origin: 'https://example.org' }
    for (const path of [
      'routes',
      'chains',
      'pending',
      'hops',
      'transfers',
      'transfers/d:1:5',
      'transfers/x',
      'transfers/w:999',
      'proofs/w:999',
      'nothing',
    ])
      t.equal((await api.get(`${BASE}/${path}`, headers)).headers['access-control-allow-origin'], '*', path)
    const asked = await api.app.inject({
      method: 'OPTIONS',
      url: `${BASE}/routes`,
      headers: { ...headers, 'access-control-request-method': 'GET' },
    })
    t.equal(asked.headers['access-control-allow-origin'], '*')
  })
  t.test('BR-28 only reading is allowed', async (t) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'] as const)
      for (const path of ['routes', 'transfers', 'proofs/w:7']) {
        const { statusCode } = await api.app.inject({
          method,
          url: `${BASE}/${path}`,
          payload: method === 'DELETE' ? undefined : {},
        })
        t.ok(statusCode === 404 || statusCode === 405, `${method} ${path}: ${statusCode}`)
      }
  })
  t.test('every host answers, with the block; a current answer is 304', async (t) => {
    const { headers, status } = await api.get(`${BASE}/transfers`, { host: 'bridge.example.org' })
    t.equal(status, 200)
    t.equal(headers['x-block-num'], '10000')
    t.equal(headers['x-block-time'], '2026-03-01T12:00:00.000Z')
    t.equal((await api.get(`${BASE}/transfers`, { 'if-none-match': String(headers.etag) })).status, 304)
    await scene.run(
      `update meta.position set block_num = block_num + 1, block_id = repeat('0b', 32) where chain = 'mainnet'`,
    )
    t.equal(
      (await api.get(`${BASE}/transfers`, { 'if-none-match': String(headers.etag) })).status,
      200,
      'a chain has moved',
    )
  })
})

t.test('without a ledger chain the bridge answers with the reason', async (t) => {
  const scene = await openScene(t)
  await scene.run(`delete from meta.accounts where role = 'bridge'`)
  const api = await bridgeApi(t, scene)
  const { status, body, headers } = await api.get(`${BASE}/routes`)
  t.equal(status, 503)
  t.match(body, { error: 'Service Unavailable', message: /ledger/ })
  t.equal(headers['retry-after'], '1')
})
