// The list of pending work for relayers.
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
  LIGHT_CLIENT,
  MINUTE,
  NOW,
  openScene,
  outcome,
  PROVED,
  provenBurn,
  raw,
  SECOND,
  TO_WAX,
  text,
  USDC,
  vaultDeposit,
  WAX,
  WITHDRAWALS,
  withdrawalEvent,
} from './scene.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into.
type Any = any

t.test('BR-26 NS-09 withdrawals that are ready, with the action to send', async (t) => {
  const scene = await openScene(t)
  const root = {
    chain: 'mainnet',
    root: Buffer.alloc(32, 5),
    contract: raw(LIGHT_CLIENT),
    log_index: 0,
    root_time: new Date(NOW),
    generation: 1,
  }
  await scene.add({ ago: 5 * MINUTE }, ['stored_roots', { ...root, last_block: PROVED - 5 }])
  await scene.add({ ago: HOUR, block: PROVED - 5 }, ...provenBurn(1, '1', { fee: 70 }))
  await scene.add({ ago: 2 * HOUR, block: PROVED }, ...provenBurn(2, '1', { memo: text('xy') }))
  await scene.add({ ago: 3 * HOUR, block: PROVED }, ...provenBurn(3, '1', { deadline: NOW / 1000 - 1 }))
  await scene.add({ ago: 4 * HOUR, block: PROVED }, ...provenBurn(4, '1', { deadline: NOW / 1000 }))
  await scene.add({ ago: 5 * HOUR }, burn(5, WAX))
  await scene.add({ ago: 6 * HOUR, block: PROVED }, ...provenBurn(9, WAX))
  // Excluded: without a certificate yet, settled, expired.
  await scene.add({ ago: MINUTE, block: PROVED + 1 }, ...provenBurn(6, '1'))
  await scene.add({ ago: HOUR, block: PROVED }, ...provenBurn(7, '1'), outcome('released', 7))
  await scene.add({ ago: HOUR, block: PROVED }, ...provenBurn(8, '1'), outcome('expired', 8))
  const api = await bridgeApi(t, scene)
  const { pending } = (await api.get(`${BASE}/pending`)).body
  t.same(pending.map(({ key, action, track }: Any) => [key, action, track]).sort(), [
    ['w:1', 'release', 'light'],
    ['w:2', 'release', 'hard'],
    ['w:3', 'expire', 'hard'],
    ['w:4', 'release', 'hard'],
    ['w:5', 'release', null],
    ['w:9', 'release', null],
  ])
  const one = (key: string) => pending.find((found: Any) => found.key === key)
  t.match(one('w:1'), {
    ...{
      id: '1',
      domain: '1',
      chain: 'mainnet',
      releaseTo: WITHDRAWALS,
      recipient: ADDRESS,
      token: USDC,
      symbol: 'USDC',
      amount: '4000000',
    },
    ...{ precision: 6, fee: '70', deadline: NOW / 1000 + 6 * 86_400, hasProof: true, src_time: (NOW - HOUR) / 1000 },
  })
  const { light, hard } = one('w:1').estimatedGas
  t.ok(light > 145_000 && light < 190_000 && hard > 340_000 && hard < 450_000, `gas ${light} and ${hard}`)
  t.equal(one('w:2').estimatedGas.light, null)
  t.equal(one('w:5').estimatedGas, null, 'the relayer pays on wax')
  t.match(one('w:5'), { releaseTo: null, hasProof: false, chain: 'wax', recipient: 'bob' })
  t.match(one('w:9'), { releaseTo: null, hasProof: true, chain: 'wax', estimatedGas: null })
  const metrics = await bridgeLines(api)
  t.same(metrics, [
    `next_deadline_timestamp_seconds{domain="1"} ${NOW / 1000 + 518_400}`,
    `next_deadline_timestamp_seconds{domain="${WAX}"} ${NOW / 1000 + 518_400}`,
    'oldest_seconds{kind="withdrawal",domain="1",status="burned"} 60',
    'oldest_seconds{kind="withdrawal",domain="1",status="expired"} 3600',
    'oldest_seconds{kind="withdrawal",domain="1",status="provable"} 14400',
    `oldest_seconds{kind="withdrawal",domain="${WAX}",status="provable"} 21600`,
    'open_transfers{kind="withdrawal",domain="1",status="burned"} 1',
    'open_transfers{kind="withdrawal",domain="1",status="expired"} 1',
    'open_transfers{kind="withdrawal",domain="1",status="provable"} 4',
    `open_transfers{kind="withdrawal",domain="${WAX}",status="provable"} 2`,
  ])
})

/** Metrics of the bridge, without their common prefix. */
async function bridgeLines({ app }: Awaited<ReturnType<typeof bridgeApi>>): Promise<string[]> {
  const lines = (await app.inject('/metrics')).body.split('\n')
  const prefix = 'headwater_bridge_'
  return lines
    .filter((line) => line.startsWith(prefix) && !line.includes('proofs_total'))
    .map((line) => line.slice(prefix.length))
    .sort()
}

t.test('deposits that wait for credit, delivery or return', async (t) => {
  const scene = await openScene(t)
  await scene.add({ ago: MINUTE, block: LIB + 1 }, vaultDeposit(1))
  await scene.add({ ago: HOUR }, vaultDeposit(2))
  await scene.add({ ago: HOUR }, deplog(3))
  const park = (nonce: number, ago: number) =>
    scene.add({ ago }, arrival('parked', '1', nonce, { memo: text('x'), refund_to: raw(ADDRESS) }))
  await park(4, 59 * MINUTE)
  await park(5, 60 * MINUTE)
  await park(6, 3 * HOUR)
  await scene.add({ ago: 2 * HOUR }, arrival('forwarded', '1', 6))
  await park(7, 3 * HOUR)
  await scene.add({ ago: HOUR }, bounce('1', 7, 0))
  await scene.add({ ago: HOUR }, arrival('credited', '1', 8))
  const api = await bridgeApi(t, scene)
  const { deposits } = (await api.get(`${BASE}/pending`)).body
  t.same(
    deposits.map(({ key, action, actions, contract }: Any) => [key, action, actions, contract]).sort(),
    [
      [`d:${WAX}:3`, 'credit', ['credit'], 'gateway.wax'],
      ['d:1:2', 'credit', ['credit'], 'gateway.evm'],
      ['d:1:4', 'forward', ['forward'], 'bridge.svc'],
      ['d:1:5', 'forward', ['forward', 'bounce'], 'bridge.svc'],
    ].sort(),
  )
  t.match(
    deposits.find(({ key }: Any) => key === 'd:1:4'),
    { bounceFrom: NOW / 1000 + 60, amount: '5000000', chain: 'mainnet', recipient: 'alice' },
  )
})

t.test('outcomes not yet reported to the ledger, and withdrawals that can be refunded', async (t) => {
  const scene = await openScene(t)
  const row = (id: number, status: number) =>
    scene.run(
      `insert into state.wdraws values ('telos', $1, 1, 'alice', 4000000, 'USDC', 6, $2, 2000000000, 0, $3)`,
      ...[id, raw(ADDRESS), status],
    )
  // All are open in the ledger's table. On their destinations: released, expired, paid on wax, released in a reversible
  // block, and without an outcome.
  for (const id of [1, 2, 4, 5]) await row(id, 0)
  for (const [id, ago] of [
    [1, 9],
    [2, 8],
    [4, 6],
    [5, 5],
    [6, 4],
    [7, 3],
    [8, 2],
  ] as const)
    await scene.add({ ago: ago * HOUR, block: PROVED }, ...provenBurn(id, '1'))
  await row(3, 0)
  await scene.add({ ago: 7 * HOUR, block: PROVED }, ...provenBurn(3, WAX))
  const released = await scene.add({ ago: HOUR }, outcome('released', 1))
  const expired = await scene.add({ ago: HOUR }, outcome('voided', 2), outcome('expired', 2))
  const paid = await scene.add({ ago: HOUR }, ['withdrawal_events', { chain: 'wax', id: 3, type: 'paid' }])
  await scene.add({ ago: MINUTE, block: LIB + 1 }, outcome('released', 4))
  // Excluded: credited (one of them known only by a row), released, refunded.
  await row(6, 2)
  await row(7, 1)
  await scene.add({ ago: HOUR }, withdrawalEvent('settled', 7, { released: true }), outcome('released', 7))
  await row(8, 3)
  await scene.add({ ago: HOUR }, withdrawalEvent('settled', 8, { released: false }))
  await scene.add(
    { ago: MINUTE },
    withdrawalEvent('refunded', 8, { account: 'alice', amount: 4, symbol: 'USDC', decimals: 6 }),
  )
  const api = await bridgeApi(t, scene)
  const { settlements } = (await api.get(`${BASE}/pending`)).body
  const told1 = { action: 'settle', contract: 'gateway.evm', chain: 'mainnet' }
  t.match(settlements, [
    { key: 'w:1', ...told1, released: true, tx: `0x${released}`, src_time: (NOW - 9 * HOUR) / 1000 },
    { key: 'w:2', ...told1, released: false, tx: `0x${expired}` },
    { key: 'w:3', action: 'settle', contract: 'gateway.wax', chain: 'wax', released: true, tx: paid },
    { key: 'w:6', action: 'refund', contract: 'bridge.svc', released: null, tx: null, owner: 'alice' },
  ])
  t.equal(settlements.length, 4)
})

t.test('returned journeys wait for `recover` until they are sent on', async (t) => {
  const scene = await openScene(t)
  await scene.add({ ago: 9 * HOUR }, vaultDeposit(1, { telos_to: 'hop.svc', memo: TO_WAX }))
  await scene.add({ ago: 8 * HOUR }, arrival('parked', '1', 1, { account: 'hop.svc', memo: TO_WAX }))
  await scene.add(
    { ago: 8 * HOUR },
    arrival('forwarded', '1', 1, { account: 'hop.svc' }),
    burn(1, WAX),
    hoplog(4, ['1', 1], WAX, 1),
  )
  const api = await bridgeApi(t, scene)
  const hops = async () => (await api.get(`${BASE}/pending`)).body.hops
  t.same(await hops(), [])
  const move = (id: string, lib = LIB) =>
    scene.run(`update meta.position set block_id = repeat($1, 32), lib_num = $2 where chain = 'telos'`, id, lib)
  await scene.add({ ago: SECOND, block: LIB + 1 }, withdrawalEvent('settled', 1, { released: false }))
  await scene.add(
    { ago: SECOND, block: LIB + 2 },
    withdrawalEvent('refunded', 1, { account: 'hop.svc', amount: 5_000_000, symbol: 'USDC', decimals: 6 }),
  )
  await move('01')
  const waiting = [
    { key: 'd:1:1', action: 'recover', contract: 'hop.svc', id: '4', back: { chain: 'mainnet', recipient: ADDRESS } },
  ]
  t.same(await hops(), waiting)
  await move('02', LIB + 2)
  t.same(await hops(), waiting, 'the refund is irreversible, and it still waits')
  await scene.add({ ago: SECOND, block: LIB + 3 }, burn(2, '1'), [
    'hop_returns',
    { chain: 'telos', id: 4, withdrawal_id: 2 },
  ])
  await move('03', LIB + 2)
  t.same(await hops(), [])
  await move('04', LIB + 3)
  t.same(await hops(), [])
})
