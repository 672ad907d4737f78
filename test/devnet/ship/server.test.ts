import t, { type Test } from 'tap'
import { Chain } from '../../../devnet/chain/chain.ts'
import { type ShipOptions, startShip } from '../../../devnet/ship/server.ts'
import { Auditor } from '../audit.ts'
import { add, counter } from '../counter.ts'
import { Mirror } from '../mirror.ts'
import { decodeResult, type Plain } from '../wharf.ts'
import { ShipClient } from './client.ts'

const chainId = 'cd'.repeat(32)

async function setUp(t: Test, blocks: number, options: ShipOptions = {}) {
  const chain = new Chain({ chainId, seed: 'ship', startTime: Date.parse('2026-01-01'), contracts: [counter] })
  for (let i = 0; i < blocks; i++) chain.produce({ transactions: [[add('alice', 1n)]] })
  const server = await startShip(chain, options)
  const clients: ShipClient[] = []
  t.teardown(async () => {
    for (const client of clients) client.close()
    await server.stop()
  })
  const connect = () => {
    const client = new ShipClient(server.url)
    clients.push(client)
    return client
  }
  return { chain, server, connect, client: connect() }
}

const numbers = (results: Plain[]) => results.map((result) => result.this_block?.block_num ?? null)
const settled = () => new Promise((resolve) => setTimeout(resolve, 100))

t.test('the first message is the ABI as text; status in both versions', async (t) => {
  const { chain, client } = await setUp(t, 4)
  const v1 = await client.status(1)
  t.match(JSON.parse(client.abiText), { version: 'eosio::abi/1.1', structs: Array, variants: Array })
  t.match(v1, {
    kind: 'get_status_result_v1',
    head: { block_num: 6, block_id: chain.head.id },
    last_irreversible: { block_num: 4, block_id: chain.lib.id },
    trace_begin_block: 2,
    trace_end_block: 7,
    finality_data_begin_block: 2,
    finality_data_end_block: 7,
    chain_id: chainId,
  })
  const v0 = await client.status(0)
  t.equal(v0.kind, 'get_status_result_v0')
  t.equal(v0.finality_data_begin_block, undefined)
})

t.test('blocks from the first to the head, then live blocks; each passes an independent audit', async (t) => {
  const { chain, client } = await setUp(t, 6)
  await client.blocks(2)
  await client.results(7)
  for (let i = 0; i < 3; i++) chain.produce({ transactions: [[add('bob', 1n)]] })
  const results = await client.results(10)
  t.same(numbers(results), [2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  const auditor = new Auditor(t, 2, 4)
  for (const result of results) auditor.check(result)
  t.equal(results[0].prev_block, null)
  t.equal(results.at(-1).last_irreversible.block_num, 9)
})

t.test('a v0 request gets v0 results, and only what it asks for', async (t) => {
  const { client } = await setUp(t, 2)
  await client.blocks(3, { fetch_block: false, fetch_deltas: false }, 0)
  const [result] = await client.results(1)
  t.equal(result.kind, 'get_blocks_result_v0')
  t.match(result.raw, { block: null, deltas: null, traces: String })
  t.equal(result.raw.finality_data, undefined)
  await client.blocks(3, { fetch_finality_data: false, end_block_num: 4 })
  await client.until(() => client.messages.length >= 3, 'a v1 result')
  const last = decodeResult(client.messages.at(-1)!)
  t.equal(last.kind, 'get_blocks_result_v1')
  t.equal(last.raw.finality_data, null)
})

t.test('the end block is exclusive, and the server waits for credits', async (t) => {
  const { client } = await setUp(t, 10)
  await client.blocks(2, { max_messages_in_flight: 3, end_block_num: 9 })
  await client.results(3)
  await settled()
  t.equal(client.messages.length, 3)
  await client.ack(2)
  await client.results(5)
  await settled()
  t.equal(client.messages.length, 5)
  await client.ack(100)
  await client.results(7)
  await settled()
  t.same(numbers(await client.results(7)), [2, 3, 4, 5, 6, 7, 8])
})

t.test('a new request replaces the old one', async (t) => {
  const { client } = await setUp(t, 10)
  await client.blocks(2, { max_messages_in_flight: 2 })
  await client.results(2)
  await client.blocks(10, { max_messages_in_flight: 2 })
  t.same(numbers(await client.results(4)), [2, 3, 10, 11])
})

t.test('`irreversible_only`: no block above the last irreversible one', async (t) => {
  const { chain, client } = await setUp(t, 6)
  await client.blocks(2, { irreversible_only: true })
  await client.results(5)
  await settled()
  t.same(numbers(await client.results(5)), [2, 3, 4, 5, 6])
  chain.produce()
  t.same(numbers(await client.results(6)).at(-1), 7)
})

t.test('after a fork the session continues at a lower number, with the state of the new branch', async (t) => {
  const { chain, client } = await setUp(t, 3)
  await client.blocks(2)
  for (let i = 0; i < 6; i++) chain.produce({ certificate: 'none', transactions: [[add('bob', 1n)]] })
  const old = chain.head
  await client.results(10)
  chain.fork(4)
  for (let i = 0; i < 2; i++) chain.produce({ certificate: 'none', transactions: [[add('carol', 2n)]] })
  await client.results(12)
  chain.switchTo(old.id)
  const results = await client.results(16)
  t.same(numbers(results), [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 8, 9, 8, 9, 10, 11])
  t.same(
    results.slice(12).map((result) => result.this_block.block_id),
    results.slice(6, 10).map((result) => result.this_block.block_id),
    'the old branch comes back with the same ids',
  )
  const auditor = new Auditor(t, 2, 100)
  const mirror = new Mirror()
  for (const result of results) {
    auditor.check(result)
    mirror.apply(result)
  }
  t.equal(mirror.rows.size, chain.state.findRows('counter.svc', 'counters', 'alice')!.size + 1)
})

t.test('a request with `have_positions` of another branch starts at the fork', async (t) => {
  const { chain, connect } = await setUp(t, 3)
  for (let i = 0; i < 5; i++) chain.produce({ certificate: 'none', transactions: [[add('bob', 1n)]] })
  const have = [4, 5, 6, 7, 8, 9, 10].map((num) => ({ block_num: num, block_id: chain.idOf(num)! }))
  chain.fork(3)
  for (let i = 0; i < 4; i++) chain.produce({ certificate: 'none' })
  const client = connect()
  await client.blocks(11, { have_positions: have })
  t.same(numbers(await client.results(4)), [8, 9, 10, 11])
  const same = connect()
  await same.blocks(11, { have_positions: have.slice(0, 3) })
  t.same(numbers(await same.results(1)), [11], 'known positions change nothing')
})

t.test('block numbers below the log get empty results', async (t) => {
  const { client } = await setUp(t, 1)
  await client.blocks(0)
  const results = await client.results(4)
  t.same(numbers(results), [null, null, 2, 3])
  t.equal(results[0].prev_block, null)
})

t.test('a log that starts in the middle begins with the whole state', async (t) => {
  const { chain, client } = await setUp(t, 5)
  const logStart = { num: chain.head.num, deltas: chain.fullDeltas() }
  const pruned = await startShip(chain, { logStart })
  t.teardown(() => pruned.stop())
  chain.produce({ transactions: [[add('bob', 1n)]] })
  const late = new ShipClient(pruned.url)
  t.teardown(() => late.close())
  t.match(await late.status(1), { trace_begin_block: 7, trace_end_block: 9 })
  late.messages.length = 0
  await late.blocks(7)
  const fromStart = new Mirror()
  const fromMiddle = new Mirror()
  await client.blocks(2)
  for (const result of await client.results(7)) fromStart.apply(result)
  for (const result of await late.results(2)) fromMiddle.apply(result)
  t.same([...fromMiddle.rows].sort(), [...fromStart.rows].sort())

  const snapshot = await startShip(chain, { logStart: { ...logStart, isSnapshot: true } })
  t.teardown(() => snapshot.stop())
  const restarted = new ShipClient(snapshot.url)
  t.teardown(() => restarted.close())
  const status = { trace_begin_block: 8, trace_end_block: 9, chain_state_begin_block: 7, chain_state_end_block: 9 }
  t.match(await restarted.status(1), status)
  restarted.messages.length = 0
  await restarted.blocks(7)
  const [first, second] = await restarted.results(2)
  t.match(first, { this_block: { block_num: 7 }, prev_block: null, block: null, traces: null })
  t.ok(first.deltas.length > 0)
  t.match(second, { this_block: { block_num: 8 }, prev_block: { block_num: 7 } })
})

t.test('faults: each happens once', async (t) => {
  const { server, connect } = await setUp(t, 8)
  const { faults } = server
  const read = async (count: number) => {
    const client = connect()
    await client.blocks(2)
    await client.until(() => client.messages.length >= count, `${count} messages`)
    await settled()
    return client
  }
  faults.gap.add(4)
  faults.empty.add(6)
  faults.duplicate.add(8)
  t.same(numbers(await (await read(9)).results(9)), [2, 3, 5, null, 7, 8, 8, 9, 10])

  faults.wrongPrev.add(5)
  const linked = await (await read(9)).results(9)
  t.same(
    linked.slice(1).map((result, i) => result.prev_block.block_id === linked[i].this_block.block_id),
    [true, true, false, true, true, true, true, true],
  )

  for (const kind of ['truncated', 'lyingLength'] as const) {
    faults[kind].add(3)
    const broken = await read(9)
    t.throws(() => decodeResult(broken.messages[1]!), kind)
    t.doesNotThrow(() => decodeResult(broken.messages[2]!))
  }

  faults.giant.set(3, 3_000_000)
  t.ok((await read(9)).messages[1]!.length > 3_000_000)

  faults.silence.add(5)
  const silent = await read(3)
  t.same([silent.messages.length, silent.closed], [3, false], 'silent, the socket stays open')

  for (const kind of ['disconnect', 'cut'] as const) {
    faults[kind].add(5)
    const dropped = await read(3)
    await dropped.until(() => dropped.closed, 'the end of the connection')
    t.equal(dropped.messages.length, 3, kind)
  }

  faults.chainId = 'ef'.repeat(32)
  t.equal((await connect().status(0)).chain_id, faults.chainId)
  faults.chainId = null
  t.equal((await connect().status(0)).chain_id, chainId)
  t.same(numbers(await (await read(9)).results(9)), [2, 3, 4, 5, 6, 7, 8, 9, 10], 'all forgotten')
})

t.test('an invalid request ends the connection', async (t) => {
  const { connect, client } = await setUp(t, 1)
  await client.sendRaw(new Uint8Array([9, 9, 9]))
  await client.until(() => client.closed, 'the end of the connection')
  t.equal((await connect().status(1)).chain_id, chainId, 'others are served')
})
