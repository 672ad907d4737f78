import { Serialize } from 'eosjs'
import t from 'tap'
import { readSignedBlock } from '../../../core/antelope/block.ts'
import { Reader } from '../../../core/antelope/reader.ts'
import { itemAt } from '../../../core/required.ts'
import { BlockCheck } from '../../../indexer/decode/block-check.ts'
import { walkTraces } from '../../../indexer/decode/traces.ts'
import { Watch } from '../../../indexer/decode/watch.ts'
import { Linkage } from '../../../indexer/source/linkage.ts'
import { LoopSource } from '../../../indexer/source/loop.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import type { BlockSource, PackedBlock, StartPosition } from '../../../indexer/source/source.ts'

const recordings = new URL('../../fixtures/recordings/', import.meta.url).pathname
const small = `${recordings}small.ship.gz`
const never = new AbortController().signal

async function all(source: BlockSource, start: StartPosition): Promise<PackedBlock[]> {
  const blocks: PackedBlock[] = []
  for await (const block of source.blocks(start, never)) blocks.push(block as PackedBlock)
  return blocks
}

interface DecodedTrace {
  id: string
  sequences: bigint[]
  /** The trace without its id and global sequences, as JSON. */
  rest: string
}

const replay = new ReplaySource(small)
const recorded = await all(replay, { from: 0, have: [] })

/** Traces decoded by eosjs with the ABI of the recording. */
const shipTypes = Serialize.getTypesFromAbi(Serialize.createInitialTypes(), JSON.parse(replay.abi ?? ''))
function decodeTraces(traces: Uint8Array): DecodedTrace[] {
  const buffer = new Serialize.SerialBuffer({ array: traces })
  const type = Serialize.getType(shipTypes, 'transaction_trace')
  return Array.from({ length: buffer.getVaruint32() }, () => {
    const [, trace] = type.deserialize(buffer)
    const { id, ...others } = trace
    const sequences: bigint[] = []
    const rest = JSON.stringify(others, (key, value) => {
      if (key !== 'global_sequence') return value
      sequences.push(BigInt(value))
      return undefined
    })
    return { id, sequences, rest }
  })
}

t.test('three passes make one chain of three times the blocks', async (t) => {
  const blocks = await all(new LoopSource(small, 3), { from: 0, have: [] })
  t.same(
    blocks.map((block) => block.num),
    Array.from({ length: 306 }, (_, index) => index + 2),
  )
  const linkage = new Linkage({ from: 2, have: [] })
  t.ok(blocks.every((block) => linkage.accept(block) === 'next'))
  for (const block of blocks) {
    const unpacked = readSignedBlock(block.block)
    if (unpacked.id !== block.id || unpacked.header.previous !== block.prevId) t.fail(`header of block ${block.num}`)
  }
  t.equal(new Set(blocks.map((block) => block.id)).size, 306)
  const last = itemAt(blocks, 305)
  t.ok(blocks.every(({ head, lib }) => head.id === last.id && head.num === last.num && lib.num === last.num))
})

t.test('every block of every pass matches its own roots', async (t) => {
  const watch = new Watch({})
  const source = new LoopSource(small, 3)
  await source.prepare()
  let committed = 0
  for (const block of await all(source, { from: 0, have: [] })) {
    const check = new BlockCheck(block)
    walkTraces(block.traces, watch, () => {}, check)
    if (check.finish()) committed++
  }
  t.equal(committed, 306, 'each block commits to its actions')
})

t.test('the first pass is the recording itself', async (t) => {
  const blocks = await all(new LoopSource(small, 2), { from: 0, have: [] })
  for (const [index, block] of recorded.entries()) {
    const { num, id, prevId, block: packed, traces, deltas, finality } = itemAt(blocks, index)
    t.same({ num, id, prevId, packed, traces, deltas, finality }, { ...pick(block), packed: block.block })
  }
  function pick({ num, id, prevId, traces, deltas, finality }: PackedBlock) {
    return { num, id, prevId, traces, deltas, finality }
  }
})

t.test('later passes differ from the first in times, ids, sequences and action roots only', async (t) => {
  const blocks = await all(new LoopSource(small, 3), { from: 0, have: [] })
  const slotOf = (block: PackedBlock) => new Reader(block.block).u32()
  t.ok(blocks.every((block, index) => index === 0 || slotOf(block) > slotOf(itemAt(blocks, index - 1))))

  const traces = blocks.map((block) => decodeTraces(block.traces))
  const trxIds = traces.flatMap((block) => block.map((trace) => trace.id))
  t.equal(new Set(trxIds).size, trxIds.length)
  const sequences = traces.map((block) =>
    block.flatMap((trace) => trace.sequences).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
  )
  const inOrder = sequences.flat()
  t.ok(inOrder.every((sequence, index) => index === 0 || sequence > itemAt(inOrder, index - 1)))
  t.equal(inOrder.length, 3 * traces.slice(0, 102).flatMap((block) => block.flatMap((trace) => trace.sequences)).length)

  for (let index = 0; index < 102; index++) {
    const [one, two] = [itemAt(traces, index), itemAt(traces, index + 204)]
    t.same(
      two.map((trace) => trace.rest),
      one.map((trace) => trace.rest),
      `block ${itemAt(recorded, index).num} repeats everything else`,
    )
    t.equal(itemAt(blocks, index + 204).deltas, itemAt(blocks, index).deltas)
  }
})

t.test('a loop resumes in any pass, and refuses what it does not contain', async (t) => {
  const blocks = await all(new LoopSource(small, 3), { from: 0, have: [] })
  const { num, id } = itemAt(blocks, 150)
  const rest = await all(new LoopSource(small, 3), { from: num + 1, have: [{ num, id }], to: num + 60 })
  t.same(
    rest.map((block) => block.id),
    blocks.slice(151, 211).map((block) => block.id),
  )
  const stranger = all(new LoopSource(small, 3), { from: 11, have: [{ num: 10, id: 'ab'.repeat(32) }] })
  await t.rejects(stranger, { code: 'RECORDING_UNRELATED' })
})

t.test('a recording with forks cannot be looped', async (t) => {
  await t.rejects(all(new LoopSource(`${recordings}forks.ship.gz`, 2), { from: 0, have: [] }), { code: 'LOOP_FORKS' })
})

t.test('the source yields at least 6,000 blocks a second', async (t) => {
  const source = new LoopSource(small, 60)
  let count = 0
  const began = process.cpuUsage()
  for await (const _ of source.blocks({ from: 0, have: [] }, never)) count++
  const { user, system } = process.cpuUsage(began)
  const rate = count / ((user + system) / 1e6)
  t.comment(`${Math.round(rate)} blocks a second of one core`)
  t.ok(count === 6120 && rate > 6000, `${Math.round(rate)} blocks/s`)
})
