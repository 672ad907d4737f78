// Writes blocks of one chain: rows, current state, candles and the position commit together. Final blocks are written
// in one segment; each reversible block separately, with the before-images that a rewind needs. A fork's rewind and the
// first blocks of its new branch are one transaction. Statements are sent in as few messages as possible, because at
// the head round trips would take longer than the work.

import type pg from 'pg'
import { BugError } from '../../core/errors.ts'
import { Turns } from '../../core/turns.ts'
import { openClient } from '../../net/postgres.ts'
import type { BlockPosition } from '../source/source.ts'
import { Batch, follows } from './batch.ts'
import { buildEachIndex } from './build-indexes.ts'
import { type Catalog, readCatalog } from './catalog.ts'
import { type ChainAccount, keepAccounts } from './chain-accounts.ts'
import { databaseError } from './errors.ts'
import { copyLedger } from './ledger.ts'
import { arrayLiteral, literal } from './literal.ts'
import { ChainPosition, type Position } from './position.ts'
import type { BlockHeader, BlockRows } from './rows.ts'
import { Script } from './script.ts'
import { Segment } from './segment.ts'
import {
  ABIS,
  ADD_CHAIN,
  BUILD_INDEXES,
  FORGET_UNDO,
  LAST_ORPHANED,
  NOTIFY,
  REFRESH_CANDLES,
  REVERSIBLE_BLOCKS,
  REWIND,
  SETTINGS,
} from './sql.ts'
import { readStaleMarks, type StoredMark } from './stale-marks.ts'
import { StateWriter } from './state.ts'

/** Steps of a commit, in order. Tests can interrupt at each. */
export const COMMIT_POINTS = [
  'begun',
  'rewound',
  'moved',
  'copied',
  'merged',
  'refreshed',
  'ready',
  'committed',
] as const
export type CommitPoint = (typeof COMMIT_POINTS)[number]

export interface WriterOptions {
  chain: string
  databaseUrl: string
  /** Null when the source does not have it (a recording). */
  chainId: string | null
  /** Accounts by role, for the views; when absent, the stored ones do not change. */
  accounts?: readonly ChainAccount[]
  /** Whether commits wait for the disk. Off in backfill: lost commits are indexed again. */
  durable?: boolean
  /** Called at every step of a commit. */
  onPoint?: (point: CommitPoint) => void | Promise<void>
}

type Stage = 'copy' | 'state' | 'candles' | 'commit'

export interface CommitResult {
  /** Number of rows written, by `schema.table`. */
  rows: Map<string, number>
  /** Server time by stage, seconds. */
  seconds: Record<Stage, number>
}

export interface StoredAbi {
  account: string
  blockNum: number
  globalSeq: bigint
  abi: Uint8Array
}

export class ChainWriter {
  private readonly client: pg.Client
  private readonly chain: string
  private readonly catalog: Catalog
  private readonly state: StateWriter
  private readonly place: ChainPosition
  private readonly databaseUrl: string
  private readonly onPoint: WriterOptions['onPoint']
  private readonly scratch: Segment
  /** Last block for which each table may have before-images. */
  private readonly undone: Map<string, number>
  /** Statements to send next. */
  private script = new Script()
  /** Whether the script contains a segment, whose buffers must not change until it has run. */
  private holdsSegment = false
  private lost: Error | null = null
  /** Uses of the connection. */
  private readonly turns = new Turns()

  private constructor(client: pg.Client, place: ChainPosition, catalog: Catalog, options: WriterOptions) {
    this.databaseUrl = options.databaseUrl
    this.onPoint = options.onPoint
    this.client = client
    this.chain = place.chain
    this.place = place
    this.catalog = catalog
    this.state = new StateWriter(place.chain)
    this.scratch = new Segment(catalog)
    const tables = [...catalog.values()].filter((table) => table.schema === 'state')
    const indexed = place.current?.num ?? 0
    this.undone = new Map([...tables.map((table) => table.name), 'candles'].map((name) => [name, indexed]))
    const lose = (error: Error) => {
      this.lost = error
    }
    client.on('error', lose)
    place.lease.keepRenewing(this.turns, lose)
  }

  /**
   * Connects, creates the chain's partitions if missing, and takes the chain's lease.
   *
   * @throws FencedError WRITER_FENCED, RetryableError DATABASE_UNAVAILABLE
   */
  static async open(options: WriterOptions): Promise<ChainWriter> {
    const { chain, databaseUrl, chainId } = options
    const client = openClient({
      connectionString: databaseUrl,
      application_name: `headwater index ${chain}`,
      // Both sides detect a half-open connection within a minute.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    })
    try {
      await client.connect()
      await client.query(SETTINGS)
      const place = await ChainPosition.claim(client, chain, chainId)
      try {
        await client.query(ADD_CHAIN, [chain])
        if (options.accounts) await keepAccounts(client, place.lease, options.accounts)
        const writer = new ChainWriter(client, place, await readCatalog(client), options)
        await writer.setDurable(options.durable ?? true)
        return writer
      } catch (error) {
        await place.lease.release()
        throw error
      }
    } catch (error) {
      await client.end().catch(() => {})
      throw databaseError(error, { chain })
    }
  }

  /** The chain's position; null when nothing is indexed. */
  get position(): Position | null {
    return this.place.current
  }

  /** Sets whether commits wait for the disk. */
  async setDurable(durable: boolean): Promise<void> {
    await this.use(() => this.client.query(`set synchronous_commit = ${durable ? 'on' : 'off'}`))
  }

  /** The last irreversible indexed block and all after it, oldest first. */
  async reversibleBlocks(): Promise<BlockPosition[]> {
    if (!this.position) return []
    const values = [this.chain, this.position.lib]
    const { rows } = await this.use(() => this.client.query(REVERSIBLE_BLOCKS, values))
    return rows.map((row) => ({ num: Number(row.num), id: row.id }))
  }

  /** Highest block number ever indexed, including blocks that a fork replaced. */
  async reached(): Promise<number> {
    const { rows } = await this.use(() => this.client.query(LAST_ORPHANED, [this.chain]))
    return Math.max(Number(rows[0]?.num ?? 0), this.position?.num ?? 0)
  }

  async abis(): Promise<StoredAbi[]> {
    const { rows } = await this.use(() => this.client.query(ABIS, [this.chain]))
    return rows.map((row) => ({ ...row, blockNum: Number(row.blockNum), globalSeq: BigInt(row.globalSeq) }))
  }

  /** Contract rows that are marked as stale, and rows whose mark a rewind may restore. */
  staleMarks(): Promise<StoredMark[]> {
    return this.use(() => readStaleMarks(this.client, this.chain))
  }

  /** Runs `work` alone on the connection. @throws RetryableError DATABASE_UNAVAILABLE when the session has ended */
  private async use<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.turns.take(work)
    } catch (error) {
      throw databaseError(error, { chain: this.chain })
    }
  }

  /** An empty batch. It can be cleared and reused after its commit. */
  newBatch(): Batch {
    return new Batch(this.catalog)
  }

  /**
   * Writes a batch in one transaction. When its first block does not follow the position, first removes the blocks from
   * its number on.
   *
   * @throws FencedError, RetryableError (nothing was written, or the outcome is unknown: open a new writer to find
   *   out), UserError FORK_BELOW_LIB
   */
  async commit(batch: Batch): Promise<CommitResult> {
    const { first, last } = batch
    if (!first || !last) throw new BugError('EMPTY_BATCH', `${this.chain}: a batch without blocks`)
    const result = emptyResult()
    await this.transaction(first.num, result, async () => {
      await this.point('begun', result)
      if (this.position && first.num <= this.position.num) await this.rewindTo(first.num - 1, result)
      this.checkLink(first)
      this.place.move(this.script, { ...last, lib: batch.lib }, first)
      await this.point('moved', result)
      await this.writeBlocks(batch, result)
      this.forgetUndo(Math.min(batch.lib, last.num))
      this.script.lap('commit')
    })
    this.announce(last)
    return result
  }

  /**
   * Takes over final blocks in one transaction; `move` moves their rows to their tables.
   *
   * @param first  must follow the position
   * @throws as `commit`
   */
  async adopt(
    first: BlockHeader,
    last: BlockHeader,
    move: (client: pg.Client, catalog: Catalog) => Promise<void>,
  ): Promise<void> {
    const result = emptyResult()
    await this.transaction(first.num, result, async () => {
      this.checkLink(first)
      this.place.move(this.script, last, first)
      await this.point('moved', result)
      await this.flush(result)
      await move(this.client, this.catalog)
    })
    this.announce(last)
  }

  /**
   * Removes the reversible blocks from a number on, in a separate transaction.
   *
   * @throws as `commit`
   */
  async rewind(from: number): Promise<void> {
    const result = emptyResult()
    await this.transaction(from, result, () => this.rewindTo(from - 1, result))
  }

  /** Builds the secondary indexes, after the backfill. */
  async buildIndexes(): Promise<void> {
    const { chain, databaseUrl } = this
    await buildEachIndex({ chain, databaseUrl, check: this.place.lease.check })
    await this.use(async () => {
      // Marks the chain as indexed.
      await this.client.query(BUILD_INDEXES, [this.chain])
      await this.place.read()
    })
  }

  /** Releases the chain's lease and closes the connection. */
  async close(): Promise<void> {
    await this.place.lease.release()
    await this.client.end().catch(() => {})
  }

  /** Runs `work` and the statements that it adds to the script, between begin and commit. */
  private transaction(block: number, result: CommitResult, work: () => Promise<void>): Promise<void> {
    return this.turns.take(async () => {
      try {
        if (this.lost) throw this.lost
        this.script.add('begin').add(this.place.lease.check)
        await work()
        const renewal = this.place.lease.renewal()
        if (renewal !== null) this.script.add(renewal)
        await this.point('ready', result)
        await this.flush(result)
        const started = performance.now()
        await this.client.query('commit')
        result.seconds.commit += (performance.now() - started) / 1000
        await this.onPoint?.('committed')
        await this.place.read()
      } catch (error) {
        await this.rollBack()
        throw databaseError(error, { chain: this.chain, block })
      }
    })
  }

  /** Rolls back, and drops the prepared statements of temporary tables. */
  private async rollBack(): Promise<void> {
    this.script = new Script()
    this.holdsSegment = false
    this.state.forget()
    await this.client.query('rollback; deallocate all').catch(() => {})
  }

  /** Sends the pending statements. */
  private async flush(result: CommitResult): Promise<void> {
    if (this.script.isEmpty) return
    const script = this.script
    this.script = new Script()
    this.holdsSegment = false
    for (const { stage, seconds } of await script.run(this.client)) result.seconds[stage as Stage] += seconds
  }

  /** Reports a step of a commit. With a callback, first runs all statements before it. */
  private async point(point: CommitPoint, result: CommitResult): Promise<void> {
    if (!this.onPoint) return
    await this.flush(result)
    await this.onPoint(point)
  }

  private async rewindTo(num: number, result: CommitResult): Promise<void> {
    this.script.add(`${REWIND}(${literal(this.chain)}, ${num + 1})`)
    await this.flush(result)
    await this.onPoint?.('rewound')
    await this.place.read()
  }

  private checkLink(first: BlockHeader): void {
    const at = this.position
    if (!at || follows(first, at)) return
    throw new BugError(
      'BROKEN_LINK',
      `${this.chain}: block ${first.num} (parent ${first.prevId}) does not follow ${at.num} (${at.id})`,
    )
  }

  private async writeBlocks(batch: Batch, result: CommitResult): Promise<void> {
    const undoBlock = batch.reversible.length === 0 ? null : (batch.last as BlockHeader).num
    if (batch.final.rows > 0) await this.writeSegment(batch.final, null, result)
    for (const block of batch.reversible) await this.writeScratch(block, block.num, result)
    for (const rows of batch.more) await this.writeScratch(rows, undoBlock, result)
  }

  private async writeScratch(rows: BlockRows, undoBlock: number | null, result: CommitResult): Promise<void> {
    if (this.holdsSegment) await this.flush(result)
    this.scratch.clear()
    this.scratch.add(rows)
    await this.writeSegment(this.scratch, undoBlock, result)
  }

  private async writeSegment(segment: Segment, undoBlock: number | null, result: CommitResult): Promise<void> {
    if (this.holdsSegment) await this.flush(result)
    this.script.lap('commit')
    addCounts(result.rows, copyLedger(this.script, segment))
    this.script.lap('copy')
    await this.point('copied', result)
    const merged = this.state.merge(this.script, segment, undoBlock)
    addCounts(result.rows, merged)
    if (undoBlock !== null) for (const table of merged.keys()) this.undone.set(table.slice('state.'.length), undoBlock)
    this.script.lap('state')
    await this.point('merged', result)
    this.refreshCandles(segment, undoBlock)
    this.script.lap('candles')
    this.holdsSegment = true
    await this.point('refreshed', result)
  }

  private refreshCandles({ candles }: Segment, undoBlock: number | null): void {
    if (candles.size === 0) return
    if (undoBlock !== null) this.undone.set('candles', undoBlock)
    const all = [...candles.values()]
    const kinds = arrayLiteral(all.map((candle) => candle.kind))
    const ids = arrayLiteral(all.map((candle) => candle.id))
    const minutes = arrayLiteral(all.map((candle) => new Date(candle.minute)))
    this.script.add(`${REFRESH_CANDLES}(${literal(this.chain)}, ${kinds}, ${ids}, ${minutes}, ${literal(undoBlock)})`)
  }

  /** Drops before-images below the last irreversible block. */
  private forgetUndo(lib: number): void {
    if (this.undone.size === 0) return
    this.script.add(`${FORGET_UNDO}(${arrayLiteral([...this.undone.keys()])}, ${literal(this.chain)}, ${lib})`)
    for (const [table, block] of this.undone) if (block <= lib) this.undone.delete(table)
  }

  /** Notifies readers of a new block, before the next commit. May fail: readers also poll. */
  private announce(last: BlockHeader): void {
    this.turns.take(() => this.client.query(NOTIFY(literal(`${this.chain} ${last.num}`)))).catch(() => {})
  }
}

function emptyResult(): CommitResult {
  return { rows: new Map(), seconds: { copy: 0, state: 0, candles: 0, commit: 0 } }
}

function addCounts(into: Map<string, number>, counts: Map<string, number>): void {
  for (const [table, rows] of counts) into.set(table, (into.get(table) ?? 0) + rows)
}
