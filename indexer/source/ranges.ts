// A backfill in parallel: the blocks are cut into ranges, each read by a session of its own and held back until its
// turn, then stitched into one stream by the same linkage checks as a single session. Ranges must be irreversible.
import { RetryableError } from '../../core/errors.ts'
import { ByteQueue } from './byte-queue.ts'
import { Linkage } from './linkage.ts'
import type { BlockPosition, BlockSource, PackedBlock, StartPosition } from './source.ts'

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
  /** Bytes that all sessions together may hold ahead. Default 64 MiB. */
  maxBytes?: number
}

/** Cuts `from`..`to` into ranges of at most `size` blocks, in order. */
export function splitRange({ from, to }: BlockRange, size: number): BlockRange[] {
  const ranges: BlockRange[] = []
  for (let start = from; start <= to; start += size) ranges.push({ from: start, to: Math.min(to, start + size - 1) })
  return ranges
}

/**
 * Whether ranges that were read apart make one chain: the last block of each is the parent of the next one's first.
 *
 * @param ends for each range, in order: the parent of its first block, and its last block
 * @returns the number of the first block that does not link, or null
 */
export function firstUnstitched(ends: readonly { parent: BlockPosition; last: BlockPosition }[]): number | null {
  for (let index = 1; index < ends.length; index++) {
    const { last } = ends[index - 1]
    const { parent } = ends[index]
    if (parent.num !== last.num || parent.id !== last.id) return parent.num + 1
  }
  return null
}

/**
 * The blocks of all ranges as one linear, linked stream. Ranges are dealt to the sources in turn, one at a time each;
 * a source that waits for its turn reads ahead within its share of `maxBytes` (a single block may exceed it).
 *
 * @param ranges consecutive, in order
 * @throws RetryableError RANGE_SEAM when two ranges do not link or a session ends early, and what sources throw
 */
export async function* parallelBlocks(
  sources: readonly PackedSource[],
  ranges: readonly BlockRange[],
  signal: AbortSignal,
  options: ParallelOptions = {},
): AsyncGenerator<PackedBlock> {
  if (ranges.length === 0) return
  const stop = new AbortController()
  const share = (options.maxBytes ?? 64 << 20) / sources.length
  const linkage = new Linkage({ from: ranges[0].from, have: options.have ?? [] })
  const lanes = sources.map((source) => new Lane(source, share, AbortSignal.any([signal, stop.signal])))
  try {
    for (let next = 0; next < Math.min(lanes.length, ranges.length); next++) lanes[next].start(ranges[next])
    for (let index = 0; index < ranges.length; index++) {
      const lane = lanes[index % lanes.length]
      for (let block = await lane.take(); block; block = await lane.take()) {
        check(linkage, block)
        yield block
      }
      if (signal.aborted) return
      if (linkage.next !== ranges[index].to + 1) throw seam(linkage.next, 'is missing at the end of a range')
      const following = ranges[index + lanes.length]
      if (following) lane.start(following)
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

/** A block in a queue, or the end of its range. */
interface Entry {
  block: PackedBlock | null
  byteLength: number
}

/** One source that reads ranges, one after the other, into a queue. */
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

function sizeOf({ block, traces, deltas, finality }: PackedBlock): number {
  return block.length + traces.length + (deltas?.length ?? 0) + (finality?.length ?? 0)
}
