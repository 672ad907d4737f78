// A recording whose blocks are further apart in time, so that it spans hours. Headers, ids and links are those of the new
// times. Certificates are not, so the chain is indexed without its finality.
import { blockId, readBlockHeader } from '../../../core/antelope/block.ts'
import { readU32 } from '../../../core/antelope/raw.ts'
import { PREVIOUS_AT } from '../../../indexer/source/packed-block.ts'
import type { BlockSource, PackedBlock, StartPosition } from '../../../indexer/source/source.ts'

/** The recordings are shorter than a day. */
const SLOTS_PER_DAY = 2 * 86_400

/** Ids of the recording by new ids, and the other way round. */
const recorded = new Map<string, string>()
const stretched = new Map<string, string>()

export class StretchedSource implements BlockSource {
  readonly name = 'stretched'
  private readonly source: { blocks(start: StartPosition, signal: AbortSignal): AsyncGenerator<PackedBlock> }
  private readonly slots: number

  /** @param slots  half seconds between blocks with consecutive numbers */
  constructor(source: StretchedSource['source'], slots: number) {
    this.source = source
    this.slots = slots
  }

  async *blocks(start: StartPosition, signal: AbortSignal): AsyncGenerator<PackedBlock> {
    const have = start.have.map((one) => ({ ...one, id: recorded.get(one.id) ?? one.id }))
    for await (const block of this.source.blocks({ ...start, have }, signal)) yield this.#stretch(block)
  }

  #stretch(source: PackedBlock): PackedBlock {
    const block = source.block.slice()
    const time = readU32(block, 0)
    new DataView(block.buffer, block.byteOffset).setUint32(
      0,
      time - (time % SLOTS_PER_DAY) + source.num * this.slots,
      true,
    )
    const prevId = stretched.get(source.prevId) ?? source.prevId
    block.set(Buffer.from(prevId, 'hex'), PREVIOUS_AT)
    const id = blockId(block.subarray(0, readBlockHeader(block).length), source.num)
    recorded.set(id, source.id)
    stretched.set(source.id, id)
    const renamed = (position: PackedBlock['lib']) => ({ ...position, id: stretched.get(position.id) ?? position.id })
    return { ...source, id, prevId, block, lib: renamed(source.lib), head: renamed(source.head) }
  }
}
