// Forges rows as a dishonest publisher would: removes, alters, adds and repeats a row of each table of a pack, with
// corrected digests.
import type { Test } from 'tap'
import type { Catalog } from '../../indexer/store/catalog.ts'
import { CHUNK } from '../../packs/format/chunks.ts'
import { readSection, sectionContent } from '../../packs/format/section.ts'
import type { ChainSettings } from '../../packs/format/settings.ts'
import { isOfRange } from '../../packs/format/sql.ts'
import { MASKED, UNCOMMITTED } from '../../packs/verify/determined.ts'
import type { PackReport } from '../../packs/verify/pack-check.ts'
import type { Random } from '../support/random.ts'
import { check, copyOf, failure } from './checked.ts'
import { CHAIN } from './scene.ts'
import {
  chunksOf,
  manifestOf,
  putManifest,
  type Row,
  replaceRows,
  rowFilesOf,
  rowsOf,
  storeMadeRows,
  tablesOf,
  textOf,
  tupleOf,
} from './tamper.ts'

export interface PackedHistory {
  folder: string
  catalog: Catalog
  trust: string
  settings: ChainSettings
}

const WAYS = ['removed', 'altered', 'added', 'repeated'] as const
type Way = (typeof WAYS)[number]

/** Tables of EVM chains: no action of an Antelope chain makes rows of them. */
export const OF_EVM = [
  'learned_policies',
  'quiet_ranges',
  'stored_roots',
  'vault_changes',
  'vault_deposits',
  'withdrawal_outcomes',
].map((name) => `ledger.${name}`)

/**
 * Forges rows of the tables. All forgeries are found, but those of the tables that a fetch lists.
 *
 * @param limit  tables of the ranges to try, drawn at random; default: all, and those of the state
 */
export async function rowsAreFound(t: Test, pack: PackedHistory, random: Random, limit?: number): Promise<PackReport> {
  const folder = copyOf(t, pack.folder)
  await storeMadeRows(folder, CHAIN, pack.catalog)
  const history = { ...pack, folder }
  const { catalog, ...options } = history
  const report = await check(folder, catalog, options)
  const unnoticed = Object.fromEntries(WAYS.map((way) => [way, new Set<string>()]))
  const manifest = manifestOf(folder)
  const tried = new Set<string>()
  for (const [place, file] of rowFilesOf(manifest).entries()) {
    const isState = place >= manifest.ranges.length
    const found = [...tablesOf(await chunksOf(folder, file))].filter(([table]) => !tried.has(table))
    // The rows of a state are all tried together.
    const groups = isState ? [found] : found.map((table) => [table])
    for (const some of limit === undefined ? groups : pick(random, isState ? [] : groups, limit)) {
      for (const [table] of some) tried.add(table)
      for (const way of WAYS) {
        const forged = await withRows(t, history, { place, tables: some, way, random })
        const error = await failure(check(forged, catalog, options))
        if (error === null) for (const [table] of some) unnoticed[way]!.add(table)
        else
          t.match(error, { code: 'PACK_REFUTED', place: { file: /-(rows|state)-/, block: Number } }, `${some} ${way}`)
      }
    }
  }
  // ABIs that only account rows show are not determined either; actions set the one that is tried.
  const { equal, unverified } = report
  const named = Object.keys(unverified).filter((table) => unverified[table]! > 0 && !equal[table] && tried.has(table))
  for (const way of WAYS) t.same([...unnoticed[way]!].sort(), named, `${way}: the tables that a fetch lists`)
  t.ok(
    named.filter(isOfRange).every((table) => table in UNCOMMITTED),
    'each with a reason',
  )
  for (const table of limit === undefined ? OF_EVM : [random.pick(OF_EVM)]) await isRefused(t, history, table)
  return report
}

function pick<T>(random: Random, from: readonly T[], count: number): T[] {
  const left = [...from]
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(random.integer(0, left.length - 1), 1)[0]!,
  )
}

interface Forgery {
  /** Place of the file with rows. */
  place: number
  tables: readonly [table: string, index: number][]
  way: Way
  random: Random
}

/** A copy of a pack where a row of some tables in one file is forged. */
async function withRows(t: Test, { folder: original }: PackedHistory, forgery: Forgery): Promise<string> {
  const folder = copyOf(t, original)
  const manifest = manifestOf(folder)
  const file = rowFilesOf(manifest)[forgery.place]!
  const chunks = await chunksOf(folder, file)
  for (const [table, index] of forgery.tables) {
    const { columns } = readSection(chunks[index - 1]!.content, '')
    const rows = rowsOf(chunks[index]!.content, columns.length)
    forge(rows, table, columns, forgery)
    chunks[index] = { kind: CHUNK.data, content: Buffer.concat(rows.map(tupleOf)) }
  }
  await replaceRows(folder, file, chunks)
  putManifest(folder, manifest)
  return folder
}

type Columns = readonly (readonly [name: string, type: string])[]

function forge(rows: Row[], table: string, columns: Columns, { way, random }: Forgery): void {
  const isMade = (row: Row) => {
    const sequence = row[columns.findIndex(([name]) => name === 'global_seq')]
    return table !== 'ledger.abis' || sequence?.readBigInt64BE() !== 0n
  }
  const at = rows.indexOf(random.pick(rows.filter(isMade)))
  if (way === 'removed') rows.splice(at, 1)
  else if (way === 'repeated') rows.splice(at, 0, rows[at]!)
  else rows.splice(at, way === 'altered' ? 1 : 0, altered(rows[at]!, table, columns, random))
}

/** The row with another value in one of its columns that are compared. */
function altered(row: Row, table: string, columns: Columns, random: Random): Row {
  const places = [...columns.keys()].filter(
    (i) => (row[i]?.length ?? 0) > 0 && !MASKED[table]?.includes(columns[i]![0]),
  )
  const changed = [...row]
  const place = random.pick(places)
  const [, type] = columns[place]!
  const before = row[place]!
  const field = Buffer.from(before)
  field[field.length - 1]! ^= 1
  // More decimals to display do not change a number that has none.
  if (textOf(field, type) === textOf(before, type)) field[0]! ^= 1
  changed[place] = field
  return changed
}

/** Adds a row of a table of which the pack has none. */
async function isRefused(
  t: Test,
  { folder: original, catalog, ...options }: PackedHistory,
  table: string,
): Promise<void> {
  const folder = copyOf(t, original)
  const manifest = manifestOf(folder)
  const { rows: file } = manifest.ranges[0]!
  const columns = catalog
    .get(table)!
    .columns.slice(1)
    .map(({ name, type }) => [name, type] as const)
  const block = Buffer.alloc(8)
  block.writeBigInt64BE(BigInt(manifest.firstBlock))
  const row = columns.map(([name]) => (name === 'block_num' ? block : null))
  const chunks = await chunksOf(folder, file)
  chunks.push({ kind: CHUNK.section, content: sectionContent({ table, columns }) })
  chunks.push({ kind: CHUNK.data, content: tupleOf(row) })
  await replaceRows(folder, file, chunks)
  putManifest(folder, manifest)
  const error = await failure(check(folder, catalog, options))
  t.match(error, { code: 'PACK_REFUTED', message: new RegExp(`a row of ${table} is not one`) }, table)
}
