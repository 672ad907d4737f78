// A node whose logs begin at different blocks, whose finality data vanish, and that serves all sessions from one thread.
import t, { type Test } from 'tap'
import { Chain } from '../../../devnet/chain/chain.ts'
import { type ShipOptions, startShip } from '../../../devnet/ship/server.ts'
import { ShipSource } from '../../../indexer/source/ship/source.ts'
import type { BlockSource, PackedBlock } from '../../../indexer/source/source.ts'

const startTime = Date.parse('2026-01-01T00:00:00Z')
const chain = new Chain({ chainId: 'ab'.repeat(32), seed: 'kept logs', startTime, contracts: [] })
for (let i = 0; i < 80; i++) chain.produce()
const last = chain.lib.num

async function node(t: Test, options: ShipOptions) {
  const ship = await startShip(chain, options)
  t.teardown(() => ship.stop())
  return { ship, source: new ShipSource({ urls: [ship.url], chain: 'wax', backoffMs: [10, 20] }) }
}

async function read(source: BlockSource, from: number, to = last) {
  const blocks: PackedBlock[] = []
  for await (const block of source.blocks({ from, have: [], to: Math.min(to, last) }, new AbortController().signal)) {
    blocks.push(block as PackedBlock)
  }
  return blocks
}

t.test('traces begin after the deltas: the error names the first block with both', async (t) => {
  const { source } = await node(t, { kept: { traces: 20 } })
  const signal = new AbortController().signal
  t.equal(await source.stateBlock(2, undefined, signal), 2, 'the deltas of a block without traces are a state')
  await t.rejects(read(source, 3), {
    code: 'BLOCKS_NOT_KEPT',
    message: /has blocks 20 to \d+, block 3 is wanted/,
    hint: /set source.startBlock of wax to 20/,
  })
  t.equal(await source.stateBlock(20, undefined, signal), null)
  const blocks = await read(source, 20)
  t.same([blocks[0]?.num, blocks.length], [20, last - 19])
})

t.test('finality data begin later, and vanish when the node clears their log', async (t) => {
  const { ship, source } = await node(t, { kept: { finality: { from: 10 } } })
  const withFinality = (blocks: PackedBlock[]) => blocks.filter(({ finality }) => finality).map(({ num }) => num)
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
  t.same(withFinality(await read(source, 2)), range(10, last))
  ship.kept.finality = { from: 10, to: 30 }
  t.same(withFinality(await read(source, 2)), range(10, 30))
  ship.kept.finality = null
  const none = await read(source, 2)
  t.same([withFinality(none), none.length], [[], last - 1], 'the blocks still come')
})

t.test('several sessions are no faster than one, because the node has one thread for them', async (t) => {
  const blockMs = 4
  const { source } = await node(t, { blockMs })
  const quarter = Math.ceil((last - 1) / 4)
  const starts = [0, 1, 2, 3].map((index) => 2 + index * quarter)
  const least = ((last - 1) * blockMs * 0.9) / 1000
  for (const sessions of [1, 4]) {
    const started = performance.now()
    const parts = sessions === 1 ? [read(source, 2)] : starts.map((from) => read(source, from, from + quarter - 1))
    t.equal((await Promise.all(parts)).flat().length, last - 1)
    t.ok((performance.now() - started) / 1000 > least, `${sessions} sessions`)
  }
})
