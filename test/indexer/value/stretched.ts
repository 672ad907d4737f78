// A recording of minutes as one of hours: every block comes later by a factor, and is the same else. Its headers do not
// have the ids of the blocks any more: index it with `checksActions: false`.
import type { BlockSource, PackedBlock, SourceBlock, StartPosition } from '../../../indexer/source/source.ts'

/** Half seconds since 2000 of a recording's beginning: what the factor counts from. */
const ORIGIN_MS = Date.UTC(2000, 0, 1)

export class StretchedSource implements BlockSource {
  readonly name = 'stretched'
  private readonly source: BlockSource
  private readonly factor: number
  private readonly since: number

  /**
   * @param since  Unix milliseconds: times of the recording count from here
   */
  constructor(source: BlockSource, factor: number, since: number) {
    this.source = source
    this.factor = factor
    this.since = (since - ORIGIN_MS) / 500
  }

  async *blocks(start: StartPosition, signal: AbortSignal): AsyncGenerator<SourceBlock> {
    for await (const block of this.source.blocks(start, signal)) yield this.stretched(block as PackedBlock)
  }

  /** The header begins with the block's slot. */
  private stretched(block: PackedBlock): PackedBlock {
    const copy = Uint8Array.from(block.block)
    const view = new DataView(copy.buffer)
    view.setUint32(0, this.since + (view.getUint32(0, true) - this.since) * this.factor, true)
    return { ...block, block: copy }
  }
}
