// Blocks of state-history nodes: by several sessions in parallel while the last irreversible block is far away, each
// reading its own ranges, which are joined by linkage. Near the head, one session follows live through ShipSource.
import { HeadwaterError } from '../../../core/errors.ts'
import { Linkage } from '../linkage.ts'
import { type BlockRange, type PackedSource, parallelBlocks, sizeOf } from '../ranges.ts'
import type { BlockFrame, BlockSource, PackedBlock, StartPosition, StateFrame } from '../source.ts'
import type { SourceStats } from '../stats.ts'
import type { NodeStatus } from './protocol.ts'
import type { ShipSource } from './source.ts'

export interface CatchUpOptions {
  /** Number of parallel sessions, at least 2. */
  sessions: number
  /** Queue limit of each session, bytes; the same as the source's. */
  queueBytes: number
  /** Called before blocks are read in parallel, both ends inclusive. */
  onCatchUp?: (range: BlockRange) => void
}

/** Below this distance to the last irreversible block, one session is enough. */
const FAR = 1000
/** Minimum number of ranges for each session, as long as a range has at least SHORTEST_RANGE blocks. */
const MIN_RANGES = 4
const SHORTEST_RANGE = 50
const LONGEST_RANGE = 5000
/** Initial estimate of a block's size, bytes. */
const FIRST_ESTIMATE = 64 << 10
/** Limit of decoded frames that a session buffers in addition to its socket's queue, bytes. */
const LANE_BYTES = 1 << 20

export class CatchUpSource implements BlockSource {
  readonly name = 'ship'
  readonly stats: SourceStats
  readonly #ship: ShipSource
  readonly #options: CatchUpOptions
  /** Size of a block, bytes; a moving average. */
  #blockBytes = FIRST_ESTIMATE

  constructor(ship: ShipSource, options: CatchUpOptions) {
    this.#ship = ship
    this.#options = options
    this.stats = ship.stats
  }

  /** As ShipSource.status. */
  status(signal: AbortSignal): Promise<NodeStatus> {
    return this.#ship.status(signal)
  }

  /** See BlockSource. */
  chainId(signal: AbortSignal): Promise<string | null> {
    return this.#ship.chainId(signal)
  }

  /** See BlockSource. */
  expectChain(chainId: string): void {
    this.#ship.expectChain(chainId)
  }

  /** See BlockSource. */
  firstState(from: number, fullState: number | undefined, signal: AbortSignal): Promise<StateFrame | null> {
    return this.#ship.firstState(from, fullState, signal)
  }

  /** See BlockSource. */
  stateBlock(from: number, fullState: number | undefined, signal: AbortSignal): Promise<number | null> {
    return this.#ship.stateBlock(from, fullState, signal)
  }

  /** See BlockSource. */
  blame(block: Pick<BlockFrame, 'num' | 'node'>): boolean {
    return this.#ship.blame(block)
  }

  /** See BlockSource. Throws as ShipSource, and RetryableError RANGE_SEAM when ranges do not link. */
  async *blocks(start: StartPosition, signal: AbortSignal): AsyncGenerator<PackedBlock> {
    const linkage = new Linkage(start)
    while (!signal.aborted) {
      const end = await this.#irreversible(start, signal)
      if (end !== null && end - linkage.next < FAR) break
      const stream = end !== null && isSettled(linkage) ? this.#parallel(linkage, end, signal) : null
      for await (const block of stream ?? this.#single(linkage, start, signal)) {
        linkage.accept(block)
        yield block
        if (!stream && isSettled(linkage)) break
      }
      if (linkage.next > (start.to ?? Number.POSITIVE_INFINITY)) return
    }
    yield* this.#single(linkage, start, signal)
  }

  /** Last block that can be read in parallel; null when no node answers. */
  async #irreversible({ to }: StartPosition, signal: AbortSignal): Promise<number | null> {
    try {
      const { lib } = await this.#ship.status(signal)
      return Math.min(lib.num, to ?? lib.num)
    } catch (error) {
      if (error instanceof HeadwaterError) return null
      throw error
    }
  }

  #single(linkage: Linkage, { to }: StartPosition, signal: AbortSignal): AsyncGenerator<PackedBlock> {
    return this.#ship.blocks({ from: linkage.next, have: linkage.positions(), lib: linkage.lib, to }, signal)
  }

  async *#parallel(linkage: Linkage, to: number, signal: AbortSignal): AsyncGenerator<PackedBlock> {
    const { sessions, onCatchUp } = this.#options
    const range = { from: linkage.next, to }
    onCatchUp?.(range)
    const lane: PackedSource = { name: this.name, blocks: (start, stop) => this.#ship.readAhead(start, stop) }
    const lanes = Array.from({ length: sessions }, () => lane)
    const options = { have: linkage.positions(), maxBytes: sessions * LANE_BYTES, stats: this.stats }
    for await (const block of parallelBlocks(lanes, this.#ranges(range), signal, options)) {
      this.#blockBytes += (sizeOf(block) - this.#blockBytes) / 64
      yield block
    }
  }

  /** Ranges that fit a waiting session's queue and are short enough to keep all sessions busy to the end. */
  *#ranges({ from, to }: BlockRange): Generator<BlockRange> {
    const { sessions, queueBytes } = this.#options
    const longest = Math.min(LONGEST_RANGE, (to - from + 1) / sessions / MIN_RANGES)
    for (let next = from; next <= to; ) {
      const fitting = Math.min(queueBytes / 2 / this.#blockBytes, longest)
      const last = Math.min(to, next + Math.max(SHORTEST_RANGE, Math.ceil(fitting)) - 1)
      yield { from: next, to: last }
      next = last + 1
    }
  }
}

/** Whether all held blocks are irreversible. */
function isSettled(linkage: Linkage): boolean {
  return linkage.positions().length === 0 || linkage.lib >= linkage.next - 1
}
