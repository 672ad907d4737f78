// What a manifest says is compared with what the files have, and its ranges with each other. Each manifest here has a
// right digest: a publisher wrote it so.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { eachTuple } from '../../indexer/store/copy/tuples.ts'
import { FolderStore } from '../../net/objects/folder.ts'
import { CHUNK } from '../../packs/format/chunks.ts'
import { fileName, type PackRange, rangesText, type StoredManifest } from '../../packs/format/manifest.ts'
import { readSection, sectionContent } from '../../packs/format/section.ts'
import { openPack } from '../../packs/read/fetch.ts'
import { openManifest } from '../../packs/read/manifest.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { testDatabase } from '../support/database.ts'
import { copyOf } from './checked.ts'
import { CHAIN, fetch, ID_90, pack, packFolder, RECORDINGS, SETTINGS } from './scene.ts'
import { chunksOf, manifestOf, putManifest, replaceRows, tablesOf } from './tamper.ts'

const { signal } = new AbortController()
const BOTH = [null, { trust: ID_90 }]

t.test('manifests of a publisher', async (t) => {
  const original = packFolder(t)
  const publisher = await testDatabase(t)
  await indexRecording(publisher.url, CHAIN, new ReplaySource(RECORDINGS.small), 90)
  await pack(publisher.url, original, RECORDINGS.small, { blocksPerFile: 30 })
  const reader = await testDatabase(t)
  const changed = (t: Test, change: (manifest: StoredManifest) => void) => {
    const folder = copyOf(t, original)
    const manifest = manifestOf(folder)
    change(manifest)
    putManifest(folder, manifest)
    return folder
  }
  const filled = async () => (await reader.pool.query('select from ledger.blocks limit 1')).rowCount

  await t.test('numbers of rows', async (t) => {
    const changes: [(manifest: StoredManifest) => void, RegExp][] = [
      [({ states }) => Object.assign(states[0]!.rows, { rows: {} }), /has \d+ rows of (state|derive)\.\w+, .* says 0/],
      [({ states }) => (states[0]!.rows.rows['state.balances']! += 1), /rows of state\.balances/],
      [({ states }) => (states[0]!.rows.rows['state.never'] = 1), /has 0 rows of state\.never, the manifest says 1/],
      [({ ranges }) => (ranges[1]!.rows.rows['ledger.market_fees'] = 7), /rows of ledger\.market_fees, .* says 7/],
    ]
    for (const [change, message] of changes) {
      for (const verify of BOTH) {
        const error = { code: 'PACK_REFUTED', message, place: { file: /pack$/, block: Number } }
        await t.rejects(fetch(reader.url, changed(t, change), { verify }), error)
        t.equal(await filled(), 0)
      }
    }
  })

  await t.test('names that are printed', async (t) => {
    for (const name of ['\u001b[2J', 'Ledger.x', 'a b', '']) {
      const folder = changed(t, ({ states }) => (states[0]!.rows.rows[name] = 1))
      await t.rejects(fetch(reader.url, folder), { code: 'PACK_DAMAGED', place: { file: 'manifest.json' } }, name)
    }
  })

  await t.test('ranges with a gap, twice, or in another order', async (t) => {
    const changes: [string, (ranges: PackRange[]) => void, RegExp][] = [
      ['gap', (ranges) => ranges.splice(1, 1), /blocks 61 to 90 stands where 31 follows/],
      ['twice', (ranges) => ranges.splice(1, 0, ranges[1]!), /blocks 31 to 60 stands where 61 follows/],
      ['order', (ranges) => ranges.reverse(), /blocks 61 to 90 stands where 2 follows/],
      ['cut', (ranges) => ranges.pop(), /the state of block 90 is at the end of no range/],
      ['backwards', (ranges) => (ranges[0]!.to = 1), /blocks 2 to 1 stands where 2 follows/],
    ]
    for (const [name, change, message] of changes) {
      const folder = changed(t, ({ ranges }) => change(ranges))
      await t.rejects(
        fetch(reader.url, folder),
        { code: 'PACK_DAMAGED', message, place: { file: 'manifest.json' } },
        name,
      )
    }
  })

  await t.test('more ranges than arguments of a call', async (t) => {
    const folder = copyOf(t, original)
    const manifest = manifestOf(folder)
    const [first] = manifest.ranges
    const many = Array.from({ length: 150_000 }, (_, i) => ({ ...first!, from: 2 + i, to: 2 + i }))
    const content = rangesText(many)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const name = fileName(2, 150_001, 'ranges', sha256)
    writeFileSync(join(folder, name), content)
    putManifest(folder, { ...manifest, parts: [{ name, bytes: content.length, sha256 }], ranges: [], states: [] })
    const opened = await openManifest(new FolderStore(folder), signal)
    t.equal(opened!.manifest.ranges.length, 150_000)
    const large = { name, bytes: 2 ** 30 + 1, sha256 }
    putManifest(folder, { ...manifest, parts: [large] })
    await t.rejects(openManifest(new FolderStore(folder), signal), {
      code: 'PACK_DAMAGED',
      message: /more than are read/,
    })
    putManifest(folder, { ...manifest, parts: Array.from({ length: 10_001 }, () => ({ ...large, bytes: 1 })) })
    await t.rejects(openManifest(new FolderStore(folder), signal), { code: 'PACK_DAMAGED', message: /parts/ })
  })

  await t.test('the id of the chain', async (t) => {
    const open = (chainId: string | null, configured: string | null) => {
      const store = new FolderStore(changed(t, (manifest) => (manifest.chainId = chainId)))
      return openPack({ store, chain: CHAIN, chainId: configured, settings: SETTINGS, signal })
    }
    const [own, other] = ['ab'.repeat(32), 'cd'.repeat(32)]
    await t.rejects(open(null, own), { code: 'PACK_OTHER_CHAIN', message: /without an id, configured is abab/ })
    await t.rejects(open(other, own), { code: 'PACK_OTHER_CHAIN' })
    for (const configured of [own, null]) t.ok(await open(own, configured))
    t.ok(await open(null, null))
  })

  await t.test('ranges that are left out at the beginning show in the first block', async (t) => {
    t.equal((await fetch(reader.url, original)).firstBlock, 2)
    await reader.pool.query(`select meta.clear_chain('wax')`)
  })

  await t.test('a pack with the same rows and other headers is another one', async (t) => {
    const stop = new AbortController()
    await t.rejects(fetch(reader.url, original, { connections: 1, onRange: () => stop.abort(), signal: stop.signal }))
    const folder = changed(t, ({ ranges }) => (ranges[0]!.blocks!.sha256 = 'ab'.repeat(32)))
    await t.rejects(fetch(reader.url, folder), { code: 'FETCH_OTHER_PACK', place: { block: 2 } })
    await fetch(reader.url, original, { restart: true })
    await reader.pool.query(`select meta.clear_chain('wax')`)
  })

  await t.test('a row that the database refuses', async (t) => {
    const folder = copyOf(t, original)
    const manifest = manifestOf(folder)
    const range = manifest.ranges.find(({ rows }) => rows.rows['ledger.market_fees'])!
    const chunks = await chunksOf(folder, range.rows)
    const index = tablesOf(chunks).get('ledger.market_fees')!
    const { columns } = readSection(chunks[index - 1]!.content, '')
    const text = columns.findIndex(([, type]) => type === 'text')
    const content = Buffer.from(chunks[index]!.content)
    eachTuple(content, columns.length, ({ at, length }) => content.fill(0xff, at[text], at[text]! + length[text]!))
    chunks[index] = { kind: CHUNK.data, content }
    await replaceRows(folder, range.rows, chunks)
    putManifest(folder, manifest)
    for (const verify of BOTH) {
      const refused = { code: 'PACK_REFUTED', message: /refuses a row of ledger.market_fees/ }
      const place = { file: range.rows.name, block: range.from }
      await t.rejects(fetch(reader.url, folder, { verify }), { ...refused, place })
    }
  })

  await t.test('a table that this program does not know, and one that such a file never has', async (t) => {
    for (const [table, code] of [
      ['ledger.futures', 'PACK_NEWER'],
      ['state.pools', 'PACK_DAMAGED'],
      ['ledger.orphaned_blocks', 'PACK_DAMAGED'],
    ] as const) {
      const folder = copyOf(t, original)
      const manifest = manifestOf(folder)
      const { rows: file } = manifest.ranges[0]!
      const chunks = await chunksOf(folder, file)
      const content = sectionContent({ table, columns: [['block_num', 'int8']] })
      await replaceRows(folder, file, [
        ...chunks,
        { kind: CHUNK.section, content },
        { kind: CHUNK.data, content: int8Row(2n) },
      ])
      file.rows[table] = 1
      putManifest(folder, manifest)
      for (const verify of BOTH) {
        await t.rejects(
          fetch(reader.url, folder, { verify, restart: true }),
          { code, place: { file: file.name } },
          table,
        )
      }
    }
  })

  await t.test('a table that an older version did not have', async (t) => {
    const table = 'ledger.claim_events'
    const folder = copyOf(t, original)
    const manifest = manifestOf(folder)
    for (const { rows: file } of manifest.ranges) {
      const chunks = await chunksOf(folder, file)
      const index = tablesOf(chunks).get(table)
      if (index === undefined) continue
      chunks.splice(index - 1, 2)
      await replaceRows(folder, file, chunks)
      delete file.rows[table]
    }
    putManifest(folder, manifest)
    const older = {
      code: 'PACK_OLDER',
      message: /the pack has no rows of ledger.claim_events/,
      place: { block: Number },
    }
    await t.rejects(fetch(reader.url, folder, { verify: { trust: ID_90 }, restart: true }), older)
    await fetch(reader.url, folder, { restart: true })
  })
})

function int8Row(value: bigint): Buffer {
  const row = Buffer.alloc(14)
  row.writeInt16BE(1)
  row.writeInt32BE(8, 2)
  row.writeBigInt64BE(value, 6)
  return row
}
