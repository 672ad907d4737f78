// Writes the files of one range of blocks, and of the state at its end.
import type pg from 'pg'
import { readBlockHeader, SAVANNA_SCHEDULE_VERSION } from '../../core/antelope/block.ts'
import { Writer } from '../../core/antelope/writer.ts'
import { RetryableError, UserError } from '../../core/errors.ts'
import type { BlockPosition } from '../../indexer/source/source.ts'
import type { ObjectStore } from '../../net/objects/store.ts'
import { CHUNK } from '../format/chunks.ts'
import { fileName, type PackFile, type PackRange, type PackState } from '../format/manifest.ts'
import { type SlimBlock, writeSlimBlock } from '../format/slim-block.ts'
import { isOfRange, isOfState, type PackTable, readPackTables } from '../format/sql.ts'
import type { BlockCollector } from './block-collector.ts'
import { ChunkFiller, PackFileWriter } from './file-writer.ts'
import { writeTable } from './rows.ts'
import { BLOCK_IDS, copyRange, copyState, LATER_SCORES, type RowRange } from './sql.ts'

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
  /** Whether the last block that this run wrote is under Savanna. */
  #isSavanna = false

  private constructor(client: pg.Client, options: RangeWriterOptions, tables: readonly PackTable[]) {
    this.#client = client
    this.#options = options
    this.#tables = tables
  }

  static async open(client: pg.Client, options: RangeWriterOptions): Promise<RangeWriter> {
    return new RangeWriter(client, options, [...(await readPackTables(client)).values()])
  }

  /** @throws UserError PACK_GAP, and those of the source */
  async write(range: RowRange): Promise<PackRange> {
    const { chain, collector } = this.#options
    const { from, to } = range
    const found = await this.#client.query<{ id: string }>(BLOCK_IDS, [chain, from, to])
    const ids = found.rows.map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined || ids.length !== to - from + 1) throw missingBlocks(chain, from, to, ids.length)
    const blocks = collector && (await this.#writeBlocks(from, to, 'blocks', collector.take(ids)))
    const rows = await this.#writeFile(from, to, 'rows', async (writer) => {
      for (const table of this.#tables.filter(({ id }) => isOfRange(id))) {
        await writeTable(this.#client, writer, table, copyRange(chain, table, range))
      }
    })
    return { from, to, lastId: last, rows, blocks }
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
    const rows = await this.#writeFile(num, num, 'state', async (writer) => {
      for (const table of this.#tables.filter(({ id }) => isOfState(id))) {
        await writeTable(this.#client, writer, table, copyState(chain, table, time))
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
  ): Promise<PackFile> {
    return this.#writeFile(from, to, kind, async (writer) => {
      const filler = new ChunkFiller(writer, CHUNK.data)
      for await (const block of blocks) {
        const record = new Writer(block.block.length + block.traces.length + 512)
        writeSlimBlock(record, block)
        await filler.add(record.finish())
        writer.count('blocks', 1)
        if (kind === 'blocks') this.#isSavanna = isSavanna(block)
      }
      await filler.flush()
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

function isSavanna({ block }: SlimBlock): boolean {
  return readBlockHeader(block).header.scheduleVersion === SAVANNA_SCHEDULE_VERSION
}
