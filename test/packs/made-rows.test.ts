// Rows that a reader makes from headers, as they are copied to the database.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { slotToMs } from '../../core/antelope/time.ts'
import { toHex } from '../../core/hex.ts'
import { ReplaySource } from '../../indexer/source/replay.ts'
import type { PackedBlock } from '../../indexer/source/source.ts'
import type { Catalog } from '../../indexer/store/catalog.ts'
import { eachTuple } from '../../indexer/store/copy/tuples.ts'
import { FolderStore } from '../../net/objects/folder.ts'
import { BlockEncoder, startContent } from '../../packs/format/block-codec.ts'
import { CHUNK, fileEnd, fileHead, packChunk } from '../../packs/format/chunks.ts'
import type { PackFile } from '../../packs/format/manifest.ts'
import { sectionContent } from '../../packs/format/section.ts'
import { slimBlock } from '../../packs/format/slim-block.ts'
import { type RowChunk, readRange } from '../../packs/read/files.ts'
import { RECORDINGS } from './scene.ts'

const CHAIN = 'telos'
const COLUMNS = [
  ['block_num', 'blockNum', 'int8'],
  ['block_id', 'blockId', 'bytea'],
  ['prev_id', 'prevId', 'bytea'],
  ['block_time', 'blockTime', 'timestamptz'],
  ['producer', 'producer', 'text'],
] as const
const catalog: Catalog = new Map([
  [
    'ledger.blocks',
    {
      ...{ id: 'ledger.blocks', schema: 'ledger', name: 'blocks', key: ['chain', 'block_num'] },
      columns: [['chain', 'chain', 'text'] as const, ...COLUMNS].map(([name, property, type]) => ({
        ...{ name, property, type, nullable: false },
      })),
    },
  ],
])
const { signal } = new AbortController()
const store = new FolderStore(t.testdir())

const blocks: PackedBlock[] = []
for await (const block of new ReplaySource(RECORDINGS.small).blocks({ from: 0, have: [] }, signal)) {
  blocks.push(block as PackedBlock)
  if (blocks.length === 150) break
}

async function write(name: string, chunks: readonly [kind: 1 | 2, content: Buffer][]): Promise<PackFile> {
  const parts = [fileHead()]
  for (const [kind, content] of chunks) parts.push(await packChunk(kind, content))
  const bytes = Buffer.concat([...parts, fileEnd()])
  writeFileSync(join(store.address, name), bytes)
  return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), rows: {} }
}

/** A pack's range of some blocks whose file of rows names only `ledger.blocks`. */
async function rangeOf(some: readonly PackedBlock[], columns: readonly (readonly [string, string])[]) {
  const encoder = new BlockEncoder(null, new Map())
  // Without finality data: rows of one table are enough.
  const made = some.map((block) => encoder.add({ ...slimBlock(block), finality: null }))
  const section = sectionContent({ table: 'ledger.blocks', columns, verified: [] })
  const files = {
    rows: await write('rows.pack', [[CHUNK.section, section]]),
    blocks: await write('blocks.pack', [
      [CHUNK.section, startContent(null)],
      [CHUNK.data, encoder.take()],
    ]),
  }
  const [first, last] = [made[0]!, made.at(-1)!]
  return { ...files, made, from: first.num, to: last.num, lastId: last.id }
}

async function rowsOf(range: Awaited<ReturnType<typeof rangeOf>>): Promise<RowChunk[]> {
  const chunks: RowChunk[] = []
  for await (const chunk of readRange(store, range, signal, { chain: CHAIN, catalog })) chunks.push(chunk)
  return chunks
}

const OWN = COLUMNS.map(([name, , type]) => [name, type] as const)

t.test('rows have the chain, and what the headers say', async (t) => {
  const range = await rangeOf(blocks, OWN)
  const [chunk, ...more] = await rowsOf(range)
  t.same(more, [])
  t.equal(chunk?.complete, blocks.length)
  const found: unknown[] = []
  const content = chunk?.content ?? Buffer.alloc(0)
  eachTuple(content, OWN.length + 1, ({ at, length }) => {
    const [chain, num, id, previous, time, producer] = [...at].map((start, i) =>
      content.subarray(start, start + (length[i] ?? 0)),
    )
    found.push([chain?.toString(), num?.readBigInt64BE(), toHex(id!), toHex(previous!), time?.readBigInt64BE()])
    t.equal(producer?.toString(), range.made[found.length - 1]?.header.producer)
  })
  const epoch = BigInt(Date.UTC(2000, 0, 1))
  const wanted = blocks.map(({ num, id }, i) => {
    const { previous, timestamp } = range.made[i]!.header
    return [CHAIN, BigInt(num), id, previous, 1000n * (BigInt(slotToMs(timestamp)) - epoch)]
  })
  t.same(found, wanted)
})

t.test('a block that is not of the range is refused', async (t) => {
  const range = await rangeOf(blocks.slice(0, 20), OWN)
  const wanted = { code: 'PACK_REFUTED', place: { block: range.to, file: 'rows.pack' } }
  await t.rejects(rowsOf({ ...range, to: range.to - 1 }), wanted)
  await t.rejects(rowsOf({ ...range, from: range.from + 1 }), { ...wanted, place: { block: range.from } })
  // Bytes of another file: the publisher is not blamed.
  const blocksFile = { ...range.blocks, sha256: '0'.repeat(64) }
  await t.rejects(rowsOf({ ...range, blocks: blocksFile, to: range.to - 1 }), { code: 'PACK_DAMAGED' })
})

t.test('rows have the columns of this program, whatever the file says', async (t) => {
  const wanted = await rowsOf(await rangeOf(blocks.slice(0, 5), OWN))
  for (const columns of [OWN.slice(0, -1), [...OWN].reverse(), [...OWN, ['added', 'text'] as const]]) {
    t.same(await rowsOf(await rangeOf(blocks.slice(0, 5), columns)), wanted)
  }
})
