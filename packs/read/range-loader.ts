// Loads ranges of blocks, one transaction each, and notes which are there.
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { UserError } from '../../core/errors.ts'
import { type Catalog, readCatalog } from '../../indexer/store/catalog.ts'
import { databaseError } from '../../indexer/store/errors.ts'
import type { Lease } from '../../indexer/store/lease.ts'
import { openClient } from '../../net/postgres.ts'
import type { PackRange } from '../format/manifest.ts'
import type { PackTable } from '../format/sql.ts'
import type { RowChunk } from './files.ts'
import { checkCounts, loadRows } from './load-rows.ts'
import { KEEP_RANGE, RANGES, SETTINGS, SUMMARIZE } from './sql.ts'

interface RangeLoaderOptions {
  chain: string
  databaseUrl: string
  lease: Lease
  firstBlock: number
  tables: ReadonlyMap<string, PackTable>
  /** Ranges of the pack. */
  ranges: readonly PackRange[]
}

export class RangeLoader {
  readonly #options: RangeLoaderOptions
  readonly catalog: Catalog
  /** First blocks of the ranges that are there. */
  readonly #loaded: Set<number>
  readonly #idle: pg.Client[] = []
  readonly #clients = new Set<pg.Client>()

  private constructor(options: RangeLoaderOptions, catalog: Catalog, loaded: Set<number>) {
    this.#options = options
    this.catalog = catalog
    this.#loaded = loaded
  }

  /** @throws UserError FETCH_OTHER_PACK when a range is there that is none of the pack's */
  static async open(client: pg.Client, options: RangeLoaderOptions): Promise<RangeLoader> {
    const { chain, ranges } = options
    const { rows } = await client.query<Loaded>(RANGES, [chain])
    const text = (from: unknown, to: unknown, sha256: string) => `${from} ${to} ${sha256}`
    const known = new Set(ranges.map((range) => text(range.from, range.to, digestOf(range))))
    const foreign = rows.find(({ from, to, sha256 }) => !known.has(text(from, to, sha256)))
    if (foreign) throw otherPack(chain, foreign, ranges)
    const loaded = new Set(rows.map(({ from }) => Number(from)))
    return new RangeLoader(options, await readCatalog(client), loaded)
  }

  isLoaded({ from }: PackRange): boolean {
    return this.#loaded.has(from)
  }

  async load(range: PackRange, rows: AsyncIterable<RowChunk> | Iterable<RowChunk>): Promise<void> {
    const { chain, lease, tables, firstBlock } = this.#options
    const { from, to } = range
    const client = await this.#take()
    try {
      await client.query(`begin; ${lease.check}`)
      const counts = await loadRows(client, rows, {
        ...{ chain, tables, file: range.rows.name },
        // The first range has also the rows that were read before the first block.
        blocks: { from: from === firstBlock ? 0 : from, to },
      })
      checkCounts(counts, range.rows)
      await client.query(KEEP_RANGE, [chain, from, to, digestOf(range)])
      await client.query('commit')
      await client.query(SUMMARIZE, [chain])
      this.#loaded.add(from)
      this.#idle.push(client)
    } catch (error) {
      await client.end().catch(() => {})
      this.#clients.delete(client)
      throw databaseError(error, { chain, block: from })
    }
  }

  async close(): Promise<void> {
    for (const client of this.#clients) await client.end().catch(() => {})
  }

  async #take(): Promise<pg.Client> {
    const idle = this.#idle.pop()
    if (idle) return idle
    const { chain, databaseUrl } = this.#options
    const client = openClient({ connectionString: databaseUrl, application_name: `headwater fetch ${chain}` })
    this.#clients.add(client)
    await client.connect()
    await client.query(SETTINGS)
    return client
  }
}

/** SHA-256 of all that a range's rows are made of: the file with rows, the one with headers, and the numbers of rows. */
function digestOf({ rows, blocks }: PackRange): string {
  const counts = Object.entries(rows.rows).sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify([rows.sha256, blocks?.sha256 ?? null, counts])
  return createHash('sha256').update(text).digest('hex')
}

interface Loaded {
  from: string
  to: string
  sha256: string
}

function otherPack(chain: string, { from, to, sha256 }: Loaded, ranges: readonly PackRange[]): UserError {
  // Version 0.1.0 kept the digest of the rows alone.
  const isEarlier = ranges.some(({ rows }) => rows.sha256 === sha256)
  return new UserError(
    'FETCH_OTHER_PACK',
    `${chain}: the rows of blocks ${from} to ${to} were loaded ${isEarlier ? 'by an earlier version' : 'from another pack'}`,
    {
      hint: isEarlier
        ? 'begin again with --restart'
        : 'continue with the address of the first fetch; or begin again with --restart',
      place: { chain, block: Number(from) },
    },
  )
}
