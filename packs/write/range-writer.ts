// Writes the files of one range of blocks, and of the state at its end.
import type pg from 'pg'
import { SAVANNA_SCHEDULE_VERSION } from '../../core/antelope/block.ts'
import { RetryableError, UserError } from '../../core/errors.ts'
import type { Lineage } from '../../core/finality/track.ts'
import { readFollowed, readUsedStart } from '../../finality-store/savanna.ts'
import type { BlockPosition } from '../../indexer/source/source.ts'
import { type Catalog, readCatalog } from '../../indexer/store/catalog.ts'
import type { ObjectStore } from '../../net/objects/store.ts'
import { BlockEncoder, startContent } from '../format/block-codec.ts'
import { CHUNK, CHUNK_BYTES } from '../format/chunks.ts'
import type { TrackedHeader } from '../format/header-streams.ts'
import { MADE_TABLES, MadeRows } from '../format/made-rows.ts'
import { fileName, type PackFile, type PackRange, type PackState } from '../format/manifest.ts'
import type { SlimBlock } from '../format/slim-block.ts'
import { isOfRange, isOfState, type PackTable, readPackTables } from '../format/sql.ts'
import type { BlockCollector } from './block-collector.ts'
import { PackFileWriter } from './file-writer.ts'
import { RowsWriter } from './rows.ts'
import { BLOCK_IDS, copyRange, copyState, LATER_SCORES, type RowRange, VERIFIED } from './sql.ts'

interface RangeWriterOptions {
  chain: string
  store: ObjectStore
  collector: BlockCollector | null
  signal: AbortSignal
}

export class RangeWriter {
  readonly #client: pg.Client
  readonly #options: RangeWriterOptions
  readonly #tables: readonly PackTable[]
  readonly #catalog: Catalog
  /** Whether the last block that this run wrote is under Savanna. */
  #isSavanna = false

  private constructor(client: pg.Client, options: RangeWriterOptions, tables: readonly PackTable[], catalog: Catalog) {
    this.#client = client
    this.#options = options
    this.#tables = tables
    this.#catalog = catalog
  }

  static async open(client: pg.Client, options: RangeWriterOptions): Promise<RangeWriter> {
    return new RangeWriter(client, options, [...(await readPackTables(client)).values()], await readCatalog(client))
  }

  /** @throws UserError PACK_GAP, and those of the source */
  async write(range: RowRange): Promise<PackRange> {
    const { chain, collector } = this.#options
    const { from, to } = range
    const found = await this.#client.query<{ id: string }>(BLOCK_IDS, [chain, from, to])
    const ids = found.rows.map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined || ids.length !== to - from + 1) throw missingBlocks(chain, from, to, ids.length)
    let blocks: PackFile | null = null
    const rows = await this.#writeFile(from, to, 'rows', async (file) => {
      const writer = new RowsWriter(this.#client, file)
      const ofRange = this.#tables.filter(({ id }) => isOfRange(id))
      const isMade = ({ id }: PackTable) => collector !== null && MADE_TABLES.includes(id)
      for (const table of ofRange.filter((one) => !isMade(one)))
        await writer.table(table, copyRange(chain, table, range))
      if (!collector) return
      // The blocks refer to the transactions of the rows, and make the rows of the tables that are left.
      // Those of the database say which certificates were verified when they were indexed.
      const verified = new Set(await this.#verified(range))
      const rows = new MadeRows(chain, this.#catalog)
      const made = (header: TrackedHeader) => rows.add(header, verified.has(header.num))
      const places = writer.ids.places
      blocks = await this.#writeBlocks(from, to, 'blocks', collector.take(ids), { places, made })
      for (const table of ofRange.filter(isMade)) {
        await writer.made(table, copyRange(chain, table, range), rows.rows(table.id))
      }
    })
    return { from, to, lastId: last, rows, blocks }
  }

  /** Blocks of a range with certificates that were checked when they were indexed. */
  async #verified({ from, to }: RowRange): Promise<number[]> {
    const { rows } = await this.#client.query<{ num: string }>(VERIFIED, [this.#options.chain, from, to])
    return rows.map(({ num }) => Number(num))
  }

  /** From where finality continues before a block, or begins after it; null where it is not followed. */
  async #lineageBefore(from: number): Promise<Lineage | null> {
    const { chain } = this.#options
    const { blocks } = await readFollowed(this.#client, chain, { num: from - 1, lib: from - 1 })
    const last = blocks.at(-1)
    if (last) return last.lineage
    const start = await readUsedStart(this.#client, chain)
    return start && start.lineage.blockNum >= from - 1 ? start.lineage : null
  }

  /**
   * Writes the current rows as of the last irreversible block.
   *
   * @param time  of that block
   * @throws RetryableError PACK_HOUR_OPEN
   */
  async writeState({ num, id }: BlockPosition, time: Date): Promise<PackState> {
    const { chain, collector } = this.#options
    const later = await this.#client.query<{ found: boolean }>(LATER_SCORES, [chain, time])
    if (later.rows[0]?.found) {
      throw new RetryableError('PACK_HOUR_OPEN', `${chain}: an hour has begun after the last irreversible block`, {
        hint: 'run it again in a few minutes, when a block of the new hour is irreversible',
        place: { chain, block: num },
      })
    }
    const rows = await this.#writeFile(num, num, 'state', async (file) => {
      const writer = new RowsWriter(this.#client, file)
      for (const table of this.#tables.filter(({ id }) => isOfState(id))) {
        await writer.table(table, copyState(chain, table, time))
      }
    })
    // An earlier run may have written the last range, so the source says whether the block is under Savanna.
    const found = await collector?.proofOf({ num, id })
    const { headers = [], isFinal = null } = found ?? {}
    const proved = headers.length === 0 && !this.#isSavanna ? null : isFinal
    const proof = headers.length > 0 ? await this.#writeBlocks(num + 1, num + headers.length, 'proof', headers) : null
    return { block: num, id, time: time.toISOString(), rows, proof, proved }
  }

  #writeBlocks(
    from: number,
    to: number,
    kind: 'blocks' | 'proof',
    blocks: Iterable<SlimBlock> | AsyncIterable<SlimBlock>,
    rows?: { places: ReadonlyMap<string, number>; made: (header: TrackedHeader) => void },
  ): Promise<PackFile> {
    return this.#writeFile(from, to, kind, async (writer) => {
      const lineage = await this.#lineageBefore(from)
      const encoder = new BlockEncoder(lineage, rows?.places ?? new Map())
      await writer.add(CHUNK.section, startContent(lineage))
      for await (const block of blocks) {
        const header = encoder.add(block)
        rows?.made(header)
        writer.count('blocks', 1)
        if (kind === 'blocks') this.#isSavanna = header.header.scheduleVersion === SAVANNA_SCHEDULE_VERSION
        if (encoder.size >= CHUNK_BYTES) await writer.add(CHUNK.data, encoder.take())
      }
      if (encoder.size > 0) await writer.add(CHUNK.data, encoder.take())
    })
  }

  async #writeFile(
    from: number,
    to: number,
    kind: Parameters<typeof fileName>[2],
    fill: (writer: PackFileWriter) => Promise<void>,
  ): Promise<PackFile> {
    const { store, signal } = this.#options
    const writer = await PackFileWriter.create()
    try {
      await fill(writer)
      return await writer.finish(store, (sha256) => fileName(from, to, kind, sha256), signal)
    } finally {
      await writer.dispose()
    }
  }
}

function missingBlocks(chain: string, from: number, to: number, found: number): UserError {
  const wanted = to - from + 1
  return new UserError(
    'PACK_GAP',
    `${chain}: ledger.blocks has ${found} of the ${wanted} blocks from ${from} to ${to}`,
    {
      hint: 'rows of the database were removed: index the chain again, or pack from another database',
      place: { chain, block: from },
    },
  )
}
