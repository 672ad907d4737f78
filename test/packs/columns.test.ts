// A dishonest publisher changes any column of any row that the pack stores, and corrects all digests: a verified fetch
// refuses the pack, or names the column as not verified.
import t, { type Test } from 'tap'
import { ReplaySource } from '../../indexer/source/replay.ts'
import type { Catalog } from '../../indexer/store/catalog.ts'
import { CHUNK } from '../../packs/format/chunks.ts'
import { readSection } from '../../packs/format/section.ts'
import type { PackReport } from '../../packs/verify/pack-check.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { testDatabase } from '../support/database.ts'
import { Random, seedFromEnvironment } from '../support/random.ts'
import { catalogOf, check, copyOf, failure } from './checked.ts'
import { CHAIN, pack, packFolder, RECORDINGS } from './scene.ts'
import {
  chunksOf,
  manifestOf,
  putManifest,
  type Row,
  replaceRows,
  rowsOf,
  storeMadeRows,
  tablesOf,
  textOf,
  tupleOf,
} from './tamper.ts'

const isLong = process.env.HEADWATER_TEST_LONG !== undefined
const SAMPLE = 25
const seed = seedFromEnvironment()
t.setTimeout(7_200_000)

const WAYS = ['another value', 'null', 'the value of another row', 'a value for null', 'the row twice'] as const

interface Forgery {
  /** Place of the range. */
  place: number
  table: string
  column: number
  way: (typeof WAYS)[number]
}

for (const [name, end] of [
  ['small', 90],
  ['medium', 400],
  ['forks', 260],
] as const) {
  const skip = isLong || name === 'small' ? false : 'a part of the long run'
  t.test(`forged columns of the recording ${name} (HEADWATER_SEED=${seed})`, { skip }, async (t) => {
    const { url } = await testDatabase(t)
    await indexRecording(url, CHAIN, new ReplaySource(RECORDINGS[name]), end)
    const original = packFolder(t)
    const { id } = await pack(url, original, RECORDINGS[name], { blocksPerFile: 400 })
    const catalog = await catalogOf(url)
    await storeMadeRows(original, CHAIN, catalog)
    const report = await check(original, catalog, { trust: id })
    const all = await forgeriesOf(original)
    t.ok(new Set(all.map(({ table }) => table)).size > 15)
    const random = new Random(seed)
    const tried = isLong ? all : Array.from({ length: SAMPLE }, () => random.pick(all))
    const counts = { tried: 0, refused: 0, named: 0 }
    for (const forgery of tried) {
      const folder = copyOf(t, original)
      if (!(await forge(folder, forgery, random))) continue
      counts.tried++
      await judged(t, { folder, forgery, report, catalog, trust: id }, counts)
    }
    t.comment(JSON.stringify(counts))
    t.equal(counts.refused + counts.named, counts.tried)
    t.ok(counts.refused > counts.named)
  })
}

interface Trial {
  folder: string
  forgery: Forgery
  report: PackReport
  catalog: Catalog
  trust: string
}

async function judged(
  t: Test,
  { folder, forgery, report, catalog, trust }: Trial,
  counts: { refused: number; named: number },
): Promise<void> {
  const error = await failure(check(folder, catalog, { trust }))
  const { table, column, way, place } = forgery
  const { columns } = readSection((await sectionOf(folder, forgery)).section, '')
  const columnName = columns[column]?.[0] ?? ''
  const what = `${table}.${columnName}, range ${place}: ${way}`
  if (error === null) {
    const isNamed = way !== 'the row twice' && report.columns[table]?.includes(columnName)
    t.ok(isNamed || (table in report.unverified && !(table in report.equal)), `${what}: not found, not named`)
    counts.named++
    return
  }
  const isRight = ['PACK_REFUTED', 'PACK_DAMAGED', 'PACK_NOT_TRUSTED'].includes(error.code)
  if (!isRight || !/-(rows|blocks)-/.test(String(error.place.file))) t.fail(`${what}: ${error.code} ${error.message}`)
  counts.refused++
}

/** Each way for each column of each table in each range. */
async function forgeriesOf(folder: string): Promise<Forgery[]> {
  const all: Forgery[] = []
  for (const [place, { rows }] of manifestOf(folder).ranges.entries()) {
    const chunks = await chunksOf(folder, rows)
    for (const [table, index] of tablesOf(chunks)) {
      const { columns } = readSection(chunks[index - 1]!.content, '')
      for (const column of columns.keys()) {
        for (const way of WAYS) if (way !== 'the row twice' || column === 0) all.push({ place, table, column, way })
      }
    }
  }
  return all
}

async function sectionOf(folder: string, { place, table }: Forgery) {
  const { rows: file } = manifestOf(folder).ranges[place]!
  const chunks = await chunksOf(folder, file)
  const index = tablesOf(chunks).get(table)!
  return { chunks, index, section: chunks[index - 1]!.content }
}

/** @returns whether there is a row that can be changed in that way */
async function forge(folder: string, forgery: Forgery, random: Random): Promise<boolean> {
  const { chunks, index, section } = await sectionOf(folder, forgery)
  const rows = rowsOf(chunks[index]!.content, readSection(section, '').columns.length)
  if (!change(rows, forgery, readSection(section, '').columns[forgery.column]![1], random)) return false
  chunks[index] = { kind: CHUNK.data, content: Buffer.concat(rows.map(tupleOf)) }
  const manifest = manifestOf(folder)
  await replaceRows(folder, manifest.ranges[forgery.place]!.rows, chunks)
  putManifest(folder, manifest)
  return true
}

function change(rows: Row[], { column, way }: Forgery, type: string, random: Random): boolean {
  if (way === 'the row twice') {
    const row = random.integer(0, rows.length - 1)
    rows.splice(row, 0, rows[row]!)
    return true
  }
  const isNull = way === 'a value for null'
  const candidates = rows.filter((fields) => (fields[column] === null) === isNull)
  if (candidates.length === 0) return false
  const row = random.pick(candidates)
  const before = row[column]
  const others = rows
    .map((fields) => fields[column]!)
    .filter((field) => field && (!before || textOf(field, type) !== textOf(before, type)))
  if (way === 'null') row[column] = null
  else if (isNull || way === 'the value of another row') row[column] = others[0] ?? null
  else if (before && before.length > 0) {
    row[column] = Buffer.from(before)
    const at = random.integer(0, before.length - 1)
    row[column]![at]! ^= 1 << random.integer(0, 7)
    // Zero has no weight, and more decimals to display do not change a number.
    if (textOf(row[column]!, type) === textOf(before, type)) row[column]![0]! ^= 1
  }
  return row[column] !== before && !(row[column] === null && before === null)
}
