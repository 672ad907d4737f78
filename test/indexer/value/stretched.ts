// A recording of minutes stretched to hours: only block times change, by a factor. Headers no longer match the block
// ids, so index it with `checksActions: false`.
import type { BlockSource, PackedBlock, SourceBlock, StartPosition } from '../../../indexer/source/source.ts'

/** Start of a recording in half seconds since 2000, from which the factor counts. */
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
