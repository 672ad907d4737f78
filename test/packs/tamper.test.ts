// Damaged files, and files that a dishonest publisher has changed, are found; the error names the file and the block.
import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ReplaySource } from '../../indexer/source/replay.ts'
import type { Catalog } from '../../indexer/store/catalog.ts'
import { eachTuple } from '../../indexer/store/copy/tuples.ts'
import { FolderStore } from '../../net/objects/folder.ts'
import { CHUNK } from '../../packs/format/chunks.ts'
import { MANIFEST, type PackFile, type PartFile, readManifest } from '../../packs/format/manifest.ts'
import { readSection } from '../../packs/format/section.ts'
import type { SlimBlock } from '../../packs/format/slim-block.ts'
import { startsFromJson } from '../../packs/format/starts.ts'
import { openPack } from '../../packs/read/fetch.ts'
import { readBlocks, readRows } from '../../packs/read/files.ts'
import { trustedPolicy } from '../../packs/write/trusted-policy.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { testDatabase } from '../support/database.ts'
import { Random, seedFromEnvironment } from '../support/random.ts'
import { catalogOf, check, copyOf, failure, startAfter } from './checked.ts'
import { damage, otherThan } from './damage.ts'
import { CHAIN, ID_90, POLICY, pack, packFolder, RECORDINGS, SETTINGS } from './scene.ts'
import {
  abiRow,
  chunksOf,
  filesOf,
  manifestOf,
  putManifest,
  replaceBlocks,
  replaceRows,
  tablesOf,
  withoutColumn,
} from './tamper.ts'

const isLong = process.env.HEADWATER_TEST_LONG !== undefined
const DAMAGES = isLong ? 10_000 : 150
const seed = seedFromEnvironment()
const { signal } = new AbortController()
t.setTimeout(7_200_000)

t.test(`a pack under attack (HEADWATER_SEED=${seed})`, async (t) => {
  const original = packFolder(t)
  const { url } = await testDatabase(t)
  await indexRecording(url, CHAIN, new ReplaySource(RECORDINGS.small), 90)
  await pack(url, original, RECORDINGS.small, { blocksPerFile: 60 })
  const catalog = await catalogOf(url)

  await t.test('an unchanged pack is confirmed', async (t) => {
    t.equal((await check(original, catalog)).confirmedBy, `block 90 ${ID_90}`)
  })

  await t.test(`${DAMAGES} files with a changed bit, cut, longer, exchanged or missing`, async (t) => {
    const random = new Random(seed)
    const folder = packFolder(t)
    // Also files with ranges of the manifest.
    await pack(url, folder, RECORDINGS.small, { blocksPerFile: 20, partRanges: 2 })
    const stored = readFileSync(join(folder, MANIFEST))
    const files = filesOf(readManifest(stored))
    t.ok(files.some(({ name }) => name.includes('-ranges-')))
    const manifest = { name: MANIFEST, bytes: stored.length, sha256: '' }
    for (let i = 0; i < DAMAGES; i++) {
      const file = random.integer(0, 5) === 0 ? manifest : random.pick(files)
      const path = join(folder, file.name)
      const bytes = readFileSync(path)
      const [what, code] = damage(random, path, bytes, () =>
        readFileSync(join(folder, otherThan(file, files, random).name)),
      )
      // A fetch reads the files in turn, so most of its work is that of reading one.
      const isOfManifest = /manifest|ranges/.test(file.name)
      const work = isLong || isOfManifest || i % 15 === 0 ? checkAll(folder, catalog) : readAll(folder, file)
      const error = await failure(work)
      const block = file === manifest ? undefined : Number(file.name.slice(0, 10))
      if (error?.code !== code || error.place.file !== file.name || error.place.block !== block) {
        return t.fail(`${file.name}, ${what}: ${error?.code ?? 'not found'} ${JSON.stringify(error?.place)}`)
      }
      writeFileSync(path, bytes)
    }
    t.pass('each was found')
  })

  await t.test('every bit of the manifest', async (t) => {
    const bytes = readFileSync(join(original, MANIFEST))
    const wrong: number[] = []
    for (let bit = 0; bit < 8 * bytes.length; bit += isLong ? 1 : 7) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3]! ^= 1 << (bit & 7)
      const error = await failure((async () => readManifest(flipped))())
      if (error?.code !== 'PACK_DAMAGED' || error.place.file !== MANIFEST) wrong.push(bit)
    }
    t.same(wrong, [])
  })

  await t.test('files that are cut, missing or swapped', async (t) => {
    const { ranges, states } = manifestOf(original)
    const [first, second] = ranges
    const damage: [string, PackFile, (path: string, folder: string) => void][] = [
      ['PACK_DAMAGED', first!.rows, (path) => truncateSync(path, first!.rows.bytes - 1)],
      ['PACK_DAMAGED', states[0]!.rows, (path) => truncateSync(path, 8)],
      ['PACK_DAMAGED', second!.rows, (path) => writeFileSync(path, 'x', { flag: 'a' })],
      ['PACK_FILE_MISSING', first!.blocks!, (path) => rmSync(path)],
      ['PACK_DAMAGED', first!.blocks!, (path, folder) => renameSync(join(folder, second!.blocks!.name), path)],
    ]
    for (const [code, file, work] of damage) {
      const folder = copyOf(t, original)
      work(join(folder, file.name), folder)
      t.match(await failure(check(folder, catalog)), { code, place: { file: file.name } })
    }
  })

  await t.test('an omitted column counts as null: the pack of an older version is not refuted', async (t) => {
    const folder = copyOf(t, original)
    const manifest = manifestOf(folder)
    const { rows: file } = manifest.ranges[0]!
    const chunks = await chunksOf(folder, file)
    const index = tablesOf(chunks).get('ledger.position_events')!
    const [from, to] = withoutColumn(chunks[index - 1]!, chunks[index]!.content, 'reserve_a')
    chunks.splice(index - 1, 2, { kind: CHUNK.section, content: from }, { kind: CHUNK.data, content: to })
    await replaceRows(folder, file, chunks)
    putManifest(folder, manifest)
    t.match(await failure(check(folder, catalog)), {
      code: 'PACK_OLDER',
      message: /ledger.position_events lacks the column reserve_a, for which/,
    })
  })

  await t.test('ABIs that no action sets', async (t) => {
    const { foreignAbis } = await check(original, catalog)
    t.same(foreignAbis, [])
    const account = 'bridge.svc'
    const abi = Buffer.from('abi of the publisher')
    const folder = copyOf(t, original)
    for (const [blockNum, seed, expected] of [
      [30, null, /block 30: an ABI of bridge.svc that no action sets/],
      [0, Buffer.from('abi of the configuration'), /the ABI of bridge.svc is not the one of the configuration/],
      [0, abi, null],
      [0, null, null],
    ] as const) {
      const manifest = manifestOf(original)
      const { rows: file } = manifest.ranges[0]!
      const chunks = await chunksOf(original, file)
      const index = tablesOf(chunks).get('ledger.abis')!
      const { columns } = readSection(chunks[index - 1]!.content, '')
      const row = abiRow(columns, { account, blockNum, abi })
      chunks[index] = { kind: CHUNK.data, content: Buffer.concat([row, chunks[index]!.content]) }
      await replaceRows(folder, file, chunks)
      putManifest(folder, manifest)
      const work = check(folder, catalog, { seedAbis: seed ? new Map([[account, seed]]) : undefined })
      if (expected) t.match(await failure(work), { code: 'PACK_REFUTED', message: expected })
      else t.same((await work).foreignAbis, seed ? [] : [account])
    }
  })

  await t.test('ABIs of a file outside the sample are taken from its actions', async (t) => {
    const folder = copyOf(t, original)
    const manifest = manifestOf(folder)
    const { rows: file } = manifest.ranges[0]!
    const chunks = await chunksOf(folder, file)
    const index = tablesOf(chunks).get('ledger.abis')!
    const content = Buffer.from(chunks[index]!.content)
    const { columns } = readSection(chunks[index - 1]!.content, '')
    const at = columns.findIndex(([name]) => name === 'abi')
    eachTuple(content, columns.length, (tuple) => {
      content.fill(0, tuple.at[at], tuple.at[at]! + tuple.length[at]!)
    })
    chunks[index] = { kind: CHUNK.data, content }
    await replaceRows(folder, file, chunks)
    putManifest(folder, manifest)
    const report = await check(folder, catalog, { computesRows: (place) => place > 0 })
    t.ok(report.equal['ledger.transfers'])
  })

  await t.test('a start of finality in the middle, which leaves the blocks before it unproved', async (t) => {
    for (const computesRows of [true, false]) {
      const folder = copyOf(t, original)
      await startAfter(folder, 70)
      const error = await failure(check(folder, catalog, { computesRows }))
      t.match(error, {
        code: 'PACK_REFUTED',
        message: /under Savanna, and the pack has no start/,
        place: { block: Number },
      })
    }
  })

  await t.test('a start of finality whose policy is replaced in the pack', async (t) => {
    const whole = packFolder(t)
    await pack(url, whole, RECORDINGS.small, { blocksPerFile: 15 })
    const startAt = async (num: number) => {
      const folder = copyOf(t, whole)
      return { folder, policies: await startAfter(folder, num) }
    }
    const checked = (folder: string, trust: string) => check(folder, catalog, { computesRows: false, trust })
    const { policies } = await startAt(75)
    const [first, second] = policies as [string, string]
    t.equal(first, POLICY)

    // The first policy signs after block 30: certificates of the pack hand over from it to the later ones.
    const { folder: early } = await startAt(30)
    t.equal((await checked(early, first)).confirmedBy, `finalizer policy ${first}`)
    t.match(await failure(checked(early, second)), { code: 'PACK_NOT_TRUSTED', message: new RegExp(first) })

    // After block 45 another policy signs at once, and no certificate of the pack ties it to the one before.
    const { folder: late, policies: known } = await startAt(45)
    t.same(known, [first, second])
    t.equal((await checked(late, second)).confirmedBy, `finalizer policy ${second}`)
    t.match(await failure(checked(late, first)), {
      code: 'PACK_NOT_TRUSTED',
      message: new RegExp(`the first finalizer policy that signs is ${second}`),
    })
    const manifest = manifestOf(late)
    const { savanna: start } = startsFromJson(manifest.starts)
    const store = new FolderStore(late)
    t.match(await trustedPolicy({ chain: CHAIN, store, manifest, start, genesis: null, signal }), {
      digest: second,
      replaces: { digest: first, generation: 1 },
    })
  })

  await t.test('blocks and actions that are removed or altered, with corrected digests', async (t) => {
    const changes: [string, (blocks: SlimBlock[]) => SlimBlock[], RegExp][] = [
      ['a block is left out', (all) => all.filter((_, i) => i !== 20), /belongs/],
      ['the last block is left out', (all) => all.slice(0, -1), /the manifest says/],
      ['two blocks are exchanged', (all) => [...all.slice(0, 5), all[6]!, all[5]!, ...all.slice(7)], /belongs/],
      [
        'an action has other data',
        (all) => all.map((block, i) => (i === 50 ? flipped(block, 'traces') : block)),
        /block 52: .*(digest|root)/,
      ],
      [
        'a block has no actions',
        (all) => all.map((block, i) => (i === 50 ? { ...block, traces: new Uint8Array([0]) } : block)),
        /block 52: .*root/,
      ],
      [
        'a header has another time',
        (all) => all.map((block, i) => (i === 50 ? flipped(block, 'block') : block)),
        /block 5[23]/,
      ],
      [
        'finality data have another root',
        (all) => all.map((block, i) => (i === 50 ? flipped(block, 'finality') : block)),
        /block 5/,
      ],
      [
        'finality data are left out',
        (all) => all.map((block, i) => (i === 50 ? { ...block, finality: null } : block)),
        /block 52/,
      ],
    ]
    for (const [name, change, message] of changes) {
      const folder = copyOf(t, original)
      const manifest = manifestOf(folder)
      const file = manifest.ranges[0]!.blocks!
      await replaceBlocks(folder, file, manifest.ranges[0]!.rows, change)
      putManifest(folder, manifest)
      t.match(await failure(check(folder, catalog)), { code: 'PACK_REFUTED', message, place: { block: Number } }, name)
    }
  })
})

/** As a fetch: the manifest first, as it is stored. */
async function checkAll(folder: string, catalog: Catalog): Promise<void> {
  await openPack({ store: new FolderStore(folder), chain: CHAIN, settings: SETTINGS, signal })
  await check(folder, catalog)
}

async function readAll(folder: string, { name, bytes, sha256 }: PartFile): Promise<void> {
  const store = new FolderStore(folder)
  const read = /-(blocks|proof)-/.test(name) ? readBlocks : readRows
  const file = { name, bytes, sha256, rows: {} }
  for await (const _ of read(store, file, signal));
}

/** A byte in the middle of a part is changed: of the header's time, of the actions, of the action root. */
function flipped(block: SlimBlock, part: 'block' | 'traces' | 'finality'): SlimBlock {
  const bytes = Uint8Array.from(block[part] ?? [])
  const at = { block: 0, traces: bytes.length >> 1, finality: 20 }[part]
  bytes[at]! ^= 1
  return { ...block, [part]: bytes }
}
