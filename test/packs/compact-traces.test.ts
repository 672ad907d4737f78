// Traces in a pack leave out the digests of actions, and get them back.
import t from 'tap'
import { readBlockFrame } from '../../core/antelope/block.ts'
import { walkTransactionTraces } from '../../core/antelope/traces.ts'
import { ReplaySource } from '../../indexer/source/replay.ts'
import type { PackedBlock } from '../../indexer/source/source.ts'
import { compactTraces, expandTraces } from '../../packs/format/compact-traces.ts'
import { slimBlock } from '../../packs/format/slim-block.ts'
import { RECORDINGS } from './scene.ts'

const blocks: PackedBlock[] = []
for await (const block of new ReplaySource(RECORDINGS.small).blocks(
  { from: 0, have: [] },
  new AbortController().signal,
))
  blocks.push(block as PackedBlock)

function receiptsOf(traces: Uint8Array): number[] {
  const found: number[] = []
  walkTransactionTraces(traces, { action: ({ receipt }) => receipt >= 0 && found.push(receipt) })
  return found
}

t.test('all traces of a recording come back, 32 bytes shorter for each receipt', async (t) => {
  let receipts = 0
  for (const block of blocks) {
    const { traces } = slimBlock(block)
    const compact = compactTraces(traces)
    const count = receiptsOf(traces).length
    receipts += count
    if (compact.length !== traces.length - 32 * count || Buffer.compare(expandTraces(compact), traces) !== 0)
      t.fail(`block ${readBlockFrame(block.block).blockNum}`)
  }
  t.ok(receipts > 1000)
})

t.test('a digest that is not the action’s stays, and is seen by the reader', async (t) => {
  const { traces } = slimBlock(blocks[50]!)
  const [receipt] = receiptsOf(traces)
  const altered = Buffer.from(traces)
  altered[receipt! + 8]! ^= 1
  t.equal(Buffer.compare(expandTraces(compactTraces(altered)), altered), 0)
})

t.test('other bytes are refused', async (t) => {
  const compact = compactTraces(slimBlock(blocks[50]!).traces)
  const refused = { code: 'PACK_TRACES' }
  t.throws(() => expandTraces(Buffer.concat([compact, Buffer.alloc(1)])), refused)
  t.throws(() => expandTraces(compact.subarray(0, -1)), { name: 'DecodeError' })
  const variant = Buffer.from(compact)
  // One transaction: count, variant, id, status, then times and sizes.
  variant[1] = 1
  t.throws(() => expandTraces(variant), refused)
  const sized = Buffer.from(compact)
  sized[35] = 1
  t.throws(() => expandTraces(sized), refused)
})
