import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { itemAt } from '../../../core/required.ts'
import { indexChain } from '../../../indexer/run.ts'
import { actionsOf, timeOf as parseTime, rowOf } from '../../../indexer/source/hyperion/content.ts'
import type { HyperionOptions } from '../../../indexer/source/hyperion/options.ts'
import { HyperionSource } from '../../../indexer/source/hyperion/source.ts'
import type { StartPosition, UnpackedBlock } from '../../../indexer/source/source.ts'
import { testDatabase } from '../../support/database.ts'
import { type Document, HyperionServer, idOf, timeOf } from '../../support/hyperion-server.ts'
import { until } from '../../support/until.ts'

const quick = { settleMs: 300, pollMs: 20, marginBlocks: 2, connectMs: 4000, backoffMs: [5, 40] as const }
console.log = () => {} // the client writes its state there

async function serve(t: Test): Promise<HyperionServer> {
  const server = await HyperionServer.start()
  t.teardown(() => server.stop())
  return server
}

function sourceOf(server: HyperionServer, options: Partial<HyperionOptions> = {}): HyperionSource {
  return new HyperionSource({
    endpoint: server.url,
    chain: 'wax',
    actions: ['swap.svc'],
    tables: ['swap.svc'],
    ...quick,
    ...options,
  })
}

const action = (num: number, sequence: number, data: object = {}, more: object = {}): Document => ({
  '@timestamp': timeOf(num),
  block_num: num,
  block_id: idOf(num),
  producer: 'producer1',
  trx_id: 'ee'.repeat(32),
  global_sequence: sequence,
  act: { account: 'swap.svc', name: 'logswap', authorization: [], data },
  ...more,
})

const row = (num: number, key: string, data: object, more: object = {}): Document => ({
  '@timestamp': timeOf(num),
  block_num: num,
  block_id: idOf(num),
  code: 'swap.svc',
  scope: 'swap.svc',
  table: 'pools',
  primary_key: key,
  payer: 'swap.svc',
  present: 1,
  data,
  ...more,
})

async function all(source: HyperionSource, start: StartPosition, each?: (block: UnpackedBlock) => void) {
  const blocks: UnpackedBlock[] = []
  const stop = AbortSignal.timeout(240_000)
  for await (const block of source.blocks(start, stop)) {
    blocks.push(block)
    each?.(block)
  }
  return blocks
}

const linked = (blocks: UnpackedBlock[]) =>
  blocks.every((block, index) => index === 0 || block.prevId === itemAt(blocks, index - 1).id)

t.test('actions and rows of several requests become blocks by number, empty ones included', async (t) => {
  const server = await serve(t)
  server.advance(200, 190)
  for (let num = 10; num <= 150; num += 10) server.actions.push(action(num, num * 10 + 1), action(num, num * 10))
  for (let num = 15; num <= 150; num += 15) server.rows.push(row(num, '7', { id: 7, n: num }))
  const blocks = await all(sourceOf(server), { from: 5, have: [], to: 120 })
  t.same(
    blocks.map((block) => block.num),
    Array.from({ length: 116 }, (_, index) => index + 5),
  )
  t.ok(linked(blocks))
  const at = (num: number) => itemAt(blocks, num - 5)
  t.equal(at(60).id, idOf(60))
  t.same(
    at(60).actions.map(({ globalSeq, receiver, name }) => [globalSeq, receiver, name]),
    [
      [600n, 'swap.svc', 'logswap'],
      [601n, 'swap.svc', 'logswap'],
    ],
  )
  t.match(at(60).rows, [{ code: 'swap.svc', table: 'pools', primaryKey: '7', present: true, data: { n: 60 } }])
  t.same([at(61).actions, at(61).rows], [[], []])
  t.equal(at(60).time, Date.UTC(2026, 0, 1) + 30_000)
  t.equal(at(61).time, Date.UTC(2026, 0, 1) + 30_500)
  t.equal(at(60).producer, 'producer1')
  t.same([at(60).head.num, at(60).lib.num], [200, 190])
  t.ok(server.requests.every((request) => request.start_from === 5))
})

t.test('a process that stalls for longer than the settling time loses no rows', async (t) => {
  const server = await serve(t)
  server.advance(200, 190)
  for (let num = 10; num <= 150; num += 10) server.rows.push(row(num, '7', { n: num }))
  server.batchMs = 50
  // The second request reads rows; by then it has been answered without any row.
  server.onAnswered = () => {
    if (server.requests.length === 2) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  }
  const blocks = await all(sourceOf(server, { settleMs: 200 }), { from: 5, have: [], to: 120 })
  t.equal(blocks.flatMap(({ rows }) => rows).length, 12)
})

t.test('blocks of the history are yielded only up to the position of the slowest request', async (t) => {
  const server = await serve(t)
  server.advance(50, 40)
  for (let num = 2; num <= 48; num++) server.actions.push(action(num, num))
  server.rows.push(row(30, '1', {}))
  const blocks = await all(sourceOf(server), { from: 2, have: [], to: 48 })
  t.equal(blocks.length, 47)
  t.equal(itemAt(blocks, 28).rows.length, 1, 'the row that came in another request is in its block')
})

t.test('live blocks follow at a margin below the head, linked to the stored block', async (t) => {
  const server = await serve(t)
  server.advance(10, 8)
  const have = [{ num: 8, id: idOf(8, 'bb') }]
  let head = 10
  const timer = setInterval(() => {
    head++
    server.live('action', action(head, head))
    server.advance(head, head - 2)
  }, 15)
  t.teardown(() => clearInterval(timer))
  const blocks = await all(sourceOf(server), { from: 9, have, to: 30 })
  t.equal(itemAt(blocks, 0).prevId, itemAt(have, 0).id)
  t.ok(linked(blocks))
  t.ok(blocks.every((block) => block.num <= block.head.num - 2))
  t.same(
    blocks.filter((block) => block.num > 10).map((block) => block.actions.length),
    Array.from({ length: 20 }, () => 1),
  )
})

t.test('live blocks between connecting and requesting do not shorten the history', async (t) => {
  const server = await serve(t)
  server.advance(20, 8)
  server.actions.push(action(12, 12))
  server.onConnected = () => {
    server.live('action', action(21, 21))
    server.advance(21, 8)
  }
  const blocks = await all(sourceOf(server), { from: 9, have: [], to: 15 })
  t.same(
    server.requests.map((request) => request.start_from),
    [9, 9],
  )
  t.equal(blocks[3]?.actions.length, 1)
})

t.test('a fork event yields the replaced blocks again', async (t) => {
  const server = await serve(t)
  server.advance(20, 5)
  for (const num of [12, 14, 16]) server.actions.push(action(num, num, { branch: 'old' }))
  let forked = false
  const blocks = await all(sourceOf(server), { from: 6, have: [{ num: 5, id: idOf(5) }], to: 22 }, (block) => {
    if (block.num !== 18 || forked) return
    forked = true
    server.fork(13, idOf(13, 'cc'))
    server.live('action', action(14, 14, { branch: 'new' }, { block_id: idOf(14, 'cc') }))
    server.advance(26, 5)
  })
  const back = blocks.findIndex((block, index) => index > 0 && block.num <= itemAt(blocks, index - 1).num)
  const [before, after] = [blocks.slice(0, back), blocks.slice(back)]
  t.equal(itemAt(after, 0).num, 13)
  t.equal(itemAt(after, 0).prevId, itemAt(before, 12 - 6).id)
  t.ok(linked(before) && linked(after))
  t.notOk(
    after.some((block) => before.some((old) => old.id === block.id)),
    'no id comes back',
  )
  t.same(
    after.filter((block) => block.actions.length > 0).map((block) => [block.num, itemAt(block.actions, 0).data]),
    [[14, { branch: 'new' }]],
  )
})

t.test('after a lost connection the stream continues without gaps or repeats', async (t) => {
  const server = await serve(t)
  server.advance(100, 90)
  for (let num = 2; num <= 98; num++) server.actions.push(action(num, num))
  for (let num = 3; num <= 98; num += 5) server.rows.push(row(num, '1', { num }))
  const source = sourceOf(server)
  let cuts = 0
  const blocks = await all(source, { from: 2, have: [], to: 98 }, (block) => {
    if ((block.num === 30 || block.num === 60) && cuts++ < 2) server.cut()
  })
  t.same(
    blocks.map((block) => [block.num, block.actions.length]),
    Array.from({ length: 97 }, (_, index) => [index + 2, 1]),
  )
  t.ok(linked(blocks))
})

t.test('a live connection that is cut is opened again where the blocks stand', async (t) => {
  const server = await serve(t)
  server.advance(20, 15)
  const source = sourceOf(server)
  let cut = false
  const blocks = await all(source, { from: 10, have: [], to: 30 }, (block) => {
    if (block.num !== 18 || cut) return
    cut = true
    server.cut()
    server.actions.push(action(25, 25))
    const asked = server.requests.length
    void until('it is connected again', () => server.requests.length > asked).then(() => server.advance(40, 35))
  })
  t.ok((source.stats.anomalies.get('HYPERION_CONNECTION') ?? 0) >= 1)
  t.equal(source.stats.reconnects >= 1, true)
  t.equal(blocks.find((block) => block.num === 25)?.actions.length, 1)
  t.same([...new Set(server.requests.map((request) => request.start_from))], [10, 16], 'from the irreversible block on')
  t.ok(linked(blocks), 'what is as it was does not come again')
})

t.test('a fork while the connection is cut replaces the losing blocks', async (t) => {
  const server = await serve(t)
  server.advance(20, 11)
  for (const num of [12, 14, 16]) server.actions.push(action(num, num, { branch: 'old' }))
  let forked = false
  const blocks = await all(sourceOf(server), { from: 8, have: [], to: 24 }, (block) => {
    if (block.num !== 18 || forked) return
    forked = true
    server.cut()
    server.fork(13, idOf(13, 'cc'))
    server.actions.push(action(15, 15, { branch: 'new' }, { block_id: idOf(15, 'cc') }))
    server.advance(30, 22)
  })
  const back = blocks.findIndex((block, index) => index > 0 && block.num <= itemAt(blocks, index - 1).num)
  const [before, after] = [blocks.slice(0, back), blocks.slice(back)]
  t.same(
    [before.at(-1)?.num, itemAt(after, 0).num, after.at(-1)?.num],
    [18, 14, 24],
    'block 12 stays, block 14 is another one',
  )
  t.equal(itemAt(after, 0).prevId, itemAt(before, 13 - 8).id)
  t.ok(linked(before) && linked(after))
  t.same(
    after.filter((block) => block.actions.length > 0).map((block) => [block.num, itemAt(block.actions, 0).data]),
    [[15, { branch: 'new' }]],
  )
})

t.test('a restart detects which stored reversible blocks were replaced', async (t) => {
  const server = await serve(t)
  server.advance(30, 12)
  for (const num of [13, 15, 17]) server.actions.push(action(num, num))
  const held = await all(sourceOf(server), { from: 13, have: [], to: 18 })
  const have = held.map(({ num, id }) => ({ num, id }))
  const same = await all(sourceOf(server), { from: 19, have, lib: 12, to: 20 })
  t.same(
    same.map((block) => [block.num, block.prevId]),
    [
      [19, itemAt(held, 5).id],
      [20, itemAt(same, 0).id],
    ],
  )
  server.fork(13, idOf(13, 'cc'))
  server.advance(40, 35)
  const others = await all(sourceOf(server), { from: 19, have, lib: 12, to: 20 })
  t.same(
    others.map((block) => [block.num, block.actions.length]),
    [13, 14, 15, 16, 17, 18, 19, 20].map((num) => [num, 0]),
    'also the first one that is held',
  )
  t.ok(linked(others))
  const final = await all(sourceOf(server), { from: 19, have: have.slice(3), to: 20 })
  t.same(
    final.map((block) => block.num),
    [17, 18, 19, 20],
    'the oldest one held is irreversible when nothing else is said',
  )
})

t.test('without ids from the server, blocks are compared by their content', async (t) => {
  const server = await serve(t)
  server.advance(30, 9)
  const nameless = (num: number, data: object) => action(num, num, data, { block_id: undefined })
  server.actions.push(nameless(12, { n: 1 }), nameless(14, { n: 1 }))
  const held = await all(sourceOf(server), { from: 10, have: [], to: 15 })
  const have = held.map(({ num, id }) => ({ num, id }))
  t.same((await all(sourceOf(server), { from: 16, have, lib: 9, to: 16 })).length, 1)
  server.fork(14, idOf(14, 'cc'))
  server.actions.push(nameless(14, { n: 2 }))
  const others = await all(sourceOf(server), { from: 16, have, lib: 9, to: 16 })
  t.same(
    others.map((block) => block.num),
    [14, 15, 16],
  )
})

t.test('late data replace their block while it is reversible, and are an error once it is irreversible', async (t) => {
  const server = await serve(t)
  server.advance(30, 12)
  let late = false
  const source = sourceOf(server)
  const untilLate = async () => {
    while (!source.stats.anomalies.has('HYPERION_LATE')) await delay(5)
  }
  const blocks = await all(source, { from: 10, have: [], to: 34 }, (block) => {
    if (block.num !== 25 || late) return
    late = true
    server.live('action', action(22, 22))
    void untilLate().then(() => server.advance(40, 12))
  })
  t.equal(source.stats.anomalies.get('HYPERION_LATE'), 1)
  const versions = blocks.filter((block) => block.num === 22)
  t.same(
    versions.map((block) => block.actions.length),
    [0, 1],
  )
  t.equal(itemAt(blocks, -1).num, 34)

  const irreversible = await serve(t)
  irreversible.advance(30, 28)
  const failing = all(sourceOf(irreversible), { from: 10, have: [], to: 40 }, (block) => {
    if (block.num === 25) irreversible.live('action', action(22, 22))
  })
  await t.rejects(failing, { code: 'HYPERION_LATE', message: /wax: data of block 22 .* irreversible/ })
})

t.test('another chain is refused', async (t) => {
  const server = await serve(t)
  server.advance(30, 28)
  const refused = all(sourceOf(server, { chainId: 'aa'.repeat(32) }), { from: 10, have: [], to: 12 })
  await t.rejects(refused, { code: 'OTHER_CHAIN', message: /c4c4.*aaaa/ })
  t.equal(server.connections, 0)
})

t.test('without a configured id, the first chain id is stored and enforced', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['wax'] })
  const server = await serve(t)
  server.advance(40, 38)
  const index = (endBlock: number) =>
    indexChain({
      ...{ chain: 'wax', databaseUrl: url, source: sourceOf(server), chainId: null, systemAccount: 'eosio' },
      ...{ accounts: { amm: 'swap.svc' }, tokenContracts: '*', startBlock: 10, endBlock },
      events: { opened() {}, committed() {}, forked() {}, decoded() {}, retrying() {} },
      signal: AbortSignal.timeout(240_000),
    })
  t.equal((await index(12))?.num, 12)
  t.same((await pool.query('select chain_id from meta.position')).rows, [{ chain_id: 'c4'.repeat(32) }])
  server.chainId = 'aa'.repeat(32)
  await t.rejects(index(14), { code: 'OTHER_CHAIN' })

  server.chainId = 'c4'.repeat(32)
  const changed = all(sourceOf(server), { from: 13, have: [] }, () => {
    server.chainId = 'aa'.repeat(32)
  })
  await t.rejects(changed, { code: 'OTHER_CHAIN', message: /aaaa.*c4c4/ }, 'while it runs too')
})

t.test('refused requests and a server that is down are counted and tried again', async (t) => {
  const server = await serve(t)
  server.advance(30, 28)
  server.refuse = 'INVALID_CONTRACT'
  const details: string[] = []
  const source = sourceOf(server, {
    onAnomaly(kind, detail) {
      details.push(`${kind} ${detail}`)
      server.refuse = undefined
    },
  })
  t.equal((await all(source, { from: 10, have: [], to: 20 })).length, 11)
  t.match(details[0], /^HYPERION_CONNECTION wax: .* a request is refused: INVALID_CONTRACT/)

  const down = new HyperionSource({ endpoint: 'http://127.0.0.1:9', actions: [], tables: [], ...quick })
  const stop = new AbortController()
  const isTriedAgain = () => (down.stats.anomalies.get('HYPERION_CONNECTION') ?? 0) >= 2
  void until('two attempts', isTriedAgain).then(() => stop.abort())
  for await (const _ of down.blocks({ from: 1, have: [] }, stop.signal)) t.fail('no block can come')
  t.ok((down.stats.anomalies.get('HYPERION_CONNECTION') ?? 0) >= 2)
})

t.test('the queue is bounded: data beyond the limit are requested again', async (t) => {
  const server = await serve(t)
  server.advance(100, 90)
  for (let num = 5; num <= 98; num++) server.actions.push(action(num, num * 2), action(num, num * 2 + 1))
  for (let num = 10; num <= 98; num += 10) server.rows.push(row(num, '1', { num }))
  const source = sourceOf(server, { maxQueued: 50 })
  const blocks = await all(source, { from: 2, have: [], to: 98 })
  t.same(
    blocks.map((block) => [block.num, block.actions.length, block.rows.length]),
    Array.from({ length: 97 }, (_, index) => {
      const num = index + 2
      return [num, num < 5 ? 0 : 2, num % 10 === 0 ? 1 : 0]
    }),
  )
  t.ok(linked(blocks))
  t.ok(source.stats.reconnects >= 1)
})

t.test('the forms of different server versions are read alike', async (t) => {
  const notified = action(
    5,
    50,
    {},
    {
      receipts: [
        { receiver: 'swap.svc', global_sequence: '9007199254740993' },
        { receiver: 'alice', global_sequence: 52 },
      ],
    },
  )
  t.same(
    actionsOf(notified as never).map(({ receiver, globalSeq }) => [receiver, globalSeq]),
    [
      ['swap.svc', 9007199254740993n],
      ['alice', 52n],
    ],
  )
  for (const [present, expected] of [
    [0, false],
    [false, false],
    [1, true],
    [2, true],
    [true, true],
    [undefined, true],
  ]) {
    t.equal(rowOf(row(5, '1', {}, { present }) as never).present, expected)
  }
  t.equal(parseTime('2026-01-01T00:00:00.500'), Date.UTC(2026, 0, 1, 0, 0, 0, 500))
  t.equal(parseTime('2026-01-01T00:00:00.500Z'), Date.UTC(2026, 0, 1, 0, 0, 0, 500))
  t.equal(parseTime('2026-01-01T02:00:00+02:00'), Date.UTC(2026, 0, 1))
  t.equal(parseTime(undefined), null)
})
