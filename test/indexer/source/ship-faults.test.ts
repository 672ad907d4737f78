import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { itemAt } from '../../../core/required.ts'
import { probeNode } from '../../../indexer/source/ship/probe.ts'
import type { PackedBlock } from '../../../indexer/source/source.ts'
import { acceptOnly, all, from, ids, never, position, refusal, serve, sourceOf } from '../../support/ship-client.ts'
import type { Step } from '../../support/ship-server.ts'
import { branchOf, childOf, GENESIS, withLib } from '../../support/synthetic-chain.ts'

for (const gap of ['empty result', 'missing number', 'missing traces'] as const) {
  t.test(`a gap (${gap}) is requested again and never skipped`, async (t) => {
    const chain = branchOf(GENESIS, 20)
    const hole = (start: number): Step[] =>
      from(chain, start).flatMap((step): Step[] => {
        const block = step as PackedBlock
        if (block.num !== 9) return [block]
        if (gap === 'missing traces') return [{ ...block, traces: null as unknown as Uint8Array }]
        return gap === 'empty result' ? ['empty'] : []
      })
    const server = await serve(t, { blocks: ({ start }, nth) => (nth < 2 ? hole(start) : from(chain, start)) })
    const source = sourceOf([server])
    t.same(ids(await all(source, { from: 2, have: [], to: 21 })), ids(chain))
    t.equal(source.stats.anomalies.get('SHIP_GAP'), 2)
    t.same(
      server.requests.map(({ start, have }) => [start, have.at(-1)?.num]),
      [
        [2, undefined],
        [9, 8],
        [9, 8],
      ],
    )
  })
}

t.test('a block whose parent is unknown is not yielded', async (t) => {
  const chain = branchOf(GENESIS, 20)
  const seventh = itemAt(chain, 6)
  const wrong = { ...seventh, prevId: 'dd'.repeat(32), id: `${seventh.id.slice(0, 8)}${'dd'.repeat(28)}` }
  const server = await serve(t, {
    blocks: ({ start }, nth) => (nth === 0 ? [...chain.slice(0, 6), wrong, ...chain.slice(7)] : from(chain, start)),
  })
  const source = sourceOf([server])
  t.same(ids(await all(source, { from: 2, have: [], to: 21 })), ids(chain))
  t.equal(source.stats.anomalies.get('SHIP_UNLINKED'), 1)
})

t.test('a fork below the last irreversible block is not yielded', async (t) => {
  const chain = branchOf(GENESIS, 20)
  const other = branchOf(itemAt(chain, 3), 6, 'other')
  const server = await serve(t, {
    blocks: ({ start }, nth) => (nth === 0 ? [...chain.slice(0, 10), ...other] : from(chain, start)),
  })
  const source = sourceOf([server])
  t.same(ids(await all(source, { from: 2, have: [], to: 21 })), ids(chain))
  t.equal(source.stats.anomalies.get('SHIP_IRREVERSIBLE'), 1)
})

t.test('bytes that are not a message are counted, and the block is requested again', async (t) => {
  const chain = branchOf(GENESIS, 8)
  const noise: Step = { raw: Uint8Array.of(2, 1, 2, 3, 4, 5) }
  const server = await serve(t, {
    blocks: ({ start }, nth) => (nth === 0 ? [...chain.slice(0, 4), noise, ...chain.slice(4)] : from(chain, start)),
  })
  const source = sourceOf([server])
  t.same(ids(await all(source, { from: 2, have: [], to: 9 })), ids(chain))
  t.equal(source.stats.anomalies.get('SHIP_FRAME'), 1)
})

t.test('another chain is refused with both ids', async (t) => {
  const server = await serve(t, { blocks: () => [] })
  const error = await refusal(sourceOf([server], { chainId: 'aa'.repeat(32) }))
  t.equal(error.code, 'OTHER_CHAIN')
  t.match(error.message, 'aa'.repeat(32))
  t.match(error.message, 'c4'.repeat(32))
  t.equal(server.requests.length, 0)
})

t.test('a node that serves another chain after a reconnect is refused', async (t) => {
  const chain = branchOf(GENESIS, 8)
  const server = await serve(t, {
    status: (nth) => (nth === 0 ? {} : { chainId: 'bb'.repeat(32) }),
    blocks: () => [...chain.slice(0, 4), 'cut'],
  })
  t.equal((await refusal(sourceOf([server]))).code, 'OTHER_CHAIN')
})

t.test('a node of another chain among several is skipped', async (t) => {
  const chain = branchOf(GENESIS, 8)
  const wrong = await serve(t, { status: () => ({ chainId: 'bb'.repeat(32) }), blocks: () => [] })
  const right = await serve(t, { blocks: ({ start }) => from(chain, start) })
  const source = sourceOf([wrong, right], { chainId: 'c4'.repeat(32) })
  t.same(ids(await all(source, { from: 2, have: [], to: 9 })), ids(chain))
  t.equal(source.stats.anomalies.get('OTHER_CHAIN'), 1)
})

t.test('an old node that does not send its chain id is used, and counted', async (t) => {
  const chain = branchOf(GENESIS, 3)
  const server = await serve(t, {
    version: 0,
    status: () => ({ chainId: null }),
    blocks: ({ start }) => from(chain, start),
  })
  const source = sourceOf([server], { chainId: 'aa'.repeat(32) })
  t.equal((await all(source, { from: 2, have: [], to: 4 })).length, 3)
  t.equal(source.stats.anomalies.get('SHIP_NO_CHAIN_ID'), 1)
})

t.test('a start before the history that the node keeps is refused with the range', async (t) => {
  const server = await serve(t, { status: () => ({ traces: { begin: 500, end: 1001 } }), blocks: () => [] })
  const error = await refusal(sourceOf([server]))
  t.equal(error.code, 'BLOCKS_NOT_KEPT')
  t.match(error.message, /blocks 500 to 1000, block 2 is wanted/)
  t.match(
    error.hint,
    'add a node that has block 2, with trace-history on, or set source.startBlock of wax to 500 or later',
  )
  const none = await serve(t, { status: () => ({ traces: { begin: 0, end: 0 } }), blocks: () => [] })
  t.match((await refusal(sourceOf([none]))).message, /no traces/)

  t.test('if blocks are already indexed, the hint does not suggest a later start', async (t) => {
    const have = [{ num: 9, id: childOf(GENESIS).id }]
    const error = await all(sourceOf([server]), { from: 10, have, to: 12 }).catch((error: unknown) => error)
    const hint =
      'add a node that has block 10, with trace-history on, or index into an empty database from a later block'
    t.match(error, { code: 'BLOCKS_NOT_KEPT', hint })
  })
})

t.test('a frame above the maximum is refused with its size and the setting', async (t) => {
  const chain = [...branchOf(GENESIS, 3), childOf(itemAt(branchOf(GENESIS, 3), 2), 'main', 200_000)]
  const server = await serve(t, { blocks: ({ start }) => from(chain, start) })
  const error = await refusal(sourceOf([server], { maxFrameBytes: 100_000 }))
  t.equal(error.code, 'FRAME_TOO_LARGE')
  t.match(error.message, /wax: .* a frame of 200\d\d\d bytes, the limit is 100000 \(block 5 was due\)/)
  t.ok(error.message.includes(server.url))
  t.match(error.place, { chain: 'wax', block: 5 })
  t.match(error.hint, /maxFrameBytes of wax to at least 200\d\d\d/)
})

t.test('a server that does not speak state history is refused', async (t) => {
  const server = await serve(t, { abi: '{"hello":"world"}', blocks: () => [] })
  t.equal((await refusal(sourceOf([server]))).code, 'NOT_STATE_HISTORY')
})

t.test('a node that is down is skipped, and tried again later', async (t) => {
  const chain = branchOf(GENESIS, 8)
  const up = await serve(t, { blocks: ({ start }) => from(chain, start) })
  const source = sourceOf([{ url: 'ws://127.0.0.1:9' }, up])
  t.same(ids(await all(source, { from: 2, have: [], to: 9 })), ids(chain))
  t.match([...source.stats.anomalies], [['SHIP_CONNECTION', 1]])
})

t.test('a node that lags far is skipped', async (t) => {
  const chain = branchOf(GENESIS, 30)
  const lagging = await serve(t, { status: () => ({ head: position(itemAt(chain, 3)) }), blocks: () => [] })
  const up = await serve(t, { blocks: ({ start }) => from(chain, start) })
  const source = sourceOf([lagging, up])
  const blocks = await all(source, { from: 22, have: [position(itemAt(chain, 19))], to: 31 })
  t.same(ids(blocks), ids(chain.slice(20)))
  t.equal(source.stats.anomalies.get('SHIP_BEHIND'), 1)
})

t.test('a silent node is named, and the next one is used', async (t) => {
  const chain = branchOf(GENESIS, 8)
  const details: string[] = []
  const onAnomaly = (kind: string, detail: string) => details.push(`${kind} ${detail}`)
  const silent = { silenceMs: 400, answerMs: 400, onAnomaly }
  const stopAt5 = ({ start }: { start: number }, nth: number): Step[] =>
    nth === 0 ? chain.slice(0, 4) : from(chain, start)

  await t.test('when its head has moved on', async (t) => {
    const server = await serve(t, { blocks: stopAt5 })
    t.same(ids(await all(sourceOf([server], silent), { from: 2, have: [], to: 9 })), ids(chain))
    t.match(details.splice(0), [/^SHIP_SILENT wax: ws:.* has sent nothing for 400 ms: its head is 1000, block 6/])
    t.ok(server.pings > 0)
  })

  await t.test('when it has switched to a shorter branch without sending it', async (t) => {
    const longer = withLib(chain.slice(0, 4), GENESIS)
    const shorter = withLib(branchOf(itemAt(chain, 1), 2, 'other'), GENESIS)
    let head = position(itemAt(longer, 3))
    const server = await serve(t, {
      status: () => ({ head }),
      blocks: (_, nth) => {
        if (nth > 0) return shorter
        head = position(itemAt(shorter, 0))
        return longer
      },
    })
    const seen: string[] = []
    for await (const block of sourceOf([server], silent).blocks({ from: 2, have: [] }, never)) {
      seen.push(block.id)
      if (block.id === position(itemAt(shorter, 1)).id) break
    }
    t.same(seen, ids([...longer, ...shorter]))
    t.match(details.splice(0)[0], /^SHIP_SILENT .* its head 4 is on another branch/)
  })

  await t.test('when it answers pings only', async (t) => {
    const server = await serve(t, { status: (nth) => (nth === 1 ? null : {}), blocks: stopAt5 })
    t.same(ids(await all(sourceOf([server], silent), { from: 2, have: [], to: 9 })), ids(chain))
    t.match(details.splice(0), [/^SHIP_SILENT .* pings but no status/])
  })

  await t.test('when the connection is dead (half-open)', async (t) => {
    const deaf = await acceptOnly(t, '{"structs":[{"name":"get_blocks_request_v0"}]}')
    const up = await serve(t, { blocks: ({ start }) => from(chain, start) })
    t.same(
      ids(await all(sourceOf([deaf, up], { ...silent, connectMs: 500 }), { from: 2, have: [], to: 9 })),
      ids(chain),
    )
    t.match(details.splice(0), [/^SHIP_CONNECTION .* no status within 500 ms/])

    const dying = await serve(t, { status: (nth) => (nth === 1 ? null : {}), blocks: stopAt5, mute: true })
    t.same(ids(await all(sourceOf([dying], silent), { from: 2, have: [], to: 9 })), ids(chain))
    t.match(details.splice(0), [/^SHIP_SILENT .* the connection is dead/])
  })

  await t.test('but a chain whose head does not move is recognized, and indexing continues', async (t) => {
    const tip = position(itemAt(chain, 3))
    const server = await serve(t, {
      status: () => ({ head: tip }),
      blocks: () => [...chain.slice(0, 4), { wait: 1200 }, ...chain.slice(4)],
    })
    const source = sourceOf([server], silent)
    t.same(ids(await all(source, { from: 2, have: [], to: 9 })), ids(chain))
    t.match(details.splice(0)[0], /^SHIP_HEAD_STALLED wax: the head of .* stands still at 5/)
    t.equal(server.connections, 1)
  })
})

t.test('a slow consumer does not make the node count as silent', async (t) => {
  const chain = branchOf(GENESIS, 6)
  const server = await serve(t, { blocks: ({ start }) => from(chain, start) })
  const source = sourceOf([server], { silenceMs: 200, answerMs: 200 })
  for await (const _ of source.blocks({ from: 2, have: [], to: 7 }, never)) await delay(300)
  t.same([...source.stats.anomalies], [])
})

t.test('an abort ends the stream at once in every phase', async (t) => {
  const chain = branchOf(GENESIS, 4)
  const waiting = await serve(t, { blocks: ({ start }) => from(chain, start) })
  const statusless = await serve(t, { status: () => null, blocks: () => [] })
  const phases = {
    'before the ABI': await acceptOnly(t),
    'before the status': statusless,
    'waiting for a block': waiting,
    'between attempts': { url: 'ws://127.0.0.1:9' },
  }
  for (const [phase, server] of Object.entries(phases)) {
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 100)
    const began = Date.now()
    await all(sourceOf([server], { backoffMs: [60_000, 60_000] }), { from: 2, have: [] }, stop.signal)
    t.ok(Date.now() - began < 30_000, phase)
  }
})

t.test('a probe returns chain, block ranges and versions of a node', async (t) => {
  const server = await serve(t, { status: () => ({ traces: { begin: 7, end: 1001 } }), blocks: () => [] })
  const { status, versions } = await probeNode(server.url)
  t.same([status.chainId, status.traces, status.head.num], ['c4'.repeat(32), { begin: 7, end: 1001 }, 1000])
  t.same(versions, { status: 1, blocks: 1 })
  await t.rejects(probeNode('ws://127.0.0.1:9'), { code: 'SHIP_CONNECTION' })
})
