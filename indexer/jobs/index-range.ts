// Reads one irreversible block range and leaves its rows in a staging set.
import type { ClientBase } from 'pg'
import { RetryableError } from '../../core/errors.ts'
import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import { decodeBlock } from '../decode/decode-block.ts'
import type { DecodedBlock } from '../decode/decoded.ts'
import type { Watch } from '../decode/watch.ts'
import type { FinalityOptions } from '../finality/chain-follower.ts'
import { FinalityStage } from '../finality/staged.ts'
import type { Projector } from '../project/projector.ts'
import type { BlockSource, SourceBlock } from '../source/source.ts'
import type { Catalog } from '../store/catalog.ts'
import type { BlockRows, ProjectedBlock } from '../store/rows.ts'
import { Segment } from '../store/segment.ts'
import type { StoredAbi } from '../store/writer.ts'
import type { RangeJob } from './boss.ts'
import { PriceJournal } from './price-journal.ts'
import { RecordedAbis } from './recorded-abis.ts'
import { FINISH_RANGE, LAST_ABIS, NEXT_RANGE, SET } from './sql.ts'
import { dropSets, StagingSet } from './staging.ts'

export interface RangeContext {
  client: ClientBase
  catalog: Catalog
  source: BlockSource
  watch: Watch
  projector: Projector
  /** ABIs for contracts of which the chain has not told yet, by account, packed. */
  seedAbis?: ReadonlyMap<string, Uint8Array>
  /** A node's present ABI of an account, where neither the chain nor the seeds have one; null for none. */
  presentAbi?: (account: string) => Promise<Uint8Array | null>
  /** As the indexer of the chain has it. */
  finality?: Pick<FinalityOptions, 'bridge'>
  signal: AbortSignal
}

/** Rows that are staged together. */
const SEGMENT_ROWS = 40_000

/**
 * @returns whether this worker's rows are those of the range: false when another was first, or the signal came
 * @throws RetryableError RANGE_NOT_FINAL, RANGE_INCOMPLETE and what sources and the database throw
 */
export async function indexRange(job: RangeJob, context: RangeContext): Promise<boolean> {
  const { client } = context
  const set = await StagingSet.create(client, job.chain, job.firstBlock)
  let isTaken = false
  try {
    const range = new RangeReader(job, context, set)
    isTaken = (await range.read()) && (await range.finish())
    return isTaken
  } catch (error) {
    // When this took so long that another worker did it, the set may be gone.
    if (await isThere(client, set).catch(() => true)) throw error
    return false
  } finally {
    if (!isTaken) await dropSets(client, [set.id]).catch(() => {})
  }
}

async function isThere(client: ClientBase, { id }: StagingSet): Promise<boolean> {
  const { rows } = await client.query(SET, [id])
  return rows.length > 0
}

class RangeReader {
  private readonly job: RangeJob
  private readonly context: RangeContext
  private readonly set: StagingSet
  private readonly segment: Segment
  private readonly journal = new PriceJournal()
  private readonly abis: RecordedAbis
  private readonly finality: FinalityStage | undefined
  private readonly asked = new Set<string>()
  /** Whether everything before the range is indexed, so that the chain's own ABIs are all there are. */
  private isNext = false
  private first: ProjectedBlock | null = null
  private last: ProjectedBlock | null = null

  constructor(job: RangeJob, context: RangeContext, set: StagingSet) {
    this.job = job
    this.context = context
    this.set = set
    this.segment = new Segment(context.catalog)
    this.abis = new RecordedAbis(job.firstBlock)
    this.finality = context.finality && new FinalityStage(context.finality)
  }

  /** @returns whether the range is complete; false when the signal came */
  async read(): Promise<boolean> {
    const { firstBlock, lastBlock, chain } = this.job
    const { source, projector, signal } = this.context
    await this.loadAbis()
    for await (const block of source.blocks({ from: firstBlock, have: [], to: lastBlock }, signal)) {
      if (block.lib.num < block.num) throw this.error('RANGE_NOT_FINAL', block.num, 'is not irreversible')
      const decoded = await this.decode(block)
      this.finality?.note(block, decoded)
      await this.take(projector.project(decoded))
    }
    if (signal.aborted) return false
    if (this.last?.num !== lastBlock)
      throw this.error('RANGE_INCOMPLETE', lastBlock, `was not sent: the source of ${chain} ended before it`)
    this.journal.close()
    await this.flush()
    return true
  }

  /** Hands the range over. @returns whether no other worker was first */
  async finish(): Promise<boolean> {
    const { chain, firstBlock } = this.job
    const { prevId } = this.first as ProjectedBlock
    const { id, time, lib, head } = this.last as ProjectedBlock
    const values = [chain, firstBlock, this.set.id, prevId, id, new Date(time), lib, head]
    const { rowCount } = await this.context.client.query(FINISH_RANGE, [...values, JSON.stringify(this.abis.used)])
    return rowCount === 1
  }

  private async loadAbis(): Promise<void> {
    const { client, seedAbis = new Map() } = this.context
    const { chain, firstBlock } = this.job
    for (const [account, abi] of seedAbis) this.know({ account, blockNum: 0, globalSeq: 0n, abi })
    const next = await client.query(NEXT_RANGE, [chain])
    this.isNext = Number(next.rows[0]?.firstBlock) === firstBlock
    const { rows } = await client.query(LAST_ABIS, [chain, firstBlock])
    for (const row of rows) this.know({ ...row, blockNum: Number(row.blockNum), globalSeq: BigInt(row.globalSeq) })
  }

  private know(stored: StoredAbi): void {
    this.abis.apply({ ...stored, hash: toHex(sha256(stored.abi)) })
  }

  /** Decodes a block, again when it needed ABIs that only the node knows. */
  private async decode(source: SourceBlock): Promise<DecodedBlock> {
    const { watch } = this.context
    const presentAbi = this.isNext ? undefined : this.context.presentAbi
    for (;;) {
      const block = decodeBlock(source, watch, this.abis, this.job.chain)
      const unknown = presentAbi ? this.abis.missing.filter((account) => !this.asked.has(account)) : []
      let learned = false
      for (const account of unknown) {
        this.asked.add(account)
        const abi = await presentAbi?.(account)
        if (abi) this.know({ account, blockNum: this.job.firstBlock - 1, globalSeq: 0n, abi })
        learned ||= Boolean(abi)
      }
      if (!learned) return block
      this.abis.rewind(source.num)
    }
  }

  private async take(block: ProjectedBlock): Promise<void> {
    this.first ??= block
    this.last = block
    this.add(block, block.time)
    for (const rows of block.more ?? []) {
      if (this.segment.rows >= SEGMENT_ROWS) await this.flush()
      this.add(rows, block.time)
    }
    if (this.segment.rows >= SEGMENT_ROWS) await this.flush()
  }

  private add(rows: BlockRows, time: number): void {
    this.segment.add(rows)
    this.journal.note(rows, time)
  }

  private async flush(): Promise<void> {
    await this.set.write(this.segment)
    await this.set.writeJournal(this.journal.take(), this.context.catalog)
    await this.finality?.write(this.context.client, this.set.id)
    this.segment.clear()
  }

  private error(code: string, block: number, what: string): RetryableError {
    const { chain } = this.job
    const hint = 'plan ranges only below the last irreversible block that all sources have reached'
    return new RetryableError(code, `${chain}: block ${block} ${what}`, { hint, place: { chain, block } })
  }
}
