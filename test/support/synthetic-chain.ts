// Small packed blocks that link, for tests of sources: a header with time and parent, payloads of any size.
import { Writer } from '../../core/antelope/writer.ts'
import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import type { BlockPosition, PackedBlock } from '../../indexer/source/source.ts'

/** Slot of block 0. */
const FIRST_SLOT = 800_000_000

/** A child of `parent`; blocks of different `branch` differ. `size` bytes of traces. */
export function childOf(parent: BlockPosition, branch = 'main', size = 16): PackedBlock {
  const num = parent.num + 1
  const header = new Writer()
  header.u32(FIRST_SLOT + num)
  header.name('producer')
  header.u16(0)
  header.checksum256(parent.id)
  header.string(branch)
  const block = header.finish()
  const id = num.toString(16).padStart(8, '0') + toHex(sha256(block)).slice(8)
  const position = { num, id }
  return {
    kind: 'packed',
    ...position,
    prevId: parent.id,
    head: position,
    lib: num > 1 ? parent : position,
    block,
    traces: new Uint8Array(size).fill(num),
    deltas: new Uint8Array(8).fill(num),
    finality: null,
  }
}

/** `count` blocks on top of `parent`, oldest first. */
export function branchOf(parent: BlockPosition, count: number, branch = 'main', size = 16): PackedBlock[] {
  const blocks: PackedBlock[] = []
  for (let tip = parent; blocks.length < count; ) {
    const block = childOf(tip, branch, size)
    blocks.push(block)
    tip = block
  }
  return blocks
}

/** The same blocks with another last irreversible block: all blocks above it are reversible. */
export function withLib(blocks: PackedBlock[], lib: BlockPosition): PackedBlock[] {
  return blocks.map((block) => ({ ...block, lib }))
}

export const GENESIS: BlockPosition = { num: 1, id: `00000001${'77'.repeat(28)}` }
