// What a publisher writes over time: manifests with many ranges, packs of other versions of the program, a second
// publisher, and a reader that reads while he writes.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { FolderStore } from '../../net/objects/folder.ts'
import { CHUNK } from '../../packs/format/chunks.ts'
import { FORMAT } from '../../packs/format/manifest.ts'
import { readSection, sectionContent } from '../../packs/format/section.ts'
import { openManifest } from '../../packs/read/manifest.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { testDatabase } from '../support/database.ts'
import { digestOf, FROZEN, fetch, ID_90, pack, packFolder, RECORDINGS } from './scene.ts'
import { chunksOf, manifestOf, putManifest, replaceRows, tablesOf, withoutColumn } from './tamper.ts'

const trust = ID_90
const { signal } = new AbortController()
const NEVER_MS = 3_600_000

/** Counts the manifests that are written, and calls `onOpen` for each file that is read. */
class WatchedStore extends FolderStore {
  manifests = 0
  onOpen: () => Promise<void> = async () => {}

  override async replace(...args: Parameters<FolderStore['replace']>): Promise<void> {
    this.manifests++
    await super.replace(...args)
  }

  override async open(...args: Parameters<FolderStore['open']>): ReturnType<FolderStore['open']> {
    await this.onOpen()
    return super.open(...args)
  }
}

t.test('a publisher over time', async (t) => {
  const original = packFolder(t)
  const [publisher, reader] = [await testDatabase(t), await testDatabase(t)]
  await indexRecording(publisher.url, 'wax', new ReplaySource(RECORDINGS.small), 90)
  await pack(publisher.url, original, RECORDINGS.small, { blocksPerFile: 20 })
  const digest = await digestOf(publisher.url)
  const clear = async () => {
    await reader.pool.query(`select meta.clear_chain('wax')`)
  }

  await t.test('the manifest is written in intervals, and many ranges go to files of their own', async (t) => {
    const folder = packFolder(t)
    const often = new WatchedStore(folder)
    const options = { blocksPerFile: 20, partRanges: 2 }
    await pack(publisher.url, folder, RECORDINGS.small, { ...options, store: often, publishMs: 0 })
    t.equal(often.manifests, 6, 'after each of five ranges, and with the state')
    const stored = manifestOf(folder)
    t.same([stored.parts.length, stored.ranges.length], [2, 1])
    const opened = await openManifest(often, signal)
    t.same(opened!.manifest.ranges, manifestOf(original).ranges)

    const seldom = new WatchedStore(packFolder(t))
    await pack(publisher.url, '', RECORDINGS.small, { ...options, store: seldom, publishMs: NEVER_MS })
    t.equal(seldom.manifests, 1, 'at the end')
    t.same((await openManifest(seldom, signal))!.manifest, opened!.manifest)

    t.match(await pack(publisher.url, folder, RECORDINGS.small, options), { written: 0, ranges: 5 })
    await fetch(reader.url, folder, { verify: { trust } })
    t.equal(await digestOf(reader.url), digest)
    await clear()

    const [part] = stored.parts
    const path = join(folder, part!.name)
    const bytes = readFileSync(path)
    const damage: [string, Buffer][] = [
      ['its SHA-256', Buffer.from(bytes.toString().replace('"from":2', '"from":3'))],
      ['bytes', bytes.subarray(1)],
    ]
    for (const [message, content] of damage) {
      writeFileSync(path, content)
      const expected = { code: 'PACK_DAMAGED', message: new RegExp(message), place: { file: part!.name, block: 2 } }
      await t.rejects(fetch(reader.url, folder), expected)
    }
  })

  await t.test('a run that is stopped publishes the ranges that it has written', async (t) => {
    const folder = packFolder(t)
    const stop = new AbortController()
    const stopped = { blocksPerFile: 20, publishMs: NEVER_MS, signal: stop.signal }
    const onRange = (_: number, to: number) => to === 40 && stop.abort()
    await t.rejects(pack(publisher.url, folder, RECORDINGS.small, { ...stopped, onRange }))
    t.equal(manifestOf(folder).ranges.length, 2)
    await t.rejects(fetch(reader.url, folder), { code: 'PACK_UNFINISHED' })
  })

  await t.test('two publishers of one pack', async (t) => {
    const folder = packFolder(t)
    const onRange = () => putManifest(folder, manifestOf(original))
    const work = pack(publisher.url, folder, RECORDINGS.small, { blocksPerFile: 20, publishMs: 0, onRange })
    await t.rejects(work, { code: 'PACK_WRITTEN_TWICE' })
    t.same(manifestOf(folder), manifestOf(original), 'the manifest of the other one stays')
  })

  await t.test('packs of other versions of the program', async (t) => {
    const changed = async (change: (folder: string) => Promise<void> | void) => {
      const folder = packFolder(t)
      cpSync(original, folder, { recursive: true })
      await change(folder)
      return folder
    }
    const withFormat = (format: number) =>
      changed((folder) => {
        putManifest(folder, { ...manifestOf(folder), format })
      })
    const later = await withFormat(FORMAT + 1)
    await t.rejects(fetch(reader.url, later), { code: 'PACK_NEWER', message: new RegExp(`layout ${FORMAT + 1}`) })
    await t.rejects(fetch(reader.url, await withFormat(1)), { code: 'PACK_OLDER', message: /layout 1/ })
    await t.rejects(pack(publisher.url, later, RECORDINGS.small), { code: 'PACK_NEWER' })

    const continued = packFolder(t)
    cpSync(`${FROZEN}2`, continued, { recursive: true })
    t.equal(manifestOf(continued).format, 2)
    t.match(await pack(publisher.url, continued, RECORDINGS.small), { block: 90, ranges: 5 })
    t.equal(manifestOf(continued).format, FORMAT, 'the manifest gets a digest')
    await fetch(reader.url, continued, { verify: { trust } })
    t.equal(await digestOf(reader.url), digest)
    await clear()

    const column = await changed((folder) => {
      return changeSection(folder, 'ledger.swaps', (columns) => columns.map(([name, type]) => [`${name}_x`, type]))
    })
    await t.rejects(fetch(reader.url, column, { restart: true }), { code: 'PACK_NEWER', message: /no column .*_x/ })

    const lacking = await changed((folder) => leaveOut(folder, 'ledger.swaps', 'sender'))
    await t.rejects(fetch(reader.url, lacking, { restart: true }), {
      code: 'PACK_OLDER',
      message: /lacks the column sender/,
    })

    const older = await changed((folder) => {
      putManifest(folder, { ...manifestOf(folder), program: '0.0.1' })
      return leaveOut(folder, 'ledger.swaps', 'usd')
    })
    await fetch(reader.url, older, { restart: true })
    const { rows } = await reader.pool.query('select count(*)::int4 as n, count(usd)::int4 as usd from ledger.swaps')
    t.ok(rows[0].n > 0)
    t.equal(rows[0].usd, 0, 'a column that was added later is null')
    await clear()
  })

  await t.test('a pack of rows alone', async (t) => {
    const folder = packFolder(t)
    const summary = await pack(publisher.url, folder, RECORDINGS.small, { source: null })
    t.match(summary, { hasBlocks: false, proved: null, policy: null })
    await t.rejects(fetch(reader.url, folder, { verify: { trust } }), { code: 'PACK_ROWS_ONLY', place: { block: 2 } })
    await fetch(reader.url, folder, { restart: true })
    t.equal(await digestOf(reader.url), digest)
    await clear()
  })

  await t.test('a fetch while the publisher writes leads to the block of its manifest', async (t) => {
    const folder = packFolder(t)
    cpSync(original, folder, { recursive: true })
    const store = new WatchedStore(folder)
    const files = readdirSync(folder).length
    store.onOpen = async () => {
      store.onOpen = async () => {}
      await indexRecording(publisher.url, 'wax', new ReplaySource(RECORDINGS.small))
      await pack(publisher.url, folder, RECORDINGS.small, { blocksPerFile: 20 })
    }
    t.match(await fetch(reader.url, folder, { verify: { trust }, store }), { block: 90 })
    t.ok(readdirSync(folder).length > files, 'the publisher has written meanwhile')
    t.equal(await digestOf(reader.url), digest)
  })
})

type Columns = [name: string, type: string][]

async function changeSection(folder: string, table: string, change: (columns: Columns) => Columns): Promise<void> {
  await changeRows(folder, table, (section, content) => {
    const columns = change(section.columns.map(([name, type]) => [name, type]))
    return [sectionContent({ table, columns }), content]
  })
}

function leaveOut(folder: string, table: string, column: string): Promise<void> {
  return changeRows(folder, table, ({ columns }, content) => {
    const section = { kind: CHUNK.section, content: sectionContent({ table, columns }) }
    return withoutColumn(section, content, column)
  })
}

/** Changes the section and the rows of a table in every file of rows. */
async function changeRows(
  folder: string,
  table: string,
  change: (section: ReturnType<typeof readSection>, content: Buffer) => [section: Buffer, rows: Buffer],
): Promise<void> {
  const manifest = manifestOf(folder)
  for (const { rows: file } of manifest.ranges) {
    const chunks = await chunksOf(folder, file)
    const index = tablesOf(chunks).get(table)
    if (index === undefined) continue
    const [from, to] = change(readSection(chunks[index - 1]!.content, ''), chunks[index]!.content)
    chunks.splice(index - 1, 2, { kind: CHUNK.section, content: from }, { kind: CHUNK.data, content: to })
    await replaceRows(folder, file, chunks)
  }
  putManifest(folder, manifest)
}
