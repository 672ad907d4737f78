// Reads one irreversible block range and writes its rows to staging sets. The range is cut at each hour of block time,
// because an hour's scores need the rows of all blocks before it; each piece is taken over separately.
import type { ClientBase } from 'pg'
import { RetryableError } from '../../core/errors.ts'
import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import { BlockFault, FaultJudge, isOfBlock } from '../block-fault.ts'
import { FrameState } from '../bootstrap/frame-state.ts'
import { decodeBlock } from '../decode/decode-block.ts'
import type { DecodedBlock } from '../decode/decoded.ts'
import { wantsRow } from '../decode/deltas.ts'
import type { Watch } from '../decode/watch.ts'
import type { FinalityOptions } from '../finality/chain-follower.ts'
import { FinalityStage } from '../finality/staged.ts'
import type { Projector } from '../project/projector.ts'
import type { BlockSource, SourceBlock } from '../source/source.ts'
import type { Catalog } from '../store/catalog.ts'
import { databaseError } from '../store/errors.ts'
import type { BlockHeader, BlockRows, ProjectedBlock } from '../store/rows.ts'
import { Segment } from '../store/segment.ts'
import { readStaleMarks } from '../store/stale-marks.ts'
import type { StoredAbi } from '../store/writer.ts'
import type { RangeJob } from './boss.ts'
import { MinuteStage } from './minute-rows.ts'
import { RecordedAbis, type UsedAbis } from './recorded-abis.ts'
import { FINISH_PIECE, FINISH_RANGE, LAST_ABIS, NEXT_RANGE, SET } from './sql.ts'
import { dropSets, StagingSet } from './staging.ts'

export interface RangeContext {
  client: ClientBase
  catalog: Catalog
  source: BlockSource
  watch: Watch
  projector: Projector
  /** Packed ABIs by account, for contracts whose ABI the chain has not set yet. */
  seedAbis?: ReadonlyMap<string, Uint8Array>
  /** Gets a node's current ABI, when neither the chain nor the seeds have one; null when there is none. */
  presentAbi?: (account: string) => Promise<Uint8Array | null>
  /** Block whose deltas hold the whole state: the first of the range or its parent; null when there is none. */
  stateBlock?: number | null
  /** As `IndexOptions.checksActions`. */
  checksActions?: boolean
  /** As in the chain's indexer. */
  finality?: Pick<FinalityOptions, 'bridge'>
  signal: AbortSignal
}

const HOUR = 3_600_000
const hourOf = (time: number) => Math.floor(time / HOUR)

/** Rows that are staged together. */
const SEGMENT_ROWS = 40_000
const NO_CANDLES: BlockRows['candles'] = []

/**
 * @returns whether this worker's rows are used: false when another worker was first, or the signal was aborted
 * @throws RetryableError RANGE_NOT_FINAL, RANGE_INCOMPLETE, STATE_NOT_KEPT; errors of the source and the database
 */
export async function indexRange(job: RangeJob, context: RangeContext): Promise<boolean> {
  const { client } = context
  const range = new RangeReader(job, context, await StagingSet.create(client, job.chain, job.firstBlock))
  try {
    return (await range.read()) && (await range.finish())
  } catch (error) {
    // When another worker finished the range meanwhile, the set may be gone: not an error.
    if (await exists(client, range.set).catch(() => true)) throw error
    return false
  } finally {
    await range.dropUnused().catch(() => {})
  }
}

async function exists(client: ClientBase, { id }: StagingSet): Promise<boolean> {
  const { rows } = await client.query(SET, [id])
  return rows.length > 0
}

/** Blocks of one hour, with staged rows. */
interface Piece {
  set: StagingSet
  first: Pick<BlockHeader, 'num' | 'prevId'>
  last: BlockHeader
  used: UsedAbis
}

class RangeReader {
  private readonly job: RangeJob
  private readonly context: RangeContext
  /** Staging set of the current piece. */
  set: StagingSet
  private readonly pieces: Piece[] = []
  /** Sets that were not handed over, to be dropped. */
  private readonly unused = new Set<string>()
  private readonly segment: Segment
  private readonly minutes: MinuteStage
  private readonly abis: RecordedAbis
  private finality: FinalityStage | undefined
  private readonly requested = new Set<string>()
  /** Whether everything before the range is indexed: then the database has all ABIs that the chain set. */
  private isNext = false
  /** The state before the range's first block. */
  private state: FrameState | null = null
  private first: Piece['first'] | null = null
  private last: BlockHeader | null = null

  constructor(job: RangeJob, context: RangeContext, set: StagingSet) {
    this.job = job
    this.context = context
    this.set = set
    this.unused.add(set.id)
    this.segment = new Segment(context.catalog)
    this.minutes = new MinuteStage(context.catalog)
    // ABIs of the full state count as set in the range.
    this.abis = new RecordedAbis(Math.min(job.firstBlock, context.stateBlock ?? job.firstBlock))
    this.finality = context.finality && new FinalityStage(context.finality)
  }

  /** @returns whether the range is complete; false when the signal was aborted */
  async read(): Promise<boolean> {
    const { firstBlock, lastBlock, chain } = this.job
    const { source, projector, signal } = this.context
    source.keepRows?.(wantsRow(this.context.watch))
    const faults = new FaultJudge(chain, source)
    await this.load().catch((error: unknown) => {
      throw faults.judge(error)
    })
    for await (const block of source.blocks({ from: firstBlock, have: [], to: lastBlock }, signal)) {
      if (block.lib.num < block.num) throw this.error('RANGE_NOT_FINAL', block.num, 'is not irreversible')
      try {
        const decoded = await this.decode(block)
        const made = projector.project(decoded)
        const projected = this.last === null && this.state ? this.state.join(made) : made
        if (this.last && hourOf(projected.time) > hourOf(this.last.time)) await this.cut(projected)
        this.finality?.note(block, decoded)
        this.abis.endBlock()
        await this.take(projected)
        source.release?.(block)
      } catch (cause) {
        // The database may refuse an earlier block of the batch, which the same node sent.
        const error = databaseError(cause, { chain, block: block.num })
        throw isOfBlock(error) ? faults.judge(new BlockFault(block, error)) : error
      }
    }
    if (signal.aborted) return false
    if (this.last?.num !== lastBlock)
      throw this.error('RANGE_INCOMPLETE', lastBlock, `was not sent: the source of ${chain} ended before it`)
    await this.endPiece()
    return true
  }

  /** Hands over the pieces. @returns false when another worker was first */
  async finish(): Promise<boolean> {
    const { client } = this.context
    const [start, ...more] = this.pieces as [Piece, ...Piece[]]
    await client.query('begin')
    try {
      const isFirst = await this.handOver(FINISH_RANGE, start)
      if (isFirst) for (const piece of more) await this.handOver(FINISH_PIECE, piece)
      await client.query('commit')
      return isFirst
    } catch (error) {
      await client.query('rollback').catch(() => {})
      for (const { set } of this.pieces) this.unused.add(set.id)
      throw error
    }
  }

  async dropUnused(): Promise<void> {
    await dropSets(this.context.client, [...this.unused])
  }

  private async handOver(sql: string, { set, first, last, used }: Piece): Promise<boolean> {
    const { chain } = this.job
    const { num, id, time, lib, head } = last
    const values = [chain, first.num, num, set.id, first.prevId, id, new Date(time), lib, head, JSON.stringify(used)]
    const { rowCount } = await this.context.client.query(sql, values)
    if (rowCount === 1) this.unused.delete(set.id)
    return rowCount === 1
  }

  /** Ends the current piece before a block. */
  private async cut({ num }: ProjectedBlock): Promise<void> {
    const { client, finality } = this.context
    await this.endPiece()
    this.set = await StagingSet.create(client, this.job.chain, num)
    this.unused.add(this.set.id)
    this.finality = finality && new FinalityStage(finality)
    this.first = null
  }

  private async endPiece(): Promise<void> {
    this.minutes.closeMinute(this.segment)
    await this.flush()
    const [first, last] = [this.first as Piece['first'], this.last as BlockHeader]
    this.pieces.push({ set: this.set, first, last, used: this.abis.takeUsed() })
  }

  /** Loads ABIs and stale marks of the indexed blocks before the range. */
  private async load(): Promise<void> {
    const { client, projector, seedAbis = new Map() } = this.context
    const { chain, firstBlock } = this.job
    for (const [account, abi] of seedAbis) this.addAbi({ account, blockNum: 0, globalSeq: 0n, abi })
    const next = await client.query(NEXT_RANGE, [chain])
    this.isNext = Number(next.rows[0]?.firstBlock) === firstBlock
    projector.stale.load(await readStaleMarks(client, chain))
    const { rows } = await client.query(LAST_ABIS, [chain, firstBlock])
    for (const row of rows) this.addAbi({ ...row, blockNum: Number(row.blockNum), globalSeq: BigInt(row.globalSeq) })
    this.state = await this.readState()
    this.state?.load(this.abis)
    this.abis.endBlock()
  }

  /** The state before the first block; null when the chain does not start with one at this range. */
  private async readState(): Promise<FrameState | null> {
    const { source, stateBlock, projector, watch, signal } = this.context
    const { chain, firstBlock } = this.job
    if (typeof stateBlock !== 'number' || stateBlock === firstBlock) return null
    const frame = await source.firstState?.(stateBlock, stateBlock, signal)
    if (frame?.num === stateBlock) return new FrameState({ chain, projector, watch, frame })
    throw new RetryableError('STATE_NOT_KEPT', `${chain}: no node has the state of block ${stateBlock}`, {
      hint: 'the backfill was planned with a node that begins with that state: let the workers read from it too',
      place: { chain, block: stateBlock },
    })
  }

  private addAbi(stored: StoredAbi): void {
    this.abis.apply({ ...stored, hash: toHex(sha256(stored.abi)) })
  }

  /** Decodes a block. Repeats it after fetching missing ABIs from the node. */
  private async decode(source: SourceBlock): Promise<DecodedBlock> {
    const { watch, checksActions = true } = this.context
    const presentAbi = this.isNext ? undefined : this.context.presentAbi
    for (;;) {
      const block = decodeBlock(source, watch, this.abis, { chain: this.job.chain, checksActions })
      const unknown = presentAbi ? this.abis.missing.filter((account) => !this.requested.has(account)) : []
      let learned = false
      for (const account of unknown) {
        this.requested.add(account)
        const abi = await presentAbi?.(account)
        if (abi) this.addAbi({ account, blockNum: this.job.firstBlock - 1, globalSeq: 0n, abi })
        learned ||= Boolean(abi)
      }
      if (!learned) return block
      this.abis.rewind(source.num)
    }
  }

  private async take(block: ProjectedBlock): Promise<void> {
    const { num, id, prevId, time, producer, lib, head } = block
    this.first ??= { num, prevId }
    this.last = { num, id, prevId, time, producer, lib, head }
    this.add(block, block.time)
    for (const rows of block.more ?? []) {
      if (this.segment.rows >= SEGMENT_ROWS) await this.flush()
      this.add(rows, block.time)
    }
    if (this.segment.rows >= SEGMENT_ROWS) await this.flush()
  }

  private add(rows: BlockRows, time: number): void {
    this.minutes.startBlock(this.segment, time)
    // The process that takes over the range makes its candles.
    this.segment.add({ ...rows, candles: NO_CANDLES })
    this.minutes.note(rows)
  }

  private async flush(): Promise<void> {
    await this.set.write(this.segment)
    await this.minutes.write(this.context.client, this.set.id, this.segment)
    await this.finality?.write(this.context.client, this.set.id)
    this.segment.clear()
  }

  private error(code: string, block: number, what: string): RetryableError {
    const { chain } = this.job
    const hint = 'plan ranges only below the last irreversible block that all sources have reached'
    return new RetryableError(code, `${chain}: block ${block} ${what}`, { hint, place: { chain, block } })
  }
}
