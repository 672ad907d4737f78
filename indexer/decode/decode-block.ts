// The one entry to decoding: a block of any source in, its watched actions, rows and ABI changes out.
import type { SourceBlock } from '../source/source.ts'
import type { AbiBook } from './abi-book.ts'
import type { DecodedBlock } from './decoded.ts'
import { decodePacked } from './packed.ts'
import { undecodable } from './undecodable.ts'
import { decodeUnpacked } from './unpacked.ts'
import type { Watch } from './watch.ts'

/**
 * Decodes a block and adds its ABI changes to the book. Blocks must come in their order; on a fork the caller rewinds
 * the book first.
 *
 * @param chain named in errors
 * @throws DecodeError for a frame that is not what it should be; the book is then as it was before the block
 */
export function decodeBlock(source: SourceBlock, watch: Watch, abis: AbiBook, chain?: string): DecodedBlock {
  try {
    return source.kind === 'packed' ? decodePacked(source, watch, abis) : decodeUnpacked(source, watch, abis)
  } catch (error) {
    abis.rewind(source.num)
    throw undecodable(error, source.num, chain)
  }
}
