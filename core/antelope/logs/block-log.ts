// Layout of a node's block log (`blocks.log`): a preamble with the first block and the chain's identity, then packed
// blocks, each followed by its own position. Source: `libraries/chain/block_log.cpp` of Spring 1.x and Leap.
import { DecodeError } from '../../errors.ts'
import { toHex } from '../../hex.ts'
import { sha256 } from '../../sha256.ts'
import { readU32, readU64 } from '../raw.ts'

/** Bytes of a block's suffix: u64, its position. */
export const BLOCK_SUFFIX = 8
/** Bytes at the end of a pruned log: u32, number of its blocks. */
export const PRUNED_TRAILER = 4
const PRUNED = 0x8000_0000
const MAX_VERSION = 3
const SEPARATOR = 2n ** 64n - 1n
/** Offset of the parent's block number in a packed block: first bytes of `previous`. */
const PARENT_NUM_AT = 14

export interface BlockLogStart {
  version: number
  isPruned: boolean
  /** First block of the log when it was created; the index counts from it. */
  first: number
}

/** @throws DecodeError LOG_VERSION, LOG_ENTRY */
export function readBlockLogStart(bytes: Uint8Array): BlockLogStart {
  if (bytes.length < 8) throw new DecodeError('LOG_ENTRY', 'the file ends within its preamble')
  const word = readU32(bytes, 0)
  const version = (word & ~PRUNED) >>> 0
  if (version < 1 || version > MAX_VERSION) {
    throw new DecodeError('LOG_VERSION', `version ${version} of the block log is not known`, {
      hint: 'versions 1 to 3 are read',
    })
  }
  const first = version === 1 ? 1 : readU32(bytes, 4)
  if (first === 0) throw new DecodeError('LOG_ENTRY', 'the block log begins with block 0')
  return { version, isPruned: word >= PRUNED, first }
}

/** Whether the preamble holds a packed genesis state instead of a chain id. */
function hasGenesis({ version, first }: Pick<BlockLogStart, 'version' | 'first'>): boolean {
  return version < 3 || first === 1
}

/**
 * Chain id of a preamble: as written there, or the hash of the genesis state.
 *
 * @param preamble  the bytes before the first block, all of them
 * @throws DecodeError LOG_ENTRY when the preamble does not end as it must
 */
export function chainIdOf(preamble: Uint8Array, { version, first }: BlockLogStart): string {
  const start = version === 1 ? 4 : 8
  const end = preamble.length - (version === 1 ? 0 : 8)
  if (end <= start) throw new DecodeError('LOG_ENTRY', 'the preamble of the block log is too short')
  if (version > 1 && readU64(preamble, end) !== SEPARATOR) {
    throw new DecodeError('LOG_ENTRY', 'the preamble of the block log does not end before the first block')
  }
  const content = preamble.subarray(start, end)
  if (hasGenesis({ version, first })) return toHex(sha256(content))
  if (content.length === 32) return toHex(content)
  throw new DecodeError('LOG_ENTRY', `a chain id of ${content.length} bytes`)
}

/** Number of a packed block, from its parent's id. @throws DecodeError LOG_ENTRY when it is too short */
export function packedBlockNum(block: Uint8Array): number {
  if (block.length < PARENT_NUM_AT + 4) throw new DecodeError('LOG_ENTRY', `a block of ${block.length} bytes`)
  const at = PARENT_NUM_AT
  return (
    ((((block[at] ?? 0) << 24) | ((block[at + 1] ?? 0) << 16) | ((block[at + 2] ?? 0) << 8) | (block[at + 3] ?? 0)) >>>
      0) +
    1
  )
}
