// Blocks and rows in columns come back byte by byte; other contents are refused.
import t from 'tap'
import { walkTransactionTraces } from '../../core/antelope/traces.ts'
import { ReplaySource } from '../../indexer/source/replay.ts'
import type { PackedBlock } from '../../indexer/source/source.ts'
import { BlockDecoder, BlockEncoder, type DecodedBlock, startContent } from '../../packs/format/block-codec.ts'
import { packRows, TransactionIds, unpackRows } from '../../packs/format/row-codec.ts'
import { type SlimBlock, slimBlock } from '../../packs/format/slim-block.ts'
import { readSigned, readStreams, Streams, writeSigned } from '../../packs/format/streams.ts'
import { RECORDINGS } from './scene.ts'
import { tupleOf } from './tamper.ts'

const blocks: SlimBlock[] = []
for await (const block of new ReplaySource(RECORDINGS.small).blocks(
  { from: 0, have: [] },
  new AbortController().signal,
)) {
  blocks.push(slimBlock(block as PackedBlock))
}

/** The id of every transaction of some blocks, in order. */
function idsOf(some: readonly SlimBlock[]): Map<string, number> {
  const ids = new Map<string, number>()
  for (const { traces } of some) {
    walkTransactionTraces(traces, {
      transaction: (at) => ids.set(Buffer.from(traces.subarray(at, at + 32)).toString('latin1'), ids.size),
      action() {},
    })
  }
  return ids
}

function packed(some: readonly SlimBlock[], ids: ReadonlyMap<string, number>): Buffer {
  const encoder = new BlockEncoder(null, ids)
  for (const block of some) encoder.add(block)
  return encoder.take()
}

function unpacked(content: Buffer, ids: readonly Uint8Array[] | null | 'none'): DecodedBlock[] {
  return [...new BlockDecoder(startContent(null), ids).read(content)]
}

const bytesOf = (ids: ReadonlyMap<string, number>) => Array.from(ids.keys(), (id) => Buffer.from(id, 'latin1'))
const hex = ({ block, traces, finality }: Pick<DecodedBlock, 'block' | 'traces' | 'finality'>) =>
  [block, traces, finality].map((part) => part && Buffer.from(part).toString('hex'))

t.test('blocks of a recording', async (t) => {
  const ids = idsOf(blocks)
  const content = packed(blocks, ids)
  const raw = blocks.reduce(
    (sum, { block, traces, finality }) => sum + block.length + traces.length + (finality?.length ?? 0),
    0,
  )
  t.ok(content.length < raw)
  t.same(unpacked(content, bytesOf(ids)).map(hex), blocks.map(hex))
  const headers = unpacked(content, 'none')
  t.same(
    headers.map(({ block }) => hex({ block, traces: new Uint8Array(), finality: null })[0]),
    blocks.map((one) => hex(one)[0]),
  )
  t.equal(headers.filter(({ tracked }) => tracked).length, blocks.filter(({ finality }) => finality).length)
  t.ok(
    headers.some(({ tracked }) => tracked?.policy && tracked.block.blockNum > 20),
    'a policy becomes pending',
  )
})

t.test('ids of transactions that no row has are zeros', async (t) => {
  const found = unpacked(packed(blocks.slice(40, 50), new Map()), null)
  const ids = idsOf(found)
  t.same([...ids.keys()], ['\0'.repeat(32)])
})

t.test('a digest that is not the action’s stays, and is seen by the reader', async (t) => {
  const block = blocks[50]!
  const altered = Buffer.from(block.traces)
  let receipts = 0
  walkTransactionTraces(altered, {
    action({ receipt }) {
      if (receipt >= 0 && receipts++ === 0) altered[receipt + 8]! ^= 1
    },
  })
  const changed = { ...block, traces: altered }
  const ids = idsOf([changed])
  t.same(unpacked(packed([changed], ids), bytesOf(ids)).map(hex), [hex(changed)])
  t.ok(receipts > 0)
})

t.test('a header that is written in an uncommon way is stored as it is', async (t) => {
  const { block, ...rest } = blocks[50]!
  // An empty list of extensions whose length has two bytes instead of one.
  const end = block.length - 1
  const odd = blocks.find((one) => one.block.at(-1) === 0)
  t.ok(odd || block[end] !== undefined)
  const bytes = Buffer.concat([(odd ?? { block }).block.subarray(0, -1), Buffer.from([0x80, 0x00])])
  const changed = odd ? { ...odd, block: bytes } : { block, ...rest }
  const ids = idsOf([changed])
  t.same(unpacked(packed([changed], ids), bytesOf(ids)).map(hex), [hex(changed)])
})

t.test('other contents of blocks are refused', async (t) => {
  const content = packed(blocks.slice(0, 60), new Map())
  const refused = { name: 'DecodeError' }
  t.throws(() => unpacked(Buffer.concat([content, Buffer.alloc(1)]), null), { code: 'PACK_LAYOUT' })
  t.throws(() => unpacked(content.subarray(0, -1), null), refused)
  t.throws(() => unpacked(Buffer.alloc(0), null), refused)
  t.throws(() => unpacked(packed(blocks.slice(40, 50), idsOf(blocks)), []), {
    message: /ids? that the rows do not have/,
  })
  for (const start of [
    '',
    '[]',
    '{"lineage":{}}',
    '{"lineage":{"genesis":1,"blockNum":3,"slot":1,"start":1,"policy":"ab","peaks":[]}}',
  ]) {
    t.throws(() => new BlockDecoder(Buffer.from(start), null), { code: 'PACK_LAYOUT' }, start)
  }
  // A changed byte gives other blocks or a coded error, whatever it hits.
  for (let at = 0; at < content.length; at += Math.ceil(content.length / 60)) {
    const changed = Buffer.from(content)
    changed[at]! ^= 0x41
    try {
      unpacked(changed, null)
    } catch (error) {
      if ((error as Error).name !== 'DecodeError') t.fail(`byte ${at}: ${error}`)
    }
  }
})

t.test('rows', async (t) => {
  const section = {
    table: 'ledger.x',
    columns: [
      ['block_num', 'int8'],
      ['trx_id', 'bytea'],
      ['memo', 'text'],
      ['tick', 'int4'],
      ['usd', 'numeric'],
      ['at', 'timestamptz'],
    ],
  } as const
  const id = (n: number) => Buffer.alloc(32, n)
  const rows = [
    [int8(5n), id(1), Buffer.from('a memo'), Buffer.alloc(4, 7), null, int8(-1n)],
    [int8(6n), id(1), Buffer.alloc(0), null, Buffer.alloc(12, 1), int8(2n ** 63n - 1n)],
    [int8(-(2n ** 63n)), id(2), null, Buffer.alloc(4), Buffer.alloc(8), null],
    [int8(7n), id(1), Buffer.from('x'), Buffer.alloc(4), null, int8(0n)],
  ]
  const content = Buffer.concat(rows.map(tupleOf))
  const ids = new TransactionIds()
  const columns = packRows(section, content, ids)
  t.same(
    [...ids.places.keys()],
    [id(1), id(2)].map((one) => one.toString('latin1')),
  )
  t.equal(unpackRows(section, columns, [id(1), id(2)]).toString('hex'), content.toString('hex'))
  t.throws(() => unpackRows(section, columns, [id(1)]), {
    code: 'PACK_LAYOUT',
    message: /a transaction that is not there/,
  })
  t.throws(() => unpackRows(section, columns.subarray(0, -1), [id(1), id(2)]), { name: 'DecodeError' })
  t.throws(() => packRows(section, tupleOf([int8(1n), Buffer.alloc(31), null, null, null, null]), ids), {
    code: 'PACK_LAYOUT',
  })
})

t.test('signed numbers', async (t) => {
  const edges = [
    0n,
    1n,
    -1n,
    2n ** 28n,
    -(2n ** 28n),
    2n ** 30n,
    -(2n ** 30n),
    2n ** 30n - 1n,
    2n ** 63n - 1n,
    -(2n ** 63n),
  ]
  const streams = new Streams(1)
  for (const value of edges) writeSigned(streams.at(0), value)
  const [reader] = readStreams(streams.take(), 1)
  t.same(
    edges.map(() => readSigned(reader!)),
    edges,
  )
  const [long] = readStreams(Buffer.concat([Buffer.from([1, 11]), Buffer.alloc(10, 0xff), Buffer.from([1])]), 1)
  t.throws(() => readSigned(long!), { code: 'PACK_LAYOUT' })
})

function int8(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(value)
  return bytes
}
