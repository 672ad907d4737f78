// Entry point of decoding: takes a block of any source, returns its watched actions, rows and ABI changes.
import type { SourceBlock } from '../source/source.ts'
import type { AbiBook } from './abi-book.ts'
import type { DecodedBlock } from './decoded.ts'
import { decodePacked } from './packed.ts'
import { undecodable } from './undecodable.ts'
import { decodeUnpacked } from './unpacked.ts'
import type { Watch } from './watch.ts'

export interface DecodeOptions {
  /** For error messages. */
  chain?: string
  /** Whether to check actions against the block's commitments (`block-check.ts`). Default true. */
  checksActions?: boolean
}

/**
 * Decodes a block and adds its ABI changes to the book. Blocks must come in order; on a fork the caller rewinds the
 * book first.
 *
 * @throws DecodeError for a malformed frame; the book is then as it was before the block
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
