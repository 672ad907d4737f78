import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { itemAt } from '../../../core/required.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import type { PackedBlock } from '../../../indexer/source/source.ts'
import { all, from, ids, never, position, serve, sourceOf } from '../../support/ship-client.ts'
import { branchOf, childOf, GENESIS, withLib } from '../../support/synthetic-chain.ts'

for (const version of [0, 1] as const) {
  t.test(`version ${version}: requests the data that the node offers and yields its blocks`, async (t) => {
    const chain = branchOf(GENESIS, 300)
    const server = await serve(t, { version, blocks: ({ start }) => from(chain, start) })
    const source = sourceOf([server])
    const blocks = await all(source, { from: 5, have: [], to: 250 })
    t.same(blocks.map(position), chain.slice(3, 249).map(position))
    t.same(Buffer.from(itemAt(blocks, 7).traces), Buffer.from(itemAt(chain, 10).traces))
    t.same(itemAt(blocks, 0).prevId, itemAt(chain, 2).id)
    const { credits, ...request } = itemAt(server.requests, 0)
    t.ok(credits > 0)
    t.same(request, {
      version,
      start: 5,
      end: 251,
      have: [],
      irreversibleOnly: false,
      deltas: true,
      finality: version === 1,
    })
    t.same([...source.stats.anomalies], [])
    t.ok(source.stats.bytes > 0 && source.stats.frames >= 246)
    t.ok(source.abi?.includes('get_blocks_request_v0'))
  })
}

t.test('a node without state history yields blocks without deltas', async (t) => {
  const chain = branchOf(GENESIS, 3)
  const server = await serve(t, {
    status: () => ({ deltas: { begin: 0, end: 0 } }),
    blocks: ({ start }) => from(chain, start),
  })
  const blocks = await all(sourceOf([server]), { from: 2, have: [], to: 4 })
  t.equal(itemAt(server.requests, 0).deltas, false)
  t.ok(blocks.every((block) => block.deltas === null))
})

t.test('a node without table deltas does not replace one that has them', async (t) => {
  const chain = branchOf(GENESIS, 8)
  const off = { deltas: { begin: 0, end: 0 } }
  const full = await serve(t, {
    blocks: ({ start }, nth) => (nth === 0 ? [...chain.slice(0, 3), 'cut'] : from(chain, start)),
  })
  const bare = await serve(t, { status: () => off, blocks: ({ start }) => from(chain, start) })
  const source = sourceOf([full, bare])
  const blocks = await all(source, { from: 2, have: [], to: 9 })
  t.ok(blocks.length === 8 && blocks.every((block) => block.deltas !== null))
  t.equal(source.stats.anomalies.get('DELTAS_NOT_KEPT'), 1)
})

t.test('credits are renewed early, never above the maximum', async (t) => {
  const chain = branchOf(GENESIS, 2000)
  const server = await serve(t, { blocks: ({ start }) => from(chain, start) })
  await all(sourceOf([server], { maxCredits: 50 }), { from: 2, have: [], to: 2001 })
  t.ok(server.mostCredits <= 50, `${server.mostCredits} credits`)
  t.ok(server.mostCredits > 25)
  t.ok(server.acks < 2000, `${server.acks} acknowledgements`)
})

t.test('a slow consumer slows the node down: bytes stay within the budget', async (t) => {
  const size = 50_000
  const budget = 1_000_000
  const chain = branchOf(GENESIS, 300, 'main', size)
  const server = await serve(t, { blocks: ({ start }) => from(chain, start) })
  const source = sourceOf([server], { maxQueueBytes: budget })
  let most = 0
  let taken = 0
  for await (const _ of source.blocks({ from: 2, have: [], to: 301 }, never)) {
    taken++
    if (taken % 20 === 0) await delay(30)
    most = Math.max(most, source.stats.queueBytes)
    const ahead = server.sent - taken * size
    if (ahead > budget + 5 * size) t.fail(`the node is ${ahead} bytes ahead`)
  }
  t.equal(taken, 300)
  t.ok(most > budget / 4 && most <= budget + size + 65_536, `${most} bytes queued`)
})

t.test('one frame may exceed the budget, alone', async (t) => {
  const small = branchOf(GENESIS, 5, 'main', 100)
  const giant = childOf(itemAt(small, 4), 'main', 3_000_000)
  const rest = branchOf(giant, 5, 'main', 100)
  const chain = [...small, giant, ...rest]
  const server = await serve(t, { blocks: ({ start }) => from(chain, start) })
  const blocks = await all(sourceOf([server], { maxQueueBytes: 10_000 }), { from: 2, have: [], to: 12 })
  t.equal(itemAt(blocks, 5).traces.length, 3_000_000)
  t.equal(blocks.length, 11)
})

for (const end of ['close', 'cut', 'cut in frame'] as const) {
  t.test(`after a connection that ends (${end}) the stream continues where it stopped`, async (t) => {
    const chain = withLib(branchOf(GENESIS, 40), position(itemAt(branchOf(GENESIS, 5), 4)))
    const server = await serve(t, {
      blocks: ({ start }, nth) => (nth < 3 ? [...from(chain, start).slice(0, 10), end] : from(chain, start)),
    })
    const source = sourceOf([server])
    const blocks = await all(source, { from: 2, have: [], to: 41 })
    t.same(ids(blocks), ids(chain))
    t.equal(source.stats.reconnects, 3)
    t.equal(source.stats.anomalies.get('SHIP_CONNECTION'), 3)
    const third = itemAt(server.requests, 3)
    t.equal(third.start, 32)
    t.same(third.have, chain.slice(4, 30).map(position), 'the last irreversible block and all after it')
  })
}

t.test('a fork is yielded from its first differing block', async (t) => {
  const trunk = branchOf(GENESIS, 10)
  const lib = position(itemAt(trunk, 3))
  const left = branchOf(itemAt(trunk, 6), 5, 'left')
  const right = branchOf(itemAt(trunk, 5), 4, 'right')
  const sent = withLib([...trunk.slice(0, 7), ...left, ...right, ...branchOf(itemAt(right, 3), 3, 'right')], lib)
  const server = await serve(t, { blocks: () => sent })
  const blocks = await all(sourceOf([server]), { from: 2, have: [], to: 14 })
  t.same(ids(blocks), ids(sent))
})

t.test('the frames of a real node with twelve forks pass, in both versions', async (t) => {
  const recorded: PackedBlock[] = []
  const replay = new ReplaySource(new URL('../../fixtures/recordings/forks.ship.gz', import.meta.url).pathname)
  for await (const block of replay.blocks({ from: 0, have: [] }, never)) recorded.push(block)
  const abi = replay.abi ?? ''
  for (const version of [0, 1] as const) {
    const blocks = recorded.map((block) => (version === 1 ? block : { ...block, finality: null }))
    const offered = version === 1 ? abi : abi.replaceAll('_request_v1"', '_request_v9"')
    const server = await serve(t, { abi: offered, blocks: () => blocks })
    const source = sourceOf([server])
    let index = 0
    for await (const block of source.blocks({ from: 2, have: [], to: 350 }, never)) {
      const sent = itemAt(blocks, index++)
      if (block.id !== sent.id || block.lib.id !== sent.lib.id) t.fail(`frame ${index}`)
      if (Buffer.compare(block.deltas as Uint8Array, sent.deltas as Uint8Array) !== 0)
        t.fail(`deltas of frame ${index}`)
      if (version === 1 && (block.finality === null) !== (sent.finality === null)) t.fail(`finality of frame ${index}`)
    }
    t.equal(index, 455)
    t.same([...source.stats.anomalies], [])
    t.equal(itemAt(server.requests, 0).version, version)
  }
})

t.test('a branch that returns with its old ids is yielded again; a block sent twice is dropped', async (t) => {
  const trunk = branchOf(GENESIS, 5)
  const left = branchOf(itemAt(trunk, 4), 3, 'left')
  const right = branchOf(itemAt(trunk, 4), 3, 'right')
  const lib = position(itemAt(trunk, 2))
  const more = branchOf(itemAt(left, 2), 2, 'left')
  const sent = withLib(
    [...trunk, ...left, ...right, ...left, itemAt(left, 2), itemAt(left, 1), itemAt(left, 2), ...more],
    lib,
  )
  const server = await serve(t, { blocks: () => sent })
  const source = sourceOf([server])
  const blocks = await all(source, { from: 2, have: [], to: 11 })
  t.same(ids(blocks), ids([...trunk, ...left, ...right, ...left, ...more]))
  t.equal(source.stats.anomalies.get('SHIP_REPEAT'), 3)
})

t.test('a resumed start sends the stored blocks; the node may begin lower with a fork', async (t) => {
  const trunk = branchOf(GENESIS, 8)
  const orphan = branchOf(itemAt(trunk, 7), 3, 'orphan')
  const winner = withLib(branchOf(itemAt(trunk, 7), 5, 'winner'), position(itemAt(trunk, 6)))
  const server = await serve(t, { blocks: () => winner })
  const have = [...trunk.slice(6), ...orphan].map(position)
  const blocks = await all(sourceOf([server]), { from: 13, have, to: 14 })
  t.same(itemAt(server.requests, 0).have, have)
  t.equal(itemAt(server.requests, 0).start, 13)
  t.same(ids(blocks), ids(winner))
})
