// The one entry to decoding: a block of any source in, its watched actions, rows and ABI changes out.
import type { SourceBlock } from '../source/source.ts'
import type { AbiBook } from './abi-book.ts'
import type { DecodedBlock } from './decoded.ts'
import { decodePacked } from './packed.ts'
import { undecodable } from './undecodable.ts'
import { decodeUnpacked } from './unpacked.ts'
import type { Watch } from './watch.ts'

export interface DecodeOptions {
  /** Named in errors. */
  chain?: string
  /** Whether actions are compared with what the block commits to (`block-check.ts`); true if absent. */
  checksActions?: boolean
}

/**
 * Decodes a block and adds its ABI changes to the book. Blocks must come in their order; on a fork the caller rewinds
 * the book first.
 *
 * @throws DecodeError for a frame that is not what it should be; the book is then as it was before the block
 */
export function decodeBlock(
  source: SourceBlock,
  watch: Watch,
  abis: AbiBook,
  options: DecodeOptions = {},
): DecodedBlock {
  const { chain, checksActions = true } = options
  try {
    return source.kind === 'packed'
      ? decodePacked(source, watch, abis, checksActions)
      : decodeUnpacked(source, watch, abis)
  } catch (error) {
    abis.rewind(source.num)
    throw undecodable(error, source.num, chain)
  }
}
