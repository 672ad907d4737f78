// Lists cache rows that no fork can change. Answers stay the same at every block, and follow a forced rewind.
import t from 'tap'
import {
  arrival,
  BASE,
  bridgeApi,
  burn,
  HOUR,
  hoplog,
  LIB,
  openScene,
  outcome,
  TO_WAX,
  vaultDeposit,
  WAX,
} from './scene.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into.
type Any = any

t.test('legs and journeys that have ended are not read again; others are', async (t) => {
  const scene = await openScene(t, { followed: false })
  await scene.add({ ago: 9 * HOUR }, vaultDeposit(1, { telos_to: 'hop.svc', memo: TO_WAX }))
  await scene.add({ ago: 8 * HOUR }, arrival('parked', '1', 1, { account: 'hop.svc', memo: TO_WAX }))
  await scene.add(
    { ago: 8 * HOUR },
    arrival('forwarded', '1', 1, { account: 'hop.svc' }),
    burn(1, WAX, { sender: 'hop.svc' }),
    hoplog(0, ['1', 1], WAX, 1),
  )
  await scene.add({ ago: 7 * HOUR }, ['withdrawal_events', { chain: 'wax', id: 1, type: 'paid', account: 'bob' }])
  await scene.add({ ago: 6 * HOUR }, burn(2, '1'))
  await scene.add({ ago: 5 * HOUR, block: LIB + 1 }, outcome('released', 2))
  const api = await bridgeApi(t, scene)
  let blocks = 0
  const ask = async (path: string) => {
    await scene.run(`update meta.position set block_id = $1`, `${++blocks}`.padStart(64, '0'))
    return (await api.get(`${BASE}/${path}`)).body
  }
  const legs = async () =>
    Object.fromEntries((await ask('transfers')).transfers.map((one: Any) => [one.key, one.status]))
  const before = { 'd:1:1': 'forwarded', 'w:1': 'released', 'w:2': 'released' }
  t.same(await legs(), before)
  const journeys = (await ask('hops')).hops
  t.match(journeys, [{ key: 'd:1:1', status: 'delivered' }])
  t.equal(journeys.length, 1)

  // Written without a block: a cached row does not change, a row that can still change does.
  await scene.run('delete from ledger.withdrawal_events')
  await scene.run('delete from ledger.withdrawal_outcomes')
  t.same(await legs(), { ...before, 'w:2': 'provable' })
  t.same((await ask('hops')).hops, journeys)
  t.equal((await ask('transfers/w:1')).status, 'provable', 'a key is always read')

  // A rewind below the last irreversible block evicts the cached rows.
  await scene.run(`update meta.position set lib_num = lib_num - 1 where chain = 'wax'`)
  t.same(await legs(), { ...before, 'w:1': 'provable', 'w:2': 'provable' })
  t.match((await ask('hops')).hops, [{ key: 'd:1:1', status: 'sending' }])

  // So does a rewind after which indexing has passed that block again.
  await scene.add({ ago: 7 * HOUR }, ['withdrawal_events', { chain: 'wax', id: 1, type: 'paid', account: 'bob' }])
  t.match(await legs(), { 'w:1': 'released' })
  await scene.run('delete from ledger.withdrawal_events')
  await scene.run(
    `insert into meta.rewinds (chain, from_block, to_block, lib_num, forced) values ('wax', 1, 1, 1, true)`,
  )
  t.match(await legs(), { 'w:1': 'provable' })
})

t.test('a leg whose token is unknown is read again: the token may get a route', async (t) => {
  const scene = await openScene(t, { followed: false })
  const token = Buffer.alloc(20, 0x99)
  await scene.add({}, burn(1, '1', { token, symbol: null, decimals: null }))
  await scene.add({}, outcome('released', 1), vaultDeposit(1, { token }))
  await scene.add({}, arrival('forwarded', '1', 1, { symbol: null, decimals: null }))
  const api = await bridgeApi(t, scene)
  const symbols = async () => (await api.get(`${BASE}/transfers`)).body.transfers.map((one: Any) => one.symbol)
  t.same(await symbols(), [null, null])
  await scene.run(
    `update state.bridge_routes set token = $1, wrapped_symbol = 'NEW' where domain = 1 and id = 0`,
    token,
  )
  await scene.run(`update meta.position set block_id = repeat('0b', 32)`)
  t.same(await symbols(), ['NEW', 'NEW'])
})
