// Changes a header of a pack as a dishonest publisher would: every later block gets the new id of its parent, and the
// manifest the new ids and digests.
import {
  type BlockHeader,
  headerId,
  packBlockHeader,
  packSignedBlock,
  readSignedBlock,
} from '../../core/antelope/block.ts'
import type { SlimBlock } from '../../packs/format/slim-block.ts'
import { manifestOf, putManifest, replaceBlocks } from './tamper.ts'

interface Changed {
  header?: Partial<BlockHeader>
  traces?: Uint8Array
}

/** @param change  new parts of block `num` */
export async function relink(folder: string, num: number, change: (block: SlimBlock) => Changed): Promise<void> {
  const manifest = manifestOf(folder)
  const ids = new Map<number, string>()
  const relinked = (block: SlimBlock): SlimBlock => {
    const { header, blockNum, signature, extensions } = readSignedBlock(block.block)
    const changed = blockNum === num ? change(block) : {}
    const previous = ids.get(blockNum - 1) ?? header.previous
    const next = { ...header, ...changed.header, previous }
    ids.set(blockNum, headerId(next, blockNum))
    const packed = packSignedBlock(packBlockHeader(next), signature, [], extensions)
    return { block: packed, traces: changed.traces ?? block.traces, finality: block.finality }
  }
  for (const range of manifest.ranges) {
    await replaceBlocks(folder, range.blocks!, range.rows, (blocks) => blocks.map(relinked))
    range.lastId = ids.get(range.to)!
  }
  for (const state of manifest.states) {
    state.id = ids.get(state.block)!
    if (state.proof) await replaceBlocks(folder, state.proof, null, (blocks) => blocks.map(relinked))
  }
  putManifest(folder, manifest)
}
