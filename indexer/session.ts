// One run from an opened writer to the end of the source: blocks are decoded and projected while the batch before them
// is being written. Ends with everything written that was taken from the source, or with an error and nothing half-done.
import { setImmediate as yieldToEvents } from 'node:timers/promises'
import { BatchFault, BlockFault, type FaultJudge, isOfBlock } from './block-fault.ts'
import type { BlockFrame, BlockPosition, BlockSource } from './source/source.ts'
import type { Batch } from './store/batch.ts'
import type { BlockHeader, ProjectedBlock } from './store/rows.ts'
import type { ChainWriter, CommitResult } from './store/writer.ts'
import type { Valuer } from './value/valuer.ts'

/** What the session tells of its work. */
export interface SessionEvents {
  /** A batch of `blocks` blocks up to `last` is committed, `seconds` after its first block came. */
  committed(last: BlockHeader, blocks: number, result: CommitResult, seconds: number): void
  /** A branch replaces `depth` indexed blocks from `block` on. */
  forked(block: number, depth: number): void
  /** Seconds spent on decoding and projecting a block. */
  decoded(seconds: number): void
}

export interface SessionOptions<Block extends BlockFrame> {
  chain: string
  source: BlockSource<Block>
  writer: ChainWriter
  /** A block's rows. Called in the order of the blocks. */
  project: (block: Block) => ProjectedBlock
  /** A branch replaces the blocks from this number on: what `project` remembers of them is void. */
  forget?: (block: number) => void
  /** Says what trades are worth; without it nobody does. */
  valuer?: Valuer
  events: SessionEvents
  /** First block when nothing is indexed yet. */
  startBlock: number
  /** Last block wanted. */
  endBlock?: number
  /** Gets the first block of a chain of which nothing is indexed yet, and may add to it. */
  open?: (first: ProjectedBlock) => ProjectedBlock
  /** How to go on after a fault of the run before, and whether what comes before one in this run is written. */
  faults?: Pick<FaultJudge, 'singlyTo' | 'startsOver' | 'trustsBefore'>
  signal: AbortSignal
}

/** Most blocks and rows in a transaction. */
const BATCH_BLOCKS = 4000
const BATCH_ROWS = 40_000
/** A batch waits no longer for more blocks, ms: rows become visible soon also where blocks take long to decode. */
const BATCH_MS = 1000
/** Below this many blocks behind the head, every commit waits for the disk and the secondary indexes must be there. */
const NEAR_HEAD = 500
/** Where blocks come faster than a source looks for them, so many may come at once at the head. */
const BLOCKS_OF_A_LOOK = 32

export class Session<Block extends BlockFrame> {
  private readonly options: SessionOptions<Block>
  /** Fills while `spare` is being written. */
  private batch: Batch
  private spare: Batch
  private writing: Promise<void> = Promise.resolve()
  private failure: { error: unknown } | null = null
  /** Ends the source when this run ends, also while it waits for a block that may never come. */
  private readonly over = new AbortController()
  /** When the batch's first block came. */
  private arrived = 0
  private durable = true
  /** Number of the last block taken; 0 when the next one is the first of the chain. */
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
      // What came before the fault is good.
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
      // The rows that the block before may still have to make come before this one's.
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

  /** Scores the hour that a block begins, of what the blocks before it have left: they are written first, a fork is undone. */
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
      // Some of the rows are in it.
      throw this.discard(this.batch, source, error)
    }
  }

  /** Empties a batch that cannot be written. @returns what to throw for it */
  private discard(batch: Batch, newest: BlockFrame, error: unknown): unknown {
    const { first, blocks } = batch
    batch.clear()
    if (!isOfBlock(error) || first === null) return error
    return blocks === 1 ? new BlockFault(newest, error) : new BatchFault(first.num, newest.num, error)
  }

  /** Writes everything taken. @throws what a write failed with */
  private async drain(): Promise<void> {
    await this.flush()
    await this.settle()
  }

  /** Hands the batch to the database as soon as the one before it is written. */
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
    // At the head nothing is gained by working ahead; there, a failure shows at once.
    if (batch.blocks === 1) await this.settle()
  }

  /** Waits for the write under way. @throws what it failed with */
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
    const isLive = blocks === 1 || (blocks <= BLOCKS_OF_A_LOOK && last.num === last.head)
    if (nearHead && isLive && writer.position && !writer.position.indexed) await writer.buildIndexes()
  }

  /** Everything that the source had is taken: what backfill put off is made up for. */
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

/** Runs what can only fail by the fault of a block. @throws BlockFault; what passes or is to be configured as it is */
function blamed<T>(block: BlockFrame, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw isOfBlock(error) ? new BlockFault(block, error) : error
  }
}

/** Whether a promise is settled once the event loop has gone round. */
async function isReady(promise: Promise<unknown>): Promise<boolean> {
  let ready = false
  const mark = () => {
    ready = true
  }
  promise.then(mark, mark)
  await yieldToEvents()
  return ready
}
