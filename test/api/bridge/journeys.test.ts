// Journeys over the hop contract in both directions, with their returns, and journeys of one leg.
import t from 'tap'
import {
  ADDRESS,
  arrival,
  BASE,
  bounce,
  bridgeApi,
  burn,
  deplog,
  HOUR,
  hoplog,
  LIB,
  MINUTE,
  NOW,
  openScene,
  outcome,
  PROVED,
  provenBurn,
  raw,
  type Scene,
  SECOND,
  TO_EVM,
  TO_WAX,
  text,
  vaultDeposit,
  WAX,
  withdrawalEvent,
} from './scene.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into.
type Any = any

const parkedAt = (domain: string, nonce: number, memo: Uint8Array) =>
  arrival('parked', domain, nonce, {
    account: 'hop.svc',
    memo,
    refund_to: domain === '1' ? raw(ADDRESS) : text('carol'),
  })
const paid = (id: number): [string, Record<string, unknown>] => [
  'withdrawal_events',
  { chain: 'wax', id, type: 'paid', account: 'bob' },
]
const refund = (id: number) =>
  withdrawalEvent('refunded', id, { account: 'hop.svc', amount: 5_000_000, symbol: 'USDC', decimals: 6 })

/** Journeys from mainnet to wax: nonces 1 to 6, one in each status. */
async function toWax(scene: Scene): Promise<void> {
  const sent = (nonce: number, ago: number, block?: number) =>
    scene.add({ ago, block }, vaultDeposit(nonce, { telos_to: 'hop.svc', memo: TO_WAX }))
  const onward = async (nonce: number, id: number, ago: number) => {
    await scene.add({ ago: ago - MINUTE }, parkedAt('1', nonce, TO_WAX))
    await scene.add(
      { ago: ago - 2 * MINUTE },
      burn(id, WAX, { amount: 5_000_000, sender: 'hop.svc' }),
      hoplog(nonce, ['1', nonce], WAX, id),
    )
  }
  await sent(1, 3 * MINUTE, LIB + 1)
  for (const nonce of [2, 3, 4, 5]) await sent(nonce, nonce * HOUR)
  for (const nonce of [2, 3, 4, 5]) await onward(nonce, 10 + nonce, nonce * HOUR)
  await scene.add({ ago: 3 * HOUR - 4 * MINUTE }, paid(13))
  for (const nonce of [4, 5])
    await scene.add({ ago: 2 * HOUR }, withdrawalEvent('settled', 10 + nonce, { released: false }))
  await scene.add({ ago: HOUR }, refund(15))
  await scene.add({ ago: 50 * MINUTE, block: PROVED }, ...provenBurn(25, '1', { sender: 'hop.svc' }), [
    'hop_returns',
    { chain: 'telos', id: 5, withdrawal_id: 25 },
  ])
}

t.test('BR-13 BR-14 journeys to wax in their statuses', async (t) => {
  const scene = await openScene(t)
  await toWax(scene)
  const api = await bridgeApi(t, scene)
  const hop = async (key: string) => (await api.get(`${BASE}/hops/${key}`)).body
  const statuses = { 1: 'arriving', 2: 'sending', 3: 'delivered', 4: 'bounced', 5: 'returning' }
  for (const [nonce, status] of Object.entries(statuses)) {
    const journey = await hop(`d:1:${nonce}`)
    t.match(journey, {
      ...{ key: `d:1:${nonce}`, status, direction: 'hop' },
      progress: { stage: String, percent: Number },
      from: { chain: 'mainnet', address: ADDRESS },
      to: { chain: 'wax', recipient: 'bob' },
      back: { chain: 'mainnet', recipient: ADDRESS },
      deposit: { symbol: 'USDC', amount: '5000000', precision: 6, src_tx: /^0x[0-9a-f]{64}$/ },
      warnings: [],
    })
    const { percent, etaSeconds } = journey.progress
    t.ok(percent >= 0 && percent <= 100 && (percent === 100) === (status === 'delivered'))
    t.ok(etaSeconds === null || (Number.isInteger(etaSeconds) && etaSeconds > 0))
  }
  t.same((await hop('d:1:3')).progress, { stage: 'delivered on WAX', percent: 100, etaSeconds: null })
  t.equal((await hop('d:1:3')).next, null)
  t.match((await hop('d:1:5')).next, { actor: 'recipient', action: 'release', deadline: NOW / 1000 + 6 * 86_400 })
  t.match(await hop('d:1:1'), { progress: { stage: 'waiting for finality on Ethereum' }, next: { actor: 'automatic' } })
  await scene.add({ ago: 20 * MINUTE }, outcome('released', 25))
  t.match(await hop('d:1:5'), {
    status: 'returned',
    progress: { percent: 100, stage: 'back with the sender on Ethereum' },
    legs: [
      { key: 'd:1:5', status: 'parked' },
      { key: 'w:15', status: 'refunded' },
      { key: 'w:25', status: 'released' },
    ],
  })
  t.equal((await hop('w:15')).key, 'd:1:5', 'a leg leads to its journey')
  t.equal((await hop('w:25')).key, 'd:1:5')
  const { rows } = await scene.pool.query('select key, status from head.hops')
  for (const { key, status } of rows) t.equal((await hop(key)).status, status, `SQL says the same of ${key}`)
})

t.test('the remaining time is estimated from measured times', async (t) => {
  const scene = await openScene(t)
  // Earlier deposits took 900 seconds to arrive, earlier payouts on wax 100.
  await scene.add({ ago: 9 * HOUR }, vaultDeposit(90))
  await scene.add({ ago: 9 * HOUR - 900 * SECOND }, arrival('credited', '1', 90))
  await scene.add({ ago: 9 * HOUR }, burn(90, WAX))
  await scene.add({ ago: 9 * HOUR - 100 * SECOND }, paid(90))
  const sent = (nonce: number, ago: number) =>
    scene.add({ ago, block: LIB + 1 }, vaultDeposit(nonce, { telos_to: 'hop.svc', memo: TO_WAX }))
  await sent(1, 300 * SECOND)
  await sent(2, 1000 * SECOND)
  await scene.add({ ago: 2000 * SECOND }, vaultDeposit(3, { telos_to: 'hop.svc', memo: TO_WAX }))
  await scene.add({ ago: 60 * SECOND }, parkedAt('1', 3, TO_WAX))
  await scene.add({ ago: 30 * SECOND }, burn(3, WAX), hoplog(3, ['1', 3], WAX, 3))
  const api = await bridgeApi(t, scene)
  const progress = async (key: string) => (await api.get(`${BASE}/hops/${key}`)).body.progress
  // The newest arrival, of deposit 3, took 1,940 s. The median of two values is the lower one.
  t.match(await progress('d:1:1'), { etaSeconds: 900 - 300 + 100, percent: 5 + 15 })
  t.match(await progress('d:1:2'), { etaSeconds: 5 + 100, percent: 49 }, 'longer than usual, not longer than ever')
  t.match(await progress('d:1:3'), { etaSeconds: 100 - 30, percent: 50 + Math.floor(45 * 0.3) })
  await scene.run(`update ledger.vault_deposits set block_time = block_time - interval '1 hour' where nonce = 2`)
  await scene.run(`update meta.position set block_id = repeat('0d', 32) where chain = 'mainnet'`)
  t.match(await progress('d:1:2'), { etaSeconds: null, percent: 49 }, 'longer than ever: nobody knows')
})

t.test('BR-13 journeys from wax to an EVM chain', async (t) => {
  const scene = await openScene(t)
  const sent = (nonce: number) =>
    scene.add({ ago: nonce * HOUR }, deplog(nonce, { beneficiary: 'hop.svc', memo: TO_EVM }))
  for (const nonce of [1, 2, 3, 4]) await sent(nonce)
  for (const nonce of [2, 3, 4]) await scene.add({ ago: nonce * HOUR - MINUTE }, parkedAt(WAX, nonce, text(TO_EVM)))
  await scene.add({ ago: 2 * HOUR - 2 * MINUTE, block: PROVED }, ...provenBurn(2, '1'), hoplog(2, [WAX, 2], '1', 2))
  await scene.add({ ago: 3 * HOUR - 2 * MINUTE, block: PROVED }, ...provenBurn(3, '1'), hoplog(3, [WAX, 3], '1', 3))
  await scene.add({ ago: HOUR }, outcome('released', 3))
  // The ledger's chain refused the deposit: its bounce is a withdrawal.
  await scene.add({ ago: 2 * HOUR }, bounce(WAX, 4, 0), burn(0, WAX))
  const api = await bridgeApi(t, scene)
  const hop = async (nonce: number) => (await api.get(`${BASE}/hops/d:${WAX}:${nonce}`)).body
  t.match(await hop(1), {
    status: 'arriving',
    from: { chain: 'wax', address: 'carol' },
    to: { chain: 'mainnet', recipient: ADDRESS },
    back: { chain: 'wax', recipient: 'carol' },
  })
  t.match(await hop(2), {
    status: 'sending',
    progress: { stage: /^ready on Ethereum/, percent: 95, etaSeconds: null },
    next: { action: 'release' },
  })
  t.match(await hop(3), { status: 'delivered', legs: [{}, { key: 'w:3', status: 'released', tx: /^0x/ }] })
  t.match(await hop(4), { status: 'returning', next: { actor: 'relayer' } })
  await scene.add({ ago: HOUR }, paid(0))
  t.match(await hop(4), { status: 'returned', progress: { percent: 100 } })
})

t.test('BR-15 BR-16 lists of journeys: of a party, of all, newest first', async (t) => {
  const scene = await openScene(t)
  await toWax(scene)
  await scene.add({ ago: 30 * MINUTE }, deplog(7, { beneficiary: 'hop.svc', memo: TO_EVM }))
  await scene.add({ ago: 10 * MINUTE }, burn(77, WAX, { sender: 'alice' }))
  const api = await bridgeApi(t, scene)
  const keys = async (query: string) => (await api.get(`${BASE}/hops?${query}`)).body.hops.map(({ key }: Any) => key)
  const all = ['d:1:1', `d:${WAX}:7`, 'd:1:2', 'd:1:3', 'd:1:4', 'd:1:5']
  t.same(await keys(''), all)
  t.same(await keys(`party=${ADDRESS}`), all, 'one sends or receives it')
  t.same(await keys(`party=${ADDRESS.toUpperCase()}`), all)
  t.same(
    await keys('party=bob'),
    all.filter((key) => key.startsWith('d:1:')),
    'also while it arrives',
  )
  t.same(await keys('party=carol'), [`d:${WAX}:7`])
  t.same(await keys('party=alice'), [])
  t.same(await keys('party=alice&direct=true'), ['w:77'])
  t.same(await keys('direct=true'), ['d:1:1', 'w:77', ...all.slice(1)])
  t.same(await keys('party=nobody'), [])
  t.same(await keys('limit=2'), all.slice(0, 2))
  const { hops, next } = (await api.get(`${BASE}/hops?limit=2`)).body
  t.equal(next, hops[1].src_time)
  t.same(await keys(`limit=3&before=${next}`), all.slice(2, 5))
})

t.test('journeys of one leg', async (t) => {
  const scene = await openScene(t)
  for (const nonce of [1, 2, 3, 4]) await scene.add({ ago: HOUR }, vaultDeposit(nonce))
  await scene.add({ ago: 40 * MINUTE }, arrival('credited', '1', 2))
  await scene.add({ ago: 40 * MINUTE }, arrival('credited', '1', 3, { account: 'bob' }))
  await scene.run(
    `insert into state.claims (chain, owner, symbol, decimals, amount) values ('telos', 'alice', 'USDC', 6, 5000000)`,
  )
  await scene.add({ ago: 30 * MINUTE }, ['claim_events', { chain: 'telos', owner: 'bob', symbol: 'USDC' }])
  await scene.add({ ago: 40 * MINUTE }, arrival('parked', '1', 4, { memo: text('note') }), arrival('forwarded', '1', 4))
  await scene.add({ ago: 10 * MINUTE, block: PROVED }, ...provenBurn(1, '1'))
  await scene.add({ ago: 10 * MINUTE }, burn(2, '1', { deadline: NOW / 1000 - 60 }))
  await scene.add({ ago: 10 * MINUTE }, burn(3, WAX))
  await scene.add({ ago: 10 * MINUTE }, burn(4, '1'), outcome('expired', 4))
  await scene.add({ ago: 10 * MINUTE }, burn(5, '1'), outcome('expired', 5), refund(5))
  const [late, inTime] = [NOW / 1000 - 60, NOW / 1000 + 60]
  await scene.add({ ago: 10 * MINUTE }, burn(6, WAX, { deadline: late }), burn(7, WAX, { deadline: inTime }))
  const api = await bridgeApi(t, scene)
  const expected = {
    'd:1:1': { status: 'arriving', direction: 'deposit', next: { actor: 'relayer', action: 'credit' } },
    'd:1:2': {
      status: 'sending',
      next: { actor: 'recipient', action: 'claim', deadline: null },
      progress: { percent: 95 },
    },
    'd:1:3': { status: 'delivered', progress: { percent: 100 } },
    'd:1:4': { status: 'delivered', to: { chain: 'telos', recipient: 'alice' } },
    'w:1': {
      status: 'sending',
      direction: 'withdrawal',
      next: { action: 'release' },
      from: { chain: 'telos', address: 'alice' },
    },
    'w:2': { status: 'sending', next: { action: 'expire' } },
    'w:3': { status: 'sending', next: { actor: 'relayer' }, to: { chain: 'wax', recipient: 'bob' } },
    'w:6': { status: 'sending', next: { actor: 'relayer', action: null } },
    'w:7': { status: 'sending', next: { actor: 'relayer', action: null, deadline: inTime } },
    'w:4': { status: 'bounced', progress: { percent: 60 } },
    'w:5': { status: 'returned', progress: { percent: 100 }, back: { chain: 'telos', recipient: 'alice' } },
  }
  for (const [key, wanted] of Object.entries(expected))
    t.match((await api.get(`${BASE}/hops/${key}`)).body, { key, ...wanted }, key)
})

t.test('BR-33 memos of journeys: addresses in any letter case; invalid parts are flagged', async (t) => {
  const scene = await openScene(t)
  const mixed = `0x${'aA'.repeat(20)}`
  const memos = {
    1: `1:${mixed}|${WAX}:carol`,
    2: `56:${mixed.toUpperCase().replace('0X', '0x')}|${WAX}:carol`,
    3: 'hello',
    4: `1:${mixed}|${WAX}:${'c'.repeat(260)}`,
  }
  for (const [nonce, memo] of Object.entries(memos))
    await scene.add({}, deplog(Number(nonce), { beneficiary: 'hop.svc', memo }))
  const api = await bridgeApi(t, scene)
  const hop = async (nonce: number) => (await api.get(`${BASE}/hops/d:${WAX}:${nonce}`)).body
  t.match(await hop(1), { to: { chain: 'mainnet', recipient: mixed }, warnings: [] })
  t.match(await hop(2), { to: { chain: 'bsc' }, warnings: [] })
  t.match(await hop(3), { warnings: ['the memo names no destination and way back'] })
  t.match(await hop(4), { warnings: ['the memo is longer than 256 bytes'] })
  t.same((await api.get(`${BASE}/hops?party=${ADDRESS}`)).body.hops.length, 3, 'found by the address in lower case')
})
