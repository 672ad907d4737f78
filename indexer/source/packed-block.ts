// Converts between messages of state history and blocks of sources.
import { readU32 } from '../../core/antelope/raw.ts'
import { slotToMs } from '../../core/antelope/time.ts'
import { toHex } from '../../core/hex.ts'
import { type BlocksResult, packBlocksResult } from './ship/protocol.ts'
import type { PackedBlock } from './source.ts'

/** Offset of `previous` in a packed block header: after timestamp, producer and confirmed. */
export const PREVIOUS_AT = 14
/** Parent id of block 1. */
const NO_PARENT = '0'.repeat(64)

/** The block of a result, or null when the node sent no block, no traces or (if wanted) no deltas. */
export function toPackedBlock(result: BlocksResult, deltasWanted: boolean): PackedBlock | null {
  const { position, previous, head, lib, block, traces, deltas, finality } = result
  if (!position || !block || !traces || (deltasWanted && !deltas) || block.length < PREVIOUS_AT + 32) return null
  const prevId = previous?.id ?? toHex(block.subarray(PREVIOUS_AT, PREVIOUS_AT + 32))
  return { kind: 'packed', num: position.num, id: position.id, prevId, head, lib, block, traces, deltas, finality }
}

/** The frame that a node would send for the block, byte for byte (`get_blocks_result_v1`). */
export function toFrame(block: PackedBlock): Uint8Array {
  const previous = block.prevId === NO_PARENT ? null : { num: block.num - 1, id: block.prevId }
  return packBlocksResult({ ...block, position: { num: block.num, id: block.id }, previous })
}

/** Time of a block, Unix milliseconds. */
export function packedBlockTime(block: PackedBlock): number {
  return slotToMs(readU32(block.block, 0))
}
