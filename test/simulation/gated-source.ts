// Buffers blocks between the source and the indexer and releases them on command of the simulation, so that batches
// depend on the seed and not on the machine's speed. Records the released blocks in a journal.
import type { BlockPosition, BlockSource, SourceBlock, StartPosition } from '../../indexer/source/source.ts'

/** A position that the indexer received, in order. */
export interface Told extends BlockPosition {
  lib: number
}

export class GatedSource implements BlockSource {
  readonly name = 'gated'
  readonly journal: Told[] = []
  private readonly inner: BlockSource
  private readonly free: boolean
  private queue: SourceBlock[] = []
  private released = 0
  private waiters: (() => void)[] = []
  private failure: { error: unknown } | undefined

  /** @param free  releases every block immediately */
  constructor(inner: BlockSource, free: boolean) {
    this.inner = inner
    this.free = free
  }

  /** Id of the block read last. */
  get newest(): string | undefined {
    return this.queue.at(-1)?.id ?? this.journal.at(-1)?.id
  }

  /** Releases all blocks read so far. */
  release(): void {
    this.released = this.queue.length
    this.wake()
  }

  async *blocks(start: StartPosition, signal: AbortSignal): AsyncGenerator<SourceBlock> {
    this.queue = []
    this.released = 0
    this.failure = undefined
    const queue = this.queue
    const over = new AbortController()
    const both = AbortSignal.any([signal, over.signal])
    const reading = this.read(queue, start, both)
    both.addEventListener('abort', () => this.wake())
    try {
      while (!signal.aborted) {
        const failed = this.failed()
        if (failed && queue.length === 0) throw failed.error
        if (this.released === 0) await new Promise<void>((resolve) => this.waiters.push(resolve))
        else {
          this.released--
          const block = queue.shift()!
          this.journal.push({ num: block.num, id: block.id, lib: block.lib.num })
          yield block
        }
      }
    } finally {
      over.abort()
      await reading
    }
  }

  private async read(queue: SourceBlock[], start: StartPosition, signal: AbortSignal): Promise<void> {
    try {
      for await (const block of this.inner.blocks(start, signal)) {
        queue.push(block)
        if (this.free) this.release()
      }
    } catch (error) {
      this.failure = { error }
      this.release()
    }
  }

  private failed(): { error: unknown } | undefined {
    return this.failure
  }

  private wake(): void {
    for (const resolve of this.waiters.splice(0)) resolve()
  }
}
