// A source that behaves like a node at the head: one block at a time, with the last irreversible block a few blocks
// before it.
import { setTimeout as delay } from 'node:timers/promises'
import type { BlockSource, SourceBlock, StartPosition } from '../../indexer/source/source.ts'

export interface Pace {
  /** Milliseconds between blocks. */
  interval: number
  /** Number of blocks from the last irreversible one to the head. */
  libLag: number
  /** First block that is paced; earlier blocks come at once. */
  from: number
  onBlock(num: number): void
}

export class PacedSource implements BlockSource {
  readonly name = 'paced'
  private readonly source: BlockSource
  private readonly pace: Pace

  constructor(source: BlockSource, pace: Pace) {
    this.source = source
    this.pace = pace
  }

  async *blocks(start: StartPosition, signal: AbortSignal): AsyncGenerator<SourceBlock> {
    for await (const block of this.source.blocks(start, signal)) {
      if (block.num >= this.pace.from) {
        await delay(this.pace.interval)
        const lib = { num: block.num - this.pace.libLag, id: block.id }
        this.pace.onBlock(block.num)
        yield { ...block, head: { num: block.num, id: block.id }, lib }
      } else yield block
    }
  }
}
