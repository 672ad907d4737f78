// Legs in every status, by key and in lists: all, of a party, by status, by page, by transaction.
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
  NATIVE,
  NOW,
  openScene,
  outcome,
  PROVED,
  provenBurn,
  raw,
  type Scene,
  SECOND,
  text,
  USDC,
  VAULT,
  vaultDeposit,
  WAX,
  withdrawalEvent,
} from './scene.ts'
import { TRANSITIONS } from './transitions.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into.
type Any = any

/** One leg in each status. */
async function everyStatus(scene: Scene): Promise<Record<string, string>> {
  await scene.add({ ago: 3 * MINUTE, block: LIB + 1 }, vaultDeposit(1))
  await scene.add({ ago: 20 * MINUTE }, vaultDeposit(2))
  for (const nonce of [3, 4, 5, 6])
    await scene.add({ ago: 5 * HOUR }, vaultDeposit(nonce, nonce === 3 ? {} : { memo: text('note') }))
  const waiting = { memo: text('note'), refund_to: raw(ADDRESS) }
  await scene.add({ ago: 4 * HOUR }, arrival('credited', '1', 3))
  for (const nonce of [4, 5, 6]) await scene.add({ ago: 4 * HOUR }, arrival('parked', '1', nonce, waiting))
  await scene.add({ ago: 3 * HOUR }, arrival('forwarded', '1', 5))
  await scene.add({ ago: 3 * HOUR }, bounce('1', 6, 20), burn(20, '1', { sender: 'bridge.svc' }))
  await scene.add({ ago: 2 * MINUTE, block: PROVED + 1 }, ...provenBurn(10, '1'))
  await scene.add({ ago: 10 * MINUTE, block: PROVED }, ...provenBurn(11, '1', { fee: 50 }))
  await scene.add({ ago: 11 * MINUTE }, burn(12, '1'))
  await scene.add({ ago: 12 * MINUTE }, burn(13, '1'))
  await scene.add({ ago: 13 * MINUTE }, burn(14, '1'))
  await scene.add({ ago: 5 * MINUTE }, outcome('proved', 12), outcome('released', 12))
  await scene.add({ ago: 5 * MINUTE }, outcome('voided', 13), outcome('expired', 13))
  await scene.add({ ago: 5 * MINUTE }, outcome('expired', 14))
  await scene.add({ ago: 4 * MINUTE }, withdrawalEvent('settled', 14, { released: false }))
  await scene.add(
    { ago: 3 * MINUTE },
    withdrawalEvent('refunded', 14, { account: 'alice', amount: 4_000_000, symbol: 'USDC', decimals: 6 }),
  )
  return {
    ...{
      'd:1:1': 'seen',
      'd:1:2': 'provable',
      'd:1:3': 'credited',
      'd:1:4': 'parked',
      'd:1:5': 'forwarded',
      'd:1:6': 'bounced',
    },
    ...{
      'w:10': 'burned',
      'w:11': 'provable',
      'w:12': 'released',
      'w:13': 'expired',
      'w:14': 'refunded',
      'w:20': 'burned',
    },
  }
}

t.test('a leg of each status', async (t) => {
  const scene = await openScene(t)
  const statuses = await everyStatus(scene)
  const api = await bridgeApi(t, scene)
  const leg = async (key: string) => (await api.get(`${BASE}/transfers/${key}`)).body

  t.test('BR-17 each leg has its status, and a withdrawal states whether it has a proof', async (t) => {
    for (const [key, status] of Object.entries(statuses)) {
      const found = await leg(key)
      t.match(found, { key, status, direction: key.startsWith('d') ? 'deposit' : 'withdrawal' })
      t.equal(found.hasProof, key.startsWith('w') ? ['w:11'].includes(key) : undefined, `${key} hasProof`)
    }
    const [view] = await scene.run(
      `select json_object_agg(key, status) as all from (select key, status from head.deposits union all select key, status from head.withdrawals) l`,
    )
    t.same(view?.all, statuses, 'SQL says the same')
  })
  t.test('NS-10 all members of a deposit and of a withdrawal', async (t) => {
    const [sent] = await scene.run(`select encode(trx_id, 'hex') as trx from ledger.vault_deposits where nonce = 4`)
    const [arrived] = await scene.run(`select encode(trx_id, 'hex') as trx from ledger.deposit_events where nonce = 4`)
    t.same(await leg('d:1:4'), {
      ...{ key: 'd:1:4', kind: 'deposit', direction: 'deposit', status: 'parked', domain: '1', nonce: '4', id: null },
      ...{ from: { chain: 'mainnet', address: ADDRESS }, to: { chain: 'telos', recipient: 'alice' } },
      ...{ sender: ADDRESS, recipient: 'alice' },
      ...{ symbol: 'USDC', amount: '5000000', precision: 6, fee: null, memo: '0x6e6f7465', memoText: 'note' },
      ...{ token: USDC, vault: VAULT, rawAmount: '5000000', rawPrecision: 6, src_block: 9000 },
      ...{
        src_tx: `0x${sent?.trx}`,
        src_time: (NOW - 5 * HOUR) / 1000,
        dst_tx: arrived?.trx,
        dst_time: (NOW - 4 * HOUR) / 1000,
      },
      ...{ deadline: null, refundTo: ADDRESS, back: null },
    })
    t.match(await leg('d:1:6'), { back: 'w:20' })
    const [burned] = await scene.run(`select encode(trx_id, 'hex') as trx from ledger.withdrawals where id = 12`)
    const [released] = await scene.run(
      `select encode(trx_id, 'hex') as trx from ledger.withdrawal_outcomes where id = 12 and type = 'released'`,
    )
    t.same(await leg('w:12'), {
      ...{
        key: 'w:12',
        kind: 'withdrawal',
        direction: 'withdrawal',
        status: 'released',
        domain: '1',
        nonce: null,
        id: '12',
      },
      ...{ from: { chain: 'telos', address: 'alice' }, to: { chain: 'mainnet', recipient: ADDRESS } },
      ...{ sender: 'alice', recipient: ADDRESS },
      ...{ symbol: 'USDC', amount: '4000000', precision: 6, fee: '0', memo: '0x', memoText: '' },
      ...{ token: USDC, vault: VAULT, rawAmount: null, rawPrecision: null, src_block: 9000 },
      ...{
        src_tx: burned?.trx,
        src_time: (NOW - 11 * MINUTE) / 1000,
        dst_tx: `0x${released?.trx}`,
        dst_time: (NOW - 5 * MINUTE) / 1000,
      },
      ...{ deadline: NOW / 1000 + 6 * 86_400, refundTo: 'alice', back: null, hasProof: false },
    })
  })
  t.test('BR-19 filters', async (t) => {
    const keys = async (query: string) =>
      (await api.get(`${BASE}/transfers?${query}`)).body.transfers.map(({ key }: Any) => key).sort()
    for (const status of new Set(Object.values(statuses))) {
      const expected = Object.keys(statuses)
        .filter((key) => statuses[key] === status)
        .sort()
      t.same(await keys(`status=${status}`), expected, status)
    }
    t.same(await keys('status=burned,expired'), ['w:10', 'w:13', 'w:20'])
    t.same(await keys('direction=deposit'), ['d:1:1', 'd:1:2', 'd:1:3', 'd:1:4', 'd:1:5', 'd:1:6'])
    t.same(await keys('direction=withdrawal&status=provable'), ['w:11'])
    t.same(await keys('direction=deposit&status=provable'), ['d:1:2'])
    t.same((await keys('account=alice')).length, 11, 'all but the withdrawal that the bridge burned')
    t.same(await keys('account=bridge.svc'), ['w:20'])
    t.same((await keys(`address=${ADDRESS.toUpperCase().replace('0X', '0x')}`)).length, 12)
    t.same(await keys(`account=bridge.svc&address=${ADDRESS}`), ['w:20'])
    t.same(await keys('account=nobody'), [])
    t.same((await keys('limit=2')).length, 2)
    t.same((await keys('limit=0&status=')).length, 12)
    for (const query of ['status=gone', 'direction=up', 'tx=0x12', 'before=x', 'limit=-1', 'status=seen,gone']) {
      const { status, body } = await api.get(`${BASE}/transfers?${query}`)
      t.equal(status, 400, query)
      t.type(body.error, 'string')
    }
  })
  t.test('a leg is found by its source transaction', async (t) => {
    const [row] = await scene.run(`select encode(trx_id, 'hex') as trx from ledger.vault_deposits where nonce = 3`)
    const trx = String(row?.trx)
    for (const tx of [`0x${trx}`, trx, `0x${trx.toUpperCase()}`]) {
      t.same(
        (await api.get(`${BASE}/transfers?tx=${tx}`)).body.transfers.map(({ key }: Any) => key),
        ['d:1:3'],
      )
      t.same(
        (await api.get(`${BASE}/hops?tx=${tx}`)).body.hops.map(({ key }: Any) => key),
        ['d:1:3'],
      )
    }
    const [both] = await scene.run(`select encode(trx_id, 'hex') as trx from ledger.withdrawals where id = 20`)
    t.same(
      (await api.get(`${BASE}/transfers?tx=${both?.trx}`)).body.transfers.map(({ key }: Any) => key),
      ['w:20'],
    )
    t.same((await api.get(`${BASE}/transfers?tx=${'0'.repeat(64)}`)).body, { transfers: [], next: null })
  })
  t.test('BR-21 no proof before there is one', async (t) => {
    for (const key of ['w:10', 'd:1:1', 'd:1:3']) {
      const { status, body, headers } = await api.get(`${BASE}/proofs/${key}`)
      t.equal(status, 404, key)
      t.match(body, { error: 'Not Found', message: String })
      t.equal(headers['cache-control'], 'no-store')
    }
  })
})

t.test('BR-20 legs change only between the documented statuses', async (t) => {
  const scene = await openScene(t)
  const api = await bridgeApi(t, scene)
  const keys = ['d:1:1', 'd:1:2', 'd:1:3', 'w:10', 'w:11']
  const now: Record<string, string> = {}
  const moves = new Set<string>()
  let blocks = 0
  const look = async () => {
    await scene.run(`update meta.position set block_id = $1`, `${++blocks}`.padStart(64, '0'))
    for (const key of keys) {
      const { status } = (await api.get(`${BASE}/transfers/${key}`)).body
      const kind = key.startsWith('d') ? 'deposit' : 'withdrawal'
      if (now[key] !== undefined && now[key] !== status) moves.add(`${kind} ${now[key]} ${status}`)
      now[key] = status
    }
  }
  for (const nonce of [1, 2, 3]) await scene.add({ block: LIB + 1 }, vaultDeposit(nonce))
  for (const id of [10, 11]) await scene.add({ block: PROVED + 1 }, ...provenBurn(id, '1'))
  await look()
  t.same(now, { 'd:1:1': 'seen', 'd:1:2': 'seen', 'd:1:3': 'seen', 'w:10': 'burned', 'w:11': 'burned' })
  await scene.run(`update meta.position set lib_num = ${LIB + 1}`)
  await scene.run(`update ledger.finality set claim_num = claim_num + 1`)
  await look()
  await scene.add({}, arrival('credited', '1', 1))
  for (const nonce of [2, 3]) await scene.add({}, arrival('parked', '1', nonce, { refund_to: raw(ADDRESS) }))
  await scene.add({}, outcome('proved', 10), outcome('released', 10))
  await scene.add({}, outcome('voided', 11), outcome('expired', 11))
  await look()
  await scene.add({}, arrival('forwarded', '1', 2))
  await scene.add({}, bounce('1', 3, 20), burn(20, '1'))
  await scene.add(
    {},
    withdrawalEvent('settled', 10, { released: true }),
    withdrawalEvent('settled', 11, { released: false }),
  )
  await look()
  const back = { account: 'alice', amount: 4_000_000, symbol: 'USDC', decimals: 6 }
  await scene.add({}, withdrawalEvent('refunded', 11, back))
  await look()
  const known = Object.entries(TRANSITIONS).flatMap(([kind, all]) =>
    Object.entries(all).flatMap(([from, next]) => next.map((to) => `${kind} ${from} ${to}`)),
  )
  t.same([...moves].sort(), known.sort())
})

t.test(
  'BR-18 NS-09 pages by the source time of the last row lose no leg, even with many legs in one second',
  async (t) => {
    const scene = await openScene(t)
    // Sixty legs within twelve seconds, most of them in three of these seconds.
    for (let i = 0; i < 60; i++) {
      const ago = HOUR + [0, 200, 5 * SECOND, 5100, 5900, 12 * SECOND][i % 6]!
      await scene.add({ ago }, i % 2 === 0 ? vaultDeposit(i) : burn(i, '1'))
    }
    await scene.add({ ago: HOUR + 5500 }, arrival('credited', '56', 7))
    const api = await bridgeApi(t, scene)
    for (const query of [
      'limit=7',
      'limit=7&account=alice',
      'limit=1&direction=deposit',
      `limit=25&address=${ADDRESS}`,
    ]) {
      const seen: string[] = []
      const times: number[] = []
      let before: number | null = null
      for (let pages = 0; pages < 100; pages++) {
        const { body }: Any = await api.get(`${BASE}/transfers?${query}${before === null ? '' : `&before=${before}`}`)
        if (body.transfers.length === 0) break
        seen.push(...body.transfers.map(({ key }: Any) => key))
        times.push(...body.transfers.map(({ src_time }: Any) => src_time))
        before = body.transfers.at(-1).src_time as number
        if (body.next !== null) t.equal(body.next, before)
      }
      const [{ count }] = (await scene.run(
        query.includes('direction')
          ? 'select count(*)::int4 from head.deposits'
          : query.includes('address')
            ? 'select 60 as count'
            : `select (select count(*) from head.deposits)::int4 + (select count(*) from head.withdrawals)::int4 as count`,
      )) as [{ count: number }]
      t.equal(new Set(seen).size, count, `${query}: each`)
      t.equal(seen.length, count, `${query}: once`)
      t.same(
        times,
        [...times].sort((one, other) => other - one),
        'newest first',
      )
    }
  },
)

t.test('legs of two parties are found although one of them has many newer legs', async (t) => {
  const scene = await openScene(t)
  const [hot, other] = [raw(ADDRESS), Buffer.alloc(20, 0xcc)]
  const bob = (nonce: number, more: Record<string, unknown>) =>
    vaultDeposit(nonce, { telos_to: 'bob', from_address: other, refund_to: other, ...more })
  const back = text(`${WAX}:bob|1:${ADDRESS}`)
  await scene.add({ ago: 48 * HOUR }, bob(1, { from_address: hot }), bob(2, { refund_to: hot }), bob(3, { memo: back }))
  await scene.add({ ago: 48 * HOUR }, bob(4, {}), burn(1, '1', { sender: 'bob' }), burn(2, '1', { sender: 'carol' }))
  await scene.add({ ago: 48 * HOUR }, arrival('parked', '56', 5, { account: 'bob', refund_to: hot }))
  await scene.add({ ago: 48 * HOUR }, arrival('parked', '56', 6, { account: 'bob', refund_to: other }))
  await scene.add({ ago: 48 * HOUR }, deplog(7, { sender: 'bob' }), hoplog(0, [WAX, 7], '1', 3))
  await scene.run(`insert into ledger.vault_deposits select (jsonb_populate_record(v, jsonb_build_object('nonce', 100 + n,
      'telos_to', 'alice', 'global_seq', 1000 + n, 'block_time', v.block_time + interval '40 hours'))).*
    from ledger.vault_deposits v, generate_series(1, 2001) n where v.nonce = 1`)
  const api = await bridgeApi(t, scene)
  const { body }: Any = await api.get(`${BASE}/transfers?account=bob&address=${ADDRESS}`)
  const keys = body.transfers.map(({ key }: Any) => key).sort()
  t.same(keys, ['d:1:1', 'd:1:2', 'd:1:3', `d:${WAX}:7`, 'd:56:5', 'w:1'].sort())
  t.equal(body.next, null)
})

t.test('BR-31 amounts are in ledger units, next to the raw amounts of the token on its chain', async (t) => {
  const scene = await openScene(t)
  const eth = { token: raw(NATIVE), amount: '1500000000000000000', canonical: 150_000_000 }
  await scene.add({}, vaultDeposit(1, eth))
  await scene.add({}, vaultDeposit(2, eth))
  await scene.add({}, arrival('credited', '1', 2, { amount: 150_000_000, symbol: 'ETH', decimals: 8 }))
  const api = await bridgeApi(t, scene)
  for (const nonce of [1, 2])
    t.match((await api.get(`${BASE}/transfers/d:1:${nonce}`)).body, {
      ...{
        symbol: 'ETH',
        amount: '150000000',
        precision: 8,
        rawAmount: '1500000000000000000',
        rawPrecision: 18,
        token: NATIVE,
      },
    })
})

t.test('BR-32 keys name the domain and number of the event', async (t) => {
  const scene = await openScene(t)
  await scene.add({}, vaultDeposit(41))
  await scene.add({}, deplog(42))
  await scene.add({}, burn(43, WAX))
  const api = await bridgeApi(t, scene)
  const { transfers } = (await api.get(`${BASE}/transfers`)).body
  t.same(transfers.map(({ key }: Any) => key).sort(), [`d:${WAX}:42`, 'd:1:41', 'w:43'].sort())
  t.match((await api.get(`${BASE}/transfers/d:${WAX}:42`)).body, {
    from: { chain: 'wax', address: 'carol' },
    amount: '3000000',
    precision: 6,
    domain: WAX,
  })
})

t.test('BR-30 a fork before finality removes a seen leg, never a credited one', async (t) => {
  const scene = await openScene(t)
  await scene.add({ block: LIB + 1 }, vaultDeposit(1))
  await scene.add({ block: LIB + 1 }, vaultDeposit(2))
  await scene.add({}, arrival('credited', '1', 2))
  const api = await bridgeApi(t, scene)
  t.equal((await api.get(`${BASE}/transfers/d:1:1`)).body.status, 'seen')
  t.same((await api.get(`${BASE}/transfers?status=seen`)).body.transfers.length, 1)
  await scene.run(`select meta.rewind('mainnet', ${LIB + 1})`)
  await scene.run(`update meta.position set block_num = ${LIB}, block_id = repeat('0c', 32) where chain = 'mainnet'`)
  t.equal((await api.get(`${BASE}/transfers/d:1:1`)).status, 404)
  t.same((await api.get(`${BASE}/transfers?status=seen`)).body.transfers, [])
  t.match((await api.get(`${BASE}/transfers/d:1:2`)).body, {
    status: 'credited',
    src_tx: null,
    from: { address: null },
  })
  t.same(
    (await api.get(`${BASE}/transfers`)).body.transfers.map(({ key }: Any) => key),
    ['d:1:2'],
  )
})

t.test('BR-29 a withdrawal above the vault’s current allowance stays provable', async (t) => {
  const scene = await openScene(t)
  await scene.run(`update state.bridge_routes set backing = 1 where id = 0`)
  await scene.add({ block: PROVED }, ...provenBurn(1, '1'))
  const api = await bridgeApi(t, scene)
  t.match((await api.get(`${BASE}/transfers/w:1`)).body, { status: 'provable', hasProof: true })
  t.match((await api.get(`${BASE}/pending`)).body.pending, [{ key: 'w:1', action: 'release' }])
})

t.test(
  'if the finality of the ledger is not followed, an irreversible burn is provable and has no proof',
  async (t) => {
    const scene = await openScene(t, { followed: false })
    await scene.add({}, burn(1, '1'))
    await scene.add({ block: LIB + 1 }, burn(2, '1'))
    const api = await bridgeApi(t, scene)
    t.match((await api.get(`${BASE}/transfers/w:1`)).body, { status: 'provable', hasProof: false })
    t.match((await api.get(`${BASE}/transfers/w:2`)).body, { status: 'burned', hasProof: false })
  },
)
