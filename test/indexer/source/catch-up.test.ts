// Several sessions far from the head and one session near it, against a scripted node.
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { itemAt } from '../../../core/required.ts'
import type { BlockRange } from '../../../indexer/source/ranges.ts'
import { CatchUpSource } from '../../../indexer/source/ship/catch-up.ts'
import type { ShipOptions } from '../../../indexer/source/ship/options.ts'
import type { PackedBlock, StartPosition } from '../../../indexer/source/source.ts'
import { from, ids, never, position, serve, sourceOf } from '../../support/ship-client.ts'
import type { ReceivedRequest, ShipScript } from '../../support/ship-server.ts'
import { branchOf, GENESIS, withLib } from '../../support/synthetic-chain.ts'

const LIVE = 0xffffffff
const QUEUE_BYTES = 1 << 20

/** Blocks 2 to 3001, of which those up to 2981 are irreversible. */
const chain = withLib(branchOf(GENESIS, 3000), itemAt(branchOf(GENESIS, 2980), 2979))
const head = position(itemAt(chain, 2999))
const lib = position(itemAt(chain, 2979))

const wanted = (blocks: PackedBlock[], { start, end }: ReceivedRequest) =>
  from(blocks, start).filter((step) => (step as PackedBlock).num < end)

function nodeOf(blocks: PackedBlock[], script: Partial<ShipScript> = {}): ShipScript {
  const range = { begin: 2, end: blocks.length + 2 }
  return {
    status: () => ({ head, lib, traces: range, deltas: range }),
    blocks: (request) => wanted(blocks, request),
    ...script,
  }
}

function catchUp(servers: { url: string }[], sessions: number, options: Partial<ShipOptions> = {}) {
  const ship = sourceOf(servers, { maxQueueBytes: QUEUE_BYTES, ...options })
  const ranges: BlockRange[] = []
  const onCatchUp = (range: BlockRange) => ranges.push(range)
  return { source: new CatchUpSource(ship, { sessions, queueBytes: QUEUE_BYTES, onCatchUp }), ranges }
}

/** Reads blocks up to number `last`. */
async function upTo(source: CatchUpSource, start: StartPosition, last: number): Promise<PackedBlock[]> {
  const blocks: PackedBlock[] = []
  for await (const block of source.blocks(start, never)) {
    blocks.push(block)
    if (block.num >= last) break
  }
  return blocks
}

/** Asserts that the ranges of finite requests are consecutive and cover these blocks. */
function covers(t: Test, requests: readonly ReceivedRequest[], first: number, last: number): void {
  const ranges = requests.filter(({ end }) => end !== LIVE).sort((a, b) => a.start - b.start)
  t.equal(ranges[0]?.start, first)
  for (const [index, range] of ranges.entries()) t.equal(range.end, ranges[index + 1]?.start ?? last + 1)
}

t.test('far from the head, sessions read ranges in parallel; near it one continues live', async (t) => {
  let open = 0
  let most = 0
  const server = await serve(
    t,
    nodeOf(chain, {
      async *blocks(request) {
        open++
        most = Math.max(most, open)
        await delay(5)
        yield* wanted(chain, request)
        open--
      },
    }),
  )
  const { source, ranges } = catchUp([server], 4)
  const blocks = await upTo(source, { from: 2, have: [] }, 3001)
  t.same(ids(blocks), ids(chain))
  t.same(ranges, [{ from: 2, to: 2981 }])
  t.equal(most, 4, 'sessions at the same time')
  covers(t, server.requests, 2, 2981)
  const live = server.requests.filter(({ end }) => end === LIVE)
  t.same(
    live.map(({ start, have }) => [start, have]),
    [[2982, [lib]]],
    'one session continues after the last irreversible block',
  )
  t.same([...source.stats.anomalies], [])
  t.equal(source.stats.reconnects, 0)
  t.equal(source.stats.queueBytes, 0, 'every session has let go of its bytes')
})

t.test('near the head blocks are not read in ranges', async (t) => {
  const server = await serve(t, nodeOf(chain))
  const { source, ranges } = catchUp([server], 8)
  const have = [position(itemAt(chain, 2000))]
  t.same(ids(await upTo(source, { from: 2003, have }, 3001)), ids(chain.slice(2001)))
  t.same([ranges, server.requests.length, itemAt(server.requests, 0).end], [[], 1, LIVE])
})

t.test('the last block wanted is the last one read', async (t) => {
  const server = await serve(t, nodeOf(chain))
  const { source } = catchUp([server], 3)
  t.same(ids(await upTo(source, { from: 2, have: [], to: 2000 }, LIVE)), ids(chain.slice(0, 1999)))
  covers(t, server.requests, 2, 2000)
})

t.test('a fork below the blocks held is settled before ranges are read', async (t) => {
  const stale = branchOf(itemAt(chain, 97), 3, 'stale')
  const server = await serve(
    t,
    nodeOf(chain, {
      // A node starts at a lower block if it does not have the client's block.
      blocks: (request) => wanted(chain, { ...request, start: request.have.length > 1 ? 100 : request.start }),
    }),
  )
  const { source, ranges } = catchUp([server], 4)
  const have = [...chain.slice(95, 98), ...stale].map(position)
  const blocks = await upTo(source, { from: 103, have, lib: 97 }, 3001)
  t.same(ids(blocks), ids(chain.slice(98)), 'the branch replaces what was held from block 100 on')
  t.same(itemAt(server.requests, 0).have, have)
  t.same(ranges, [{ from: 101, to: 2981 }])
})

t.test('a node that is down at first is caught up with in parallel when it is back', async (t) => {
  const server = await serve(
    t,
    nodeOf(chain, {
      status: (nth) =>
        nth < 3 ? null : { head, lib, traces: { begin: 2, end: 3002 }, deltas: { begin: 2, end: 3002 } },
    }),
  )
  const { source, ranges } = catchUp([server], 4, { connectMs: 60 })
  t.same(ids(await upTo(source, { from: 2, have: [] }, 3001)), ids(chain))
  t.same(ranges, [{ from: 3, to: 2981 }])
  t.ok((source.stats.anomalies.get('SHIP_CONNECTION') ?? 0) >= 2)
})

t.test('sessions use the node that answers', async (t) => {
  const server = await serve(t, nodeOf(chain))
  const { source } = catchUp([{ url: 'ws://127.0.0.1:1' }, server], 4)
  t.same(ids(await upTo(source, { from: 2, have: [] }, 3001)), ids(chain))
  const failed = source.stats.anomalies.get('SHIP_CONNECTION') ?? 0
  t.ok(failed <= 4, `${failed} attempts at the other one, ${server.requests.length} ranges`)
})

t.test('a session that breaks continues where it stopped', async (t) => {
  const server = await serve(
    t,
    nodeOf(chain, {
      blocks: (request, nth) =>
        nth === 1 || nth === 5 ? [...wanted(chain, request).slice(0, 20), 'cut'] : wanted(chain, request),
    }),
  )
  const { source } = catchUp([server], 3)
  t.same(ids(await upTo(source, { from: 2, have: [] }, 3001)), ids(chain))
  t.equal(source.stats.reconnects, 2)
})

t.test('a range of another branch is refused', async (t) => {
  const other = withLib(branchOf(GENESIS, 3000, 'other'), itemAt(branchOf(GENESIS, 2980, 'other'), 2979))
  const server = await serve(t, nodeOf(chain, { blocks: (request, nth) => wanted(nth === 2 ? other : chain, request) }))
  const { source } = catchUp([server], 3)
  await t.rejects(upTo(source, { from: 2, have: [] }, 3001), { code: 'RANGE_SEAM', message: /does not continue/ })
  t.equal(source.stats.queueBytes, 0)
})

t.test('blocks read ahead stay within the byte limit of the sessions', async (t) => {
  const size = 20_000
  const big = withLib(branchOf(GENESIS, 2000, 'main', size), itemAt(branchOf(GENESIS, 2000, 'main', size), 1999))
  const range = { begin: 2, end: 2002 }
  const at = position(itemAt(big, 1999))
  const server = await serve(t, nodeOf(big, { status: () => ({ head: at, lib: at, traces: range, deltas: range }) }))
  const { source } = catchUp([server], 4)
  let taken = 0
  let most = 0
  for await (const _ of source.blocks({ from: 2, have: [], to: 2001 }, never)) {
    if (++taken % 50 === 0) await delay(10)
    most = Math.max(most, server.sent - taken * size)
  }
  t.equal(taken, 2000)
  const allowed = 4 * (QUEUE_BYTES + (1 << 20) + 10 * size)
  t.ok(most > QUEUE_BYTES && most <= allowed, `${most} of ${allowed} bytes ahead`)
  const longest = Math.max(...server.requests.map(({ start, end }) => end - start))
  t.equal(longest, 50, 'no range is longer than a session can hold')
})

t.test('a signal ends all sessions', async (t) => {
  const server = await serve(t, nodeOf(chain))
  const { source } = catchUp([server], 4)
  const stop = new AbortController()
  let taken = 0
  for await (const _ of source.blocks({ from: 2, have: [] }, stop.signal)) if (++taken === 300) stop.abort()
  t.ok(taken < 3000, `${taken} blocks`)
  t.equal(source.stats.queueBytes, 0)
})
