// One run from an open writer to the end of the source. Blocks are decoded and projected while the previous batch is
// written. Ends with all received blocks written, or with an error and only whole batches written.
import { setImmediate as yieldToEvents } from 'node:timers/promises'
import { BatchFault, BlockFault, type FaultJudge, isOfBlock } from './block-fault.ts'
import type { BlockFrame, BlockPosition, BlockSource } from './source/source.ts'
import type { Batch } from './store/batch.ts'
import type { BlockHeader, ProjectedBlock } from './store/rows.ts'
import type { ChainWriter, CommitResult } from './store/writer.ts'
import type { Valuer } from './value/valuer.ts'

/** Callbacks of a session. */
export interface SessionEvents {
  /** Called when a batch of `blocks` blocks up to `last` is committed, `seconds` after its first block was received. */
  committed(last: BlockHeader, blocks: number, result: CommitResult, seconds: number): void
  /** Called when a branch replaces `depth` indexed blocks from `block` on. */
  forked(block: number, depth: number): void
  /** Called with the seconds spent on decoding and projecting a block. */
  decoded(seconds: number): void
}

export interface SessionOptions<Block extends BlockFrame> {
  chain: string
  source: BlockSource<Block>
  writer: ChainWriter
  /** Rows of a block. Called in the order of the blocks. */
  project: (block: Block) => ProjectedBlock
  /** Called when a branch replaces the blocks from `block` on: `project` must drop its state of them. */
  forget?: (block: number) => void
  /** Values trades in USD; without it they have no value. */
  valuer?: Valuer
  events: SessionEvents
  /** First block when nothing is indexed. */
  startBlock: number
  /** Last block to index. */
  endBlock?: number
  /** Called with the first block of a chain of which nothing is indexed; may add rows. */
  open?: (first: ProjectedBlock) => ProjectedBlock
  /** Consequences of earlier faults, and whether to write the blocks before a fault of this run. */
  faults?: Pick<FaultJudge, 'singlyTo' | 'startsOver' | 'trustsBefore'>
  signal: AbortSignal
}

/** Limits of a transaction. */
const BATCH_BLOCKS = 4000
const BATCH_ROWS = 40_000
/** Time limit of a batch, ms: rows become visible soon even when blocks are slow to decode. */
const BATCH_MS = 1000
/** Within this many blocks of the head, commits wait for the disk and the secondary indexes are built. */
const NEAR_HEAD = 500
/** Limit of blocks at once that still count as live, for chains with blocks faster than the source polls. */
const MAX_LIVE_BLOCKS = 32

export class Session<Block extends BlockFrame> {
  private readonly options: SessionOptions<Block>
  /** The batch being filled, while `spare` is being written. */
  private batch: Batch
  private spare: Batch
  private writing: Promise<void> = Promise.resolve()
  private failure: { error: unknown } | null = null
  /** Stops the source when this run ends, even while it waits for a block. */
  private readonly over = new AbortController()
  /** `performance.now()` when the batch's first block was received. */
  private arrived = 0
  private durable = true
  /** Number of the last block taken; 0 when the next block is the chain's first. */
  private taken: number
  /** The last block of the batch. */
  private newest: BlockFrame | null = null

  constructor(options: SessionOptions<Block>) {
    this.options = options
    this.batch = options.writer.newBatch()
    this.spare = options.writer.newBatch()
    this.taken = options.writer.position?.num ?? 0
  }

  async run(): Promise<void> {
    const { source, writer, startBlock, endBlock, signal, faults } = this.options
    const position = writer.position
    const held = await writer.reversibleBlocks()
    const have = faults?.startsOver ? held.slice(0, 1) : held
    const from = have.length > 0 ? (have.at(-1) as BlockPosition).num + 1 : position ? position.num + 1 : startBlock
    const eitherEnd = AbortSignal.any([signal, this.over.signal])
    const start = { from, have, lib: position?.lib, reached: await writer.reached(), to: endBlock }
    const iterator = source.blocks(start, eitherEnd)[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = iterator.next()
        if (this.batch.blocks > 0 && (this.isFull() || !(await isReady(next)))) await this.flush()
        const { done, value } = await next
        if (done || this.failure) break
        await this.take(value)
      }
      await this.drain()
      if (!signal.aborted) await this.finish()
    } catch (error) {
      // Blocks before the fault are good.
      if (!this.failure && this.trusts(error)) await this.drain()
      throw error
    } finally {
      this.over.abort()
      await iterator.return?.()
      await this.writing
    }
  }

  private trusts(error: unknown): boolean {
    return !(error instanceof BlockFault) || (this.options.faults?.trustsBefore(error) ?? true)
  }

  private isFull(): boolean {
    if (this.taken <= (this.options.faults?.singlyTo ?? 0)) return true
    if (this.batch.blocks >= BATCH_BLOCKS || this.batch.rows >= BATCH_ROWS) return true
    return performance.now() - this.arrived >= BATCH_MS
  }

  private async take(source: Block): Promise<void> {
    const { forget, valuer, events, writer } = this.options
    if (source.num <= this.taken) {
      await this.drain()
      const { position } = writer
      events.forked(source.num, (position?.num ?? 0) - source.num + 1)
      if (position && source.num <= position.firstBlock) this.taken = 0
      forget?.(source.num)
      await valuer?.rewind(source.num)
    }
    const started = performance.now()
    let block = blamed(source, () => this.project(source))
    if (valuer) {
      // The previous block may still have rows to make, which must come before this block's.
      if (this.batch.holdsMore) await this.drain()
      if (valuer.beginsHour(block.time)) await this.scoreHour(valuer, block)
      if (valuer.lags(block.time)) await valuer.catchUp(block.time)
      const projected = block
      block = blamed(source, () => valuer.value(projected))
    }
    events.decoded((performance.now() - started) / 1000)
    if (!this.batch.accepts(block)) await this.flush()
    if (this.batch.blocks === 0) this.arrived = started
    this.add(block, source)
    this.taken = source.num
  }

  /** Scores the hour that starts with this block. First writes all blocks before it, and rewinds replaced ones. */
  private async scoreHour(valuer: Valuer, { num, time }: ProjectedBlock): Promise<void> {
    const { writer } = this.options
    await this.drain()
    if (writer.position && num <= writer.position.num) await writer.rewind(num)
    if (writer.position) await valuer.scoreHour(time, writer.position)
  }

  private project(source: Block): ProjectedBlock {
    const { project, open } = this.options
    const block = project(source)
    return this.taken === 0 && open ? open(block) : block
  }

  private add(block: ProjectedBlock, source: Block): void {
    this.newest = source
    try {
      this.batch.add(block)
    } catch (error) {
      // The batch has some of the block's rows already.
      throw this.discard(this.batch, source, error)
    }
  }

  /** Clears a batch that cannot be written. @returns the error to throw */
  private discard(batch: Batch, newest: BlockFrame, error: unknown): unknown {
    const { first, blocks } = batch
    batch.clear()
    if (!isOfBlock(error) || first === null) return error
    return blocks === 1 ? new BlockFault(newest, error) : new BatchFault(first.num, newest.num, error)
  }

  /** Writes everything taken. @throws the error of a failed write */
  private async drain(): Promise<void> {
    await this.flush()
    await this.settle()
  }

  /** Starts to write the batch, after the previous one is written. */
  private async flush(): Promise<void> {
    if (this.batch.blocks === 0) return
    await this.settle()
    const { batch, arrived } = this
    const newest = this.newest as BlockFrame
    this.batch = this.spare
    this.spare = batch
    this.writing = this.write(batch, arrived, newest).catch((error: unknown) => {
      this.failure = { error }
      this.over.abort()
    })
    // At the head there is nothing to prepare meanwhile; waiting shows a failure at once.
    if (batch.blocks === 1) await this.settle()
  }

  /** Waits for the write in progress. @throws its error */
  private async settle(): Promise<void> {
    await this.writing
    if (this.failure) throw this.failure.error
  }

  private async write(batch: Batch, arrived: number, newest: BlockFrame): Promise<void> {
    const { writer, events } = this.options
    const last = batch.last as BlockHeader
    const { blocks } = batch
    const nearHead = last.head - last.num < NEAR_HEAD
    await this.setDurable(nearHead && blocks < NEAR_HEAD)
    const result = await writer.commit(batch).catch((error: unknown) => {
      throw this.discard(batch, newest, error)
    })
    batch.clear()
    events.committed(last, blocks, result, (performance.now() - arrived) / 1000)
    const isLive = blocks === 1 || (blocks <= MAX_LIVE_BLOCKS && last.num === last.head)
    if (nearHead && isLive && writer.position && !writer.position.indexed) await writer.buildIndexes()
  }

  /** Called when the source has ended: makes commits durable, and builds missing indexes. */
  private async finish(): Promise<void> {
    const { writer } = this.options
    await this.setDurable(true)
    if (writer.position && !writer.position.indexed) await writer.buildIndexes()
  }

  private async setDurable(durable: boolean): Promise<void> {
    if (durable === this.durable) return
    await this.options.writer.setDurable(durable)
    this.durable = durable
  }
}

/** Runs work that only a bad block can make fail. @throws BlockFault; retryable and user errors unchanged */
function blamed<T>(block: BlockFrame, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw isOfBlock(error) ? new BlockFault(block, error) : error
  }
}

/** Whether a promise is settled after one turn of the event loop. */
async function isReady(promise: Promise<unknown>): Promise<boolean> {
  let ready = false
  const mark = () => {
    ready = true
  }
  promise.then(mark, mark)
  await yieldToEvents()
  return ready
}
