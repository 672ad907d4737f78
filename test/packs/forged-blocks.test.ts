// A dishonest publisher changes any byte of a block, makes the rows that follow from it, and corrects all ids and
// digests: a verified fetch refuses the blocks, or only columns have other values that it names as not verified.
import t, { type Test } from 'tap'
import { headerId, packBlockHeader, packSignedBlock, readSignedBlock } from '../../core/antelope/block.ts'
import { HeadwaterError } from '../../core/errors.ts'
import { ReplaySource } from '../../indexer/source/replay.ts'
import type { Catalog } from '../../indexer/store/catalog.ts'
import { COPY_STREAM } from '../../indexer/store/copy/tuples.ts'
import { Segment } from '../../indexer/store/segment.ts'
import { FolderStore } from '../../net/objects/folder.ts'
import { readSection } from '../../packs/format/section.ts'
import type { ChainSettings } from '../../packs/format/settings.ts'
import type { SlimBlock } from '../../packs/format/slim-block.ts'
import { startsFromJson } from '../../packs/format/starts.ts'
import { readBlocks, readRows } from '../../packs/read/files.ts'
import { ChainCheck } from '../../packs/verify/chain-check.ts'
import { unverifiedColumns } from '../../packs/verify/determined.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { testDatabase } from '../support/database.ts'
import { Random, seedFromEnvironment } from '../support/random.ts'
import { catalogOf } from './checked.ts'
import { DEVNET_SETTINGS, Devnet } from './devnet.ts'
import { CHAIN, ID_90, pack, packFolder, RECORDINGS, SETTINGS } from './scene.ts'
import { chunksOf, manifestOf, rowsOf, tablesOf } from './tamper.ts'

const isLong = process.env.HEADWATER_TEST_LONG !== undefined
const FORGERIES = isLong ? 1000 : 60
const seed = seedFromEnvironment()
const { signal } = new AbortController()
t.setTimeout(7_200_000)

/** The blocks of a pack, the last ones without their actions. */
interface Blocks {
  folder: string
  settings: ChainSettings
  catalog: Catalog
  blocks: readonly SlimBlock[]
  /** Number of blocks with actions. */
  count: number
}

/** Values of the rows that blocks make, by table. */
type Made = Map<string, string[][]>

interface Outcome {
  made: Made
  hasHeaders: boolean
}

async function read(folder: string, settings: ChainSettings, catalog: Catalog): Promise<Blocks> {
  const manifest = manifestOf(folder)
  const store = new FolderStore(folder)
  const blocks: SlimBlock[] = []
  const add = ({ block, traces, finality }: SlimBlock) => blocks.push({ block, traces, finality })
  for (const range of manifest.ranges) {
    const ids: Uint8Array[] = []
    for await (const _ of readRows(store, range.rows, signal, ids));
    for await (const block of readBlocks(store, range.blocks!, signal, ids)) add(block)
  }
  const count = blocks.length
  const [state] = manifest.states
  if (state?.proof) for await (const block of readBlocks(store, state.proof, signal)) add(block)
  return { folder, settings, catalog, blocks, count }
}

/** Checks blocks as a fetch does. @throws HeadwaterError for blocks that are refused */
async function checked({ folder, settings, catalog, blocks, count }: Blocks, trust: string): Promise<Outcome> {
  const { firstBlock, firstParent, starts, ranges } = manifestOf(folder)
  const lastBlock = firstBlock + count - 1
  const options = { chain: CHAIN, settings, starts: startsFromJson(starts), firstBlock, firstParent, trust, lastBlock }
  const check = new ChainCheck(options)
  for (const { account, blockNum, abi } of await foreignAbis(folder, ranges[0]!.rows))
    check.addForeignAbi({ account, blockNum, abi }, '')
  const made = new Segment(catalog)
  for (const [i, block] of blocks.entries()) check.add(block, i < count ? made : null, '')
  const { hasHeaders } = check.confirm(lastBlock, '')
  const values: Made = new Map()
  for (const { table, buffer } of made.ledger.values()) {
    const stream = buffer.finish()
    const content = stream.subarray(COPY_STREAM.head.length, stream.length - COPY_STREAM.end.length)
    values.set(
      table.id,
      rowsOf(content, table.columns.length).map((row) => row.map((field) => field?.toString('latin1') ?? '')),
    )
  }
  return { made: values, hasHeaders }
}

/** ABIs that no action of the pack sets. */
async function foreignAbis(folder: string, file: Parameters<typeof chunksOf>[1]) {
  const chunks = await chunksOf(folder, file)
  const index = tablesOf(chunks).get('ledger.abis')!
  const { columns } = readSection(chunks[index - 1]!.content, '')
  const at = (name: string) => columns.findIndex(([column]) => column === name)
  const rows = rowsOf(chunks[index]!.content, columns.length)
  return rows
    .filter((row) => row[at('global_seq')]!.readBigInt64BE() === 0n)
    .map((row) => ({
      account: row[at('account')]!.toString(),
      blockNum: Number(row[at('block_num')]!.readBigInt64BE()),
      abi: Buffer.from(row[at('abi')]!),
    }))
}

/** Names of the columns that have other values, of tables with as many rows; else of the tables. */
function differing(honest: Made, forged: Made, catalog: Catalog): string[] {
  const found = new Set<string>()
  for (const table of new Set([...honest.keys(), ...forged.keys()])) {
    const [before, after] = [honest.get(table) ?? [], forged.get(table) ?? []]
    if (before.length !== after.length) found.add(table)
    else {
      for (const [i, row] of before.entries()) {
        for (const [column, value] of row.entries()) {
          if (value !== after[i]![column]) found.add(`${table}.${catalog.get(table)!.columns[column]!.name}`)
        }
      }
    }
  }
  return [...found].sort()
}

const PARTS = ['header', 'signature', 'extension', 'no extension', 'traces', 'finality'] as const

/** One byte of a part of a block is changed, or the part is left out. @returns null where the block has no such part */
function forged(slim: SlimBlock, part: (typeof PARTS)[number], random: Random): SlimBlock | null {
  if (part === 'traces' || part === 'finality') {
    const bytes = slim[part]
    return bytes && bytes.length > 1 ? { ...slim, [part]: flipped(bytes, random) } : null
  }
  const { header, signature, extensions } = readSignedBlock(slim.block)
  const packed = packBlockHeader(header)
  if (part === 'header') {
    return { ...slim, block: packSignedBlock(flipped(packed, random), signature, [], extensions) }
  }
  if (part === 'signature')
    return { ...slim, block: packSignedBlock(packed, flipped(signature, random), [], extensions) }
  const [first, ...others] = extensions
  if (!first) return null
  const changed = part === 'extension' ? [{ ...first, data: flipped(first.data, random) }, ...others] : others
  return { ...slim, block: packSignedBlock(packed, signature, [], changed) }
}

function flipped(bytes: Uint8Array, random: Random): Uint8Array {
  const changed = Uint8Array.from(bytes)
  changed[random.integer(0, changed.length - 1)]! ^= 1 << random.integer(0, 7)
  return changed
}

/** Gives each block after a changed one the new id of its parent. */
function relinked(blocks: readonly SlimBlock[], from: number): SlimBlock[] {
  const all = [...blocks]
  for (let i = from + 1; i < all.length; i++) {
    const before = readSignedBlock(all[i - 1]!.block)
    const { header, signature, extensions } = readSignedBlock(all[i]!.block)
    const previous = headerId(before.header, before.blockNum)
    if (header.previous === previous) break
    all[i] = { ...all[i]!, block: packSignedBlock(packBlockHeader({ ...header, previous }), signature, [], extensions) }
  }
  return all
}

/** Forges one block of a pack at a time. */
async function judged(t: Test, all: Blocks, trust: string, random: Random): Promise<void> {
  const honest = await checked(all, trust)
  const { catalog } = all
  const named = unverifiedColumns([...honest.made.keys()], catalog, honest.hasHeaders)
  const counts = { tried: 0, refused: 0, same: 0, named: 0 }
  const columns = new Set<string>()
  for (let i = 0; i < FORGERIES; i++) {
    const at = random.integer(0, all.count - 1)
    const part = random.pick(PARTS)
    const block = forged(all.blocks[at]!, part, random)
    if (!block) continue
    counts.tried++
    try {
      const blocks = relinked(all.blocks.with(at, block), at)
      const { made } = await checked({ ...all, blocks }, trust)
      const found = differing(honest.made, made, catalog)
      for (const column of found) columns.add(column)
      const isNamed = (column: string) => {
        const [schema, table, name] = column.split('.')
        return name !== undefined && named[`${schema}.${table}`]?.includes(name)
      }
      if (!found.every(isNamed)) t.fail(`block ${at}, ${part}: ${found.filter((one) => !isNamed(one))}`)
      counts[found.length > 0 ? 'named' : 'same']++
    } catch (error) {
      if (!(error instanceof HeadwaterError)) throw error
      counts.refused++
    }
  }
  t.comment(JSON.stringify({ ...counts, columns: [...columns].sort() }))
  t.ok(counts.refused > counts.tried / 4)
}

t.test(`forged blocks, trusted by a block id (HEADWATER_SEED=${seed})`, async (t) => {
  const { url } = await testDatabase(t)
  await indexRecording(url, CHAIN, new ReplaySource(RECORDINGS.small), 90)
  const folder = packFolder(t)
  await pack(url, folder, RECORDINGS.small, { blocksPerFile: 100 })
  await judged(t, await read(folder, SETTINGS, await catalogOf(url)), ID_90, new Random(seed))
})

t.test(`forged blocks, trusted by a policy (HEADWATER_SEED=${seed})`, async (t) => {
  const net = new Devnet()
  net.produce(12)
  const { url } = await testDatabase(t)
  await net.index(url)
  const folder = packFolder(t)
  const { policy } = await pack(url, folder, '', { source: net.source(), settings: DEVNET_SETTINGS })
  const all = await read(folder, DEVNET_SETTINGS, await catalogOf(url))
  await judged(t, all, policy!.digest, new Random(seed))
})

t.test(`forged blocks before Savanna and after it (HEADWATER_SEED=${seed})`, async (t) => {
  const net = new Devnet(4)
  net.produce(5)
  net.chain.produce({ producers: ['prod.a', 'prod.d'] })
  net.produce(10)
  net.chain.activateSavanna()
  net.produce(10)
  const { url } = await testDatabase(t)
  await net.index(url)
  const folder = packFolder(t)
  const { id } = await pack(url, folder, '', { source: net.source(), settings: DEVNET_SETTINGS })
  await judged(t, await read(folder, DEVNET_SETTINGS, await catalogOf(url)), id, new Random(seed))
})
