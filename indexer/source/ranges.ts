// Reads a backfill in parallel: blocks are cut into ranges, each read by its own session and buffered until its turn,
// then joined to one stream with the linkage checks of a single session. Ranges must be irreversible.
import { RetryableError } from '../../core/errors.ts'
import { ByteQueue } from './byte-queue.ts'
import { Linkage } from './linkage.ts'
import type { BlockPosition, BlockSource, PackedBlock, StartPosition } from './source.ts'
import type { SourceStats } from './stats.ts'

/** Block numbers, both inclusive. */
export interface BlockRange {
  from: number
  to: number
}

/** A source of packed blocks. */
export interface PackedSource extends BlockSource {
  blocks(start: StartPosition, signal: AbortSignal): AsyncIterable<PackedBlock>
}

export interface ParallelOptions {
  /** Blocks held before the first range, oldest first, as in StartPosition. */
  have?: BlockPosition[]
  /** Limit of bytes buffered by all sessions together. Default 64 MiB. */
  maxBytes?: number
  /** Counts the time that the consumer waits for blocks. */
  stats?: SourceStats
}

/** Cuts `from`..`to` into ranges of at most `size` blocks, in order. */
export function splitRange({ from, to }: BlockRange, size: number): BlockRange[] {
  const ranges: BlockRange[] = []
  for (let start = from; start <= to; start += size) ranges.push({ from: start, to: Math.min(to, start + size - 1) })
  return ranges
}

/**
 * The blocks of all ranges as one linear, linked stream. Each source reads one range at a time; ranges are assigned in
 * turn. A source that waits for its turn reads ahead within its share of `maxBytes`; one block may exceed it.
 *
 * @param ranges  consecutive, in order; taken when a source is free
 * @throws RetryableError RANGE_SEAM when two ranges do not link or a session ends early; errors of the sources
 */
export async function* parallelBlocks(
  sources: readonly PackedSource[],
  ranges: Iterable<BlockRange>,
  signal: AbortSignal,
  options: ParallelOptions = {},
): AsyncGenerator<PackedBlock> {
  const stop = new AbortController()
  const share = (options.maxBytes ?? 64 << 20) / sources.length
  const lanes = sources.map((source) => new Lane(source, share, AbortSignal.any([signal, stop.signal])))
  const rangeIterator = ranges[Symbol.iterator]()
  const turns: { lane: Lane; range: BlockRange }[] = []
  const assign = (lane: Lane) => {
    const { done, value: range } = rangeIterator.next()
    if (done) return
    lane.start(range)
    turns.push({ lane, range })
  }
  const take = ({ lane }: { lane: Lane }) => options.stats?.waiting(lane.take()) ?? lane.take()
  try {
    for (const lane of lanes) assign(lane)
    if (!turns[0]) return
    const linkage = new Linkage({ from: turns[0].range.from, have: options.have ?? [] })
    for (let turn = turns.shift(); turn; turn = turns.shift()) {
      for (let block = await take(turn); block; block = await take(turn)) {
        check(linkage, block)
        yield block
      }
      if (signal.aborted) return
      if (linkage.next !== turn.range.to + 1) throw seam(linkage.next, 'is missing at the end of a range')
      assign(turn.lane)
    }
  } finally {
    stop.abort()
  }
}

function check(linkage: Linkage, block: PackedBlock): void {
  const verdict = linkage.accept(block)
  if (verdict !== 'next') throw seam(block.num, `does not continue the range before it (${verdict})`)
}

function seam(block: number, what: string): RetryableError {
  const hint = 'backfill only below the last irreversible block, from nodes of one chain'
  return new RetryableError('RANGE_SEAM', `block ${block} ${what}`, { hint, place: { block } })
}

/** A queued block, or null at the end of a range. */
interface Entry {
  block: PackedBlock | null
  byteLength: number
}

/** Reads ranges from one source into a queue, one after another. */
class Lane {
  readonly #source: PackedSource
  readonly #share: number
  readonly #signal: AbortSignal
  readonly #queue = new ByteQueue<Entry>()
  #wake: (() => void) | undefined

  constructor(source: PackedSource, share: number, signal: AbortSignal) {
    this.#source = source
    this.#share = share
    this.#signal = signal
    signal.addEventListener('abort', () => this.#wake?.())
  }

  start(range: BlockRange): void {
    this.#read(range).catch((error: Error) => this.#queue.fail(error))
  }

  /** The next block; null at the end of the range or after an abort. */
  async take(): Promise<PackedBlock | null> {
    const { block } = await this.#queue.take()
    if (this.#queue.bytes < this.#share) this.#wake?.()
    return block
  }

  async #read({ from, to }: BlockRange): Promise<void> {
    for await (const block of this.#source.blocks({ from, have: [], to }, this.#signal)) {
      this.#queue.push({ block, byteLength: sizeOf(block) })
      while (this.#queue.bytes >= this.#share && !this.#signal.aborted) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
      if (this.#signal.aborted) break
    }
    this.#queue.push({ block: null, byteLength: 0 })
  }
}

/** Total size of a block's payloads, bytes. */
export function sizeOf({ block, traces, deltas, finality }: PackedBlock): number {
  return block.length + traces.length + (deltas?.length ?? 0) + (finality?.length ?? 0)
}
