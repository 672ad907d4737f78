// Pending work: order, filters and pages. Many entries that cannot be completed hide no other entry.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { FairOrder, roundsOf, type Waiting } from '../../../api/bridge/pending/fair-order.ts'
import type { TestApi } from '../../support/api.ts'
import { until } from '../../support/until.ts'
import {
  ADDRESS,
  arrival,
  BASE,
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
  TO_WAX,
  text,
  USDC,
  VAULT,
  vaultDeposit,
  WAX,
  withdrawalEvent,
} from './scene.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into.
type Any = any
type List = 'pending' | 'deposits' | 'settlements' | 'hops'

const keys = (list: Any[]) => list.map(({ key }) => key)
const account = (name: string) => ({ recipient: text(name) })

async function ask(api: TestApi, query = ''): Promise<Any> {
  const { status, body } = await api.get(`${BASE}/pending${query}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

/** All pages of a list. */
async function pages(api: TestApi, list: List, query: string, between = async () => {}): Promise<string[][]> {
  const found: string[][] = []
  let cursor: string | null = null
  do {
    const body: Any = await ask(api, `?${query}${cursor === null ? '' : `&cursor=${cursor}`}`)
    found.push(keys(body[list]))
    cursor = body.next[list]
    await between()
  } while (cursor !== null)
  return found
}

/** Burns to wax, oldest first. */
async function burnTo(scene: Scene, names: readonly string[], from = 1): Promise<void> {
  for (const [at, name] of names.entries())
    await scene.add({ ago: 5 * HOUR - (from + at) * 1000, block: PROVED }, ...provenBurn(from + at, WAX, account(name)))
}

/** Starts a chain API that knows every account except the one named `nobody`. @returns its URL */
async function nodeWithoutNobody(t: { teardown(work: () => unknown): void }): Promise<string> {
  const node = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const { account_name } = JSON.parse(body)
      if (account_name !== 'nobody') return response.end(JSON.stringify({ account_name }))
      response.statusCode = 500
      response.end(JSON.stringify({ code: 500, error: { details: [{ message: 'unknown key (tuple): nobody' }] } }))
    })
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  t.teardown(() => node.close())
  return `http://127.0.0.1:${(node.address() as AddressInfo).port}`
}

/** Keys and obstacles of a list while the given number of its accounts is known to be missing. */
async function obstaclesWith(api: TestApi, list: List, missing: number): Promise<[string, string | null][]> {
  let entries: Any[] = []
  const areKnown = async () => {
    entries = (await ask(api))[list]
    return entries.filter(({ obstacle }) => obstacle === 'no_account').length === missing
  }
  await until(`${missing} missing accounts are known`, areKnown, 20)
  return entries.map(({ key, obstacle }) => [key, obstacle])
}

t.test('rounds: one of each domain, in a domain one of each account, oldest first', (t) => {
  const entry = (key: string, domain: bigint, account: string, time: number): Waiting => {
    return { key, domain, account, time, number: BigInt(time) }
  }
  const rounds = roundsOf([
    entry('c1', 2n, 'c', 9),
    entry('a3', 1n, 'a', 3),
    entry('a2', 1n, 'a', 2),
    entry('a1', 1n, 'a', 1),
    entry('b1', 1n, 'b', 4),
  ])
  t.same(Object.fromEntries(rounds), { a1: 0, b1: 1, a2: 2, a3: 3, c1: 0 })
  t.end()
})

t.test('an entry keeps its round while older ones leave, for ten minutes', (t) => {
  let now = 0
  const order = new FairOrder(() => now)
  const entries = [1, 2, 3].map((time): Waiting => {
    return { key: `k${time}`, domain: 1n, account: 'a', time, number: 0n }
  })
  t.equal(order.rounds(entries).get('k3'), 2)
  now = 600_000
  t.equal(order.rounds(entries.slice(2)).get('k3'), 2)
  now = 600_001
  t.equal(order.rounds(entries.slice(2)).get('k3'), 0)
  t.end()
})

t.test('many burns to one account do not hide later ones, and pages list each burn once', async (t) => {
  const scene = await openScene(t)
  await burnTo(scene, Array<string>(12).fill('nobody'))
  await burnTo(scene, ['carol', 'dave', 'carol'], 20)
  await scene.add({ ago: MINUTE, block: PROVED }, ...provenBurn(30, '1'))
  const api = await bridgeApi(t, scene)
  const first = await ask(api, '?limit=5')
  t.same(keys(first.pending), ['w:30', 'w:1', 'w:20', 'w:21', 'w:2'])
  const all = keys((await ask(api)).pending)
  t.equal(all.length, 16)
  t.same((await pages(api, 'pending', 'limit=5')).flat(), all, 'pages are parts of the whole')
  t.equal((await ask(api)).next.pending, null)
  t.same(keys((await ask(api, '?limit=16')).pending), all)
  t.equal((await ask(api, '?limit=16')).next.pending, null, 'a full last page is the last one')
  t.same((await pages(api, 'pending', `domain=1&limit=1`)).flat(), ['w:30'])
})

t.test('a client that does the work of a page before it reads the next one misses no entry', async (t) => {
  const scene = await openScene(t)
  await burnTo(scene, Array<string>(9).fill('carol'))
  const api = await bridgeApi(t, scene)
  let done = 0
  let block = 0
  const found = await pages(api, 'pending', 'limit=3', async () => {
    for (const id of [1, 2, 3].map((one) => one + 3 * done))
      await scene.add({ ago: 1000, block: LIB + 1 }, ['withdrawal_events', { chain: 'wax', id, type: 'paid' }])
    done++
    await scene.run(`update meta.position set block_id = repeat($1, 32) where chain = 'wax'`, `1${block++}`)
  })
  t.same(found, [
    ['w:1', 'w:2', 'w:3'],
    ['w:4', 'w:5', 'w:6'],
    ['w:7', 'w:8', 'w:9'],
  ])
  t.same((await ask(api)).pending, [])
})

t.test('entries that cannot succeed come last, with the reason', async (t) => {
  const scene = await openScene(t)
  await burnTo(scene, ['nobody', 'No-Name', 'carol', 'nobody', 'dave'])
  // Burned hours ago while a burn of an hour ago is already paid: it must have been refused.
  await scene.add({ ago: 9 * HOUR, block: PROVED }, ...provenBurn(10, WAX, account('erin')))
  await scene.add({ ago: 6 * HOUR, block: PROVED }, ...provenBurn(11, WAX, account('frank')))
  await scene.add({ ago: MINUTE }, ['withdrawal_events', { chain: 'wax', id: 11, type: 'paid' }])
  // The vault's allowance is 40; the second withdrawal exceeds it.
  await scene.add({ ago: 8 * HOUR, block: PROVED }, ...provenBurn(12, '1', { amount: 41_000_000 }))
  await scene.add({ ago: 7 * HOUR, block: PROVED }, ...provenBurn(13, '1', { amount: 1_000_000 }))
  const change = (type: string, details: object) =>
    scene.add({ ago: 2 * HOUR }, [
      'vault_changes',
      { chain: 'mainnet', contract: raw(VAULT), log_index: 0, type, token: raw(USDC), details },
    ])
  await change('AssetSet', { token: USDC, scale: '1', cap: '55000000000', enabled: true, minDeposit: '1' })
  await change('LimitSet', { token: USDC, perPeriod: '40000000' })
  const api = await bridgeApi(t, scene, { pending: { nodes: new Map([['wax', await nodeWithoutNobody(t)]]) } })
  t.same(await obstaclesWith(api, 'pending', 3), [
    ['w:13', null],
    ['w:3', null],
    ['w:5', null],
    ['w:12', 'allowance'],
    ['w:10', 'overtaken'],
    ['w:1', 'no_account'],
    ['w:2', 'no_account'],
    ['w:4', 'no_account'],
  ])
})

t.test('burns that their contracts reject come after younger burns, once a younger one was released', async (t) => {
  const scene = await openScene(t)
  const rejecting = (id: number) => ({ recipient: Buffer.alloc(20, id), amount: 1_000_000 })
  for (const id of [1, 2, 3])
    await scene.add({ ago: 9 * HOUR - id, block: PROVED }, ...provenBurn(id, '1', rejecting(id)))
  await scene.add({ ago: 8 * HOUR, block: PROVED }, ...provenBurn(4, '1', { deadline: NOW / 1000 - 1 }))
  await scene.add({ ago: 6 * HOUR + 9 * MINUTE, block: PROVED }, ...provenBurn(5, '1', { recipient: text('five') }))
  await scene.add({ ago: 6 * HOUR, block: PROVED }, ...provenBurn(6, '1'))
  await scene.add({ ago: HOUR, block: PROVED }, ...provenBurn(7, '1'))
  await burnTo(scene, ['carol'], 20)
  const api = await bridgeApi(t, scene)
  const obstacles = async () => (await ask(api)).pending.map(({ key, obstacle }: Any) => `${key} ${obstacle}`)
  const before = await obstacles()
  t.same(
    before.filter((one: string) => !one.endsWith(' null')),
    [],
    'nothing was released yet',
  )
  await scene.add({ ago: MINUTE, block: LIB + 1 }, outcome('released', 6))
  await scene.run(`update meta.position set block_id = repeat('0b', 32) where chain = 'mainnet'`)
  const first = ['w:20 null', 'w:4 null', 'w:5 null', 'w:7 null']
  t.same(await obstacles(), [...first, 'w:1 overtaken', 'w:2 overtaken', 'w:3 overtaken'])
})

t.test('deposits to an account that does not exist come last, until they may be sent back', async (t) => {
  const scene = await openScene(t)
  await scene.add({ ago: 9 * HOUR }, vaultDeposit(3, { telos_to: 'nobody' }))
  await scene.add({ ago: 8 * HOUR }, vaultDeposit(4, { telos_to: 'No-Name' }))
  await scene.add({ ago: 7 * HOUR }, vaultDeposit(5))
  const parked = (nonce: number) => arrival('parked', '1', nonce, { account: 'nobody', memo: text('x') })
  await scene.add({ ago: MINUTE }, parked(1))
  await scene.add({ ago: 2 * HOUR }, parked(2))
  const api = await bridgeApi(t, scene, { pending: { nodes: new Map([['telos', await nodeWithoutNobody(t)]]) } })
  t.same(await obstaclesWith(api, 'deposits', 3), [
    ['d:1:5', null],
    ['d:1:2', null],
    ['d:1:3', 'no_account'],
    ['d:1:4', 'no_account'],
    ['d:1:1', 'no_account'],
  ])
})

t.test('filters: kind, domain, action, key', async (t) => {
  const scene = await openScene(t)
  await burnTo(scene, ['carol'])
  await scene.add({ ago: HOUR, block: PROVED }, ...provenBurn(2, '1'))
  await scene.add({ ago: HOUR, block: PROVED }, ...provenBurn(3, '1', { deadline: NOW / 1000 - 1 }))
  await scene.add({ ago: HOUR }, vaultDeposit(2))
  await scene.add({ ago: HOUR }, deplog(3))
  await scene.add({ ago: 2 * HOUR }, arrival('parked', '1', 5, { memo: text('x'), refund_to: raw(ADDRESS) }))
  const api = await bridgeApi(t, scene)
  const counts = async (query: string) => {
    const { pending, deposits, settlements, hops } = await ask(api, query)
    return [pending, deposits, settlements, hops].map((list) => keys(list).sort().join(' '))
  }
  const wax = `d:${WAX}:3`
  t.same(await counts(''), ['w:1 w:2 w:3', [wax, 'd:1:2', 'd:1:5'].sort().join(' '), '', ''])
  t.same(await counts('?kind=withdrawal'), ['w:1 w:2 w:3', '', '', ''])
  t.same(await counts('?kind=deposit'), ['', [wax, 'd:1:2', 'd:1:5'].sort().join(' '), '', ''])
  t.same(await counts(`?domain=${WAX}`), ['w:1', wax, '', ''])
  t.same(await counts('?action=expire'), ['w:3', '', '', ''])
  t.same(await counts('?action=bounce'), ['', 'd:1:5', '', ''])
  t.same(await counts('?action=release&domain=1'), ['w:2', '', '', ''])
  t.same(await counts('?key=d:1:5'), ['', 'd:1:5', '', ''])
  for (const wrong of ['kind=x', 'domain=x', 'action=x', 'cursor=x', 'limit=1001', 'kind=hop&cursor=deposit.0.1.1'])
    t.equal((await api.get(`${BASE}/pending?${wrong}`)).status, 400, wrong)
})

t.test('deposits, settlements and journeys have pages too', async (t) => {
  const scene = await openScene(t)
  for (const nonce of [1, 2, 3]) await scene.add({ ago: 3 * HOUR - nonce }, vaultDeposit(nonce, { telos_to: 'nobody' }))
  await scene.add({ ago: HOUR }, vaultDeposit(4))
  for (const id of [1, 2, 3, 4]) {
    await scene.run(
      `insert into state.wdraws values ('telos', $1, 1, $3, 4000000, 'USDC', 6, $2, 2000000000, 0, 0)`,
      ...[id, raw(ADDRESS), id === 4 ? 'dave' : 'alice'],
    )
    await scene.add({ ago: 2 * HOUR - id, block: PROVED }, ...provenBurn(id, '1'))
    await scene.add({ ago: HOUR }, outcome('released', id))
  }
  for (const id of [11, 12, 13]) {
    await scene.add({ ago: 9 * HOUR }, arrival('parked', '1', 10 + id, { account: 'hop.svc', memo: TO_WAX }))
    await scene.add(
      { ago: 8 * HOUR - id },
      arrival('forwarded', '1', 10 + id, { account: 'hop.svc' }),
      burn(id, WAX),
      hoplog(id, ['1', 10 + id], WAX, id, { back: id === 13 ? '0xbb' : ADDRESS }),
    )
    await scene.add({ ago: 1000 }, withdrawalEvent('settled', id, { released: false }))
    await scene.add(
      { ago: 1000 },
      withdrawalEvent('refunded', id, { account: 'hop.svc', amount: 5_000_000, symbol: 'USDC', decimals: 6 }),
    )
  }
  const api = await bridgeApi(t, scene)
  t.same(await pages(api, 'deposits', 'limit=2'), [
    ['d:1:1', 'd:1:4'],
    ['d:1:2', 'd:1:3'],
  ])
  t.same(await pages(api, 'settlements', 'limit=3&kind=settlement'), [['w:1', 'w:4', 'w:2'], ['w:3']])
  t.same(await pages(api, 'hops', 'limit=2'), [['d:1:21', 'd:1:23'], ['d:1:22']])
})

t.test('a thousand burns to an account that does not exist', { skip: !process.env.HEADWATER_TEST_LONG }, async (t) => {
  const scene = await openScene(t)
  await burnTo(scene, Array<string>(5000).fill('nobody'))
  await burnTo(scene, ['carol', 'dave'], 6000)
  const api = await bridgeApi(t, scene)
  const started = performance.now()
  const { pending } = await ask(api)
  t.comment(`${Math.round(performance.now() - started)} ms`)
  t.equal(pending.length, 1000)
  t.same(keys(pending).slice(0, 3), ['w:1', 'w:6000', 'w:6001'])
  const all = (await pages(api, 'pending', 'kind=withdrawal')).flat()
  t.equal(new Set(all).size, 5002)
  t.equal(all.length, 5002)
})
