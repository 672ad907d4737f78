// The content of an entry's payload. The writer's version decides on its form, so each entry is examined: the length
// field (compressed length, 0, or 1 with the content's size) and a zlib stream, stored or compressed. Stored blocks are
// used where they are, without a copy when there is one. Pure.

import { inflateSync } from 'node:zlib'
import { DecodeError } from '../../errors.ts'
import { itemAt } from '../../required.ts'
import { readU32, readU64 } from '../raw.ts'
import { adler32 } from './adler32.ts'

/** How a payload is encoded. */
export type PayloadEncoding = 'empty' | 'stored' | 'zlib'
/** The field before the stream: `length` (EOSIO), `zero` (Leap 3), `size` (Leap 4, 5 and Spring). */
export type LengthField = 'length' | 'zero' | 'size'

export interface Payload {
  /** A view of the payload, or a new array. */
  content: Uint8Array
  encoding: PayloadEncoding
  lengthField: LengthField
}

/** Value of the length field when the content's size follows. */
const SIZE_FOLLOWS = 1
/** Bytes before the blocks of a zlib stream, and after them (adler32, big endian). */
const STREAM_HEADER = 2
const STREAM_TRAILER = 4
/** Bytes before a stored block: final bit and type, length, complement of the length. */
const BLOCK_HEADER = 5
/** Highest compression ratio of zlib: 258 bytes in 2 bits. */
const MAX_RATIO = 1032
const NOTHING = new Uint8Array()

function bad(what: string, cause?: unknown): DecodeError {
  return new DecodeError('LOG_PAYLOAD', `the payload ${what}`, { cause })
}

/**
 * Content of a payload. Checks sizes and the stream's checksum.
 *
 * @param payload   from the end of the entry's header to its suffix
 * @param maxBytes  size limit of the content, bytes
 * @throws DecodeError LOG_PAYLOAD, LOG_CONTENT_SIZE when the content is above the limit
 */
export function readPayload(payload: Uint8Array, maxBytes = 2 ** 31 - 1): Payload {
  const { lengthField, start, size } = readPayloadHead(payload, payload.length)
  const stream = payload.subarray(start)
  if (size !== null && size > stream.length * MAX_RATIO) throw bad(`cannot have ${size} bytes of content`)
  if (size !== null && size > maxBytes) throw tooLarge(size, maxBytes)
  if (stream.length === 0) {
    if (lengthField === 'zero' || size === 0) return { content: NOTHING, encoding: 'empty', lengthField }
    throw bad('has no stream')
  }
  checkStreamHeader(stream)
  const stored = readStored(stream)
  const content = stored ?? inflate(stream, size, maxBytes)
  if (size !== null && content.length !== size) throw bad(`has ${content.length} bytes of content, ${size} are due`)
  return { content, encoding: stored ? 'stored' : 'zlib', lengthField }
}

/** Number of bytes that `readPayloadHead` needs; all bytes of a shorter payload. */
export const PAYLOAD_HEAD = 12

export interface PayloadHead {
  lengthField: LengthField
  /** Offset of the zlib stream. */
  start: number
  /** Size of the content, bytes; null when the writer did not give it. */
  size: number | null
}

/**
 * @param payload      its first bytes
 * @param payloadSize  all its bytes
 * @throws DecodeError LOG_PAYLOAD
 */
export function readPayloadHead(payload: Uint8Array, payloadSize: number): PayloadHead {
  if (payload.length < 4) throw bad(`has ${payload.length} bytes, at least 4 are due`)
  const field = readU32(payload, 0)
  if (field === 0) return { lengthField: 'zero', start: 4, size: null }
  if (field === SIZE_FOLLOWS) {
    if (payload.length < 12) throw bad('ends within its size')
    const size = readU64(payload, 4)
    if (size > BigInt(Number.MAX_SAFE_INTEGER)) throw bad(`has a content of ${size} bytes`)
    return { lengthField: 'size', start: 12, size: Number(size) }
  }
  // 32 bits: wrong above 4 GiB.
  if (field !== (payloadSize - 4) >>> 0) throw bad(`has the length field ${field}, ${payloadSize - 4} is due`)
  return { lengthField: 'length', start: 4, size: null }
}

function checkStreamHeader(stream: Uint8Array): void {
  const [method, flags] = [stream[0] ?? 0, stream[1] ?? 0]
  const isZlib = (method & 15) === 8 && method >> 4 <= 7 && (method * 256 + flags) % 31 === 0 && (flags & 32) === 0
  if (stream.length < STREAM_HEADER + STREAM_TRAILER || !isZlib) throw bad('is no zlib stream')
}

/** Content of a stream that has only stored blocks; null when a block is compressed. */
function readStored(stream: Uint8Array): Uint8Array | null {
  const end = stream.length - STREAM_TRAILER
  const parts: Uint8Array[] = []
  let at = STREAM_HEADER
  for (let isLast = false; !isLast; ) {
    if (at + BLOCK_HEADER > end) return null
    const head = stream[at] ?? 0
    if (head > 1) return null
    isLast = head === 1
    const length = (stream[at + 1] ?? 0) | ((stream[at + 2] ?? 0) << 8)
    const complement = (stream[at + 3] ?? 0) | ((stream[at + 4] ?? 0) << 8)
    if ((length ^ complement) !== 0xffff) throw bad('has a stored block whose length is damaged')
    at += BLOCK_HEADER
    if (at + length > end) throw bad('ends within a stored block')
    parts.push(stream.subarray(at, at + length))
    at += length
  }
  if (at !== end) throw bad(`has ${end - at} bytes after its last block`)
  const content = parts.length === 1 ? itemAt(parts, 0) : Buffer.concat(parts)
  const sum =
    (((stream[at] ?? 0) << 24) |
      ((stream[at + 1] ?? 0) << 16) |
      ((stream[at + 2] ?? 0) << 8) |
      (stream[at + 3] ?? 0)) >>>
    0
  if (adler32(content) !== sum) throw bad('has another checksum than its content')
  return content
}

/** Options that make `inflateSync` return its engine, whose `bytesWritten` counts the consumed bytes. */
type InflateInfo = (stream: Uint8Array, options: object) => { buffer: Uint8Array; engine: { bytesWritten: number } }

function inflate(stream: Uint8Array, size: number | null, maxBytes: number): Uint8Array {
  const chunkSize = Math.min(Math.max(size ?? stream.length * 3, 64), 1 << 24)
  try {
    const { buffer, engine } = (inflateSync as unknown as InflateInfo)(stream, {
      ...{ info: true, chunkSize },
      maxOutputLength: Math.max(1, size ?? maxBytes),
    })
    if (engine.bytesWritten === stream.length) return buffer
    throw bad(`has ${stream.length - engine.bytesWritten} bytes after its stream`)
  } catch (cause) {
    if (cause instanceof DecodeError) throw cause
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') {
      throw bad(`cannot be inflated: ${(cause as Error).message}`, cause)
    }
    if (size === null) throw tooLarge(null, maxBytes)
    throw bad(`has more than the ${size} bytes of content that are due`)
  }
}

function tooLarge(size: number | null, maxBytes: number): DecodeError {
  const found = size === null ? 'more' : `${size}`
  return new DecodeError('LOG_CONTENT_SIZE', `the content has ${found} bytes, the limit is ${maxBytes}`, {
    hint: 'raise source.maxFrameBytes, if memory allows',
  })
}
