// Zstandard frames whose content has a known size. Layout: RFC 8878, 3.1.1.
import { compress, decompress } from '@mongodb-js/zstd'
import { readU32 } from '../../core/antelope/raw.ts'

const MAGIC = 0xfd2fb528
/** Limit of a compressed block's content, bytes. */
const BLOCK_BYTES = 128 * 1024
/** Types of blocks. */
const [RLE, COMPRESSED] = [1, 2]

/** Compresses at level 3: the library ignores the level that it is given. */
export async function pack(raw: Uint8Array): Promise<Buffer> {
  return compress(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength))
}

/**
 * Unpacks a frame.
 *
 * @param size  expected size. A frame that could take several times as much is not unpacked: it would fill the memory.
 * @returns null for anything else
 */
export async function unpack(packed: Buffer, size: number): Promise<Buffer | null> {
  const most = maxContent(packed)
  if (most === null || most < size || most > 4 * size + 8 * BLOCK_BYTES) return null
  try {
    const raw = await decompress(packed)
    return raw.length === size ? raw : null
  } catch {
    return null
  }
}

/** Limit of a frame's content by the heads of its blocks; null when it is not one whole frame. */
function maxContent(frame: Buffer): number | null {
  if (frame.length < 6 || readU32(frame, 0) !== MAGIC) return null
  const descriptor = frame[4] as number
  const isSingleSegment = (descriptor & 0x20) !== 0
  const hasChecksum = (descriptor & 0x04) !== 0
  const dictionary = [0, 1, 2, 4][descriptor & 3] as number
  const contentSize = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] as number
  let at = 5 + (isSingleSegment ? 0 : 1) + dictionary + contentSize
  let most = 0
  for (let isLast = false; !isLast; ) {
    if (at + 3 > frame.length) return null
    const head = frame.readUIntLE(at, 3)
    const type = (head >> 1) & 3
    const size = head >> 3
    isLast = (head & 1) === 1
    if (type > COMPRESSED) return null
    at += 3 + (type === RLE ? 1 : size)
    most += type === COMPRESSED ? BLOCK_BYTES : size
  }
  return at + (hasChecksum ? 4 : 0) === frame.length ? most : null
}
