// Content of a chunk as columns: values of one kind stand together, which compresses better than records.
// Layout: the number of streams, the length of each, their bytes.
import { Reader } from '../../core/antelope/reader.ts'
import { Writer } from '../../core/antelope/writer.ts'
import { DecodeError } from '../../core/errors.ts'

/** Size of a stream's first buffer, bytes. */
const FIRST_SIZE = 4096

export class Streams {
  readonly writers: readonly Writer[]

  constructor(count: number) {
    this.writers = Array.from({ length: count }, () => new Writer(FIRST_SIZE))
  }

  /** @throws RangeError */
  at(index: number): Writer {
    const writer = this.writers[index]
    if (!writer) throw new RangeError(`no stream ${index}`)
    return writer
  }

  /** Bytes written. */
  get size(): number {
    let size = 0
    for (const { pos } of this.writers) size += pos
    return size
  }

  /** The content; the streams are then empty. */
  take(): Buffer {
    const out = new Writer(this.size + 8 * this.writers.length)
    out.varuint32(this.writers.length)
    for (const { pos } of this.writers) out.varuint32(pos)
    for (const writer of this.writers) {
      out.bytes(writer.data.subarray(0, writer.pos))
      writer.pos = 0
    }
    return Buffer.from(out.data.buffer, 0, out.pos)
  }
}

/**
 * Streams of a content, each with a reader of its own.
 *
 * @throws DecodeError PACK_LAYOUT unless there are `count` of them and nothing else
 */
export function readStreams(content: Uint8Array, count: number): Reader[] {
  // A plain view: parts of a `Buffer` are buffers too, which take longer to make.
  const bytes = new Uint8Array(content.buffer, content.byteOffset, content.length)
  const head = new Reader(bytes)
  if (head.varuint32() !== count) throw otherLayout(`it does not have ${count} streams`)
  const sizes = Array.from({ length: count }, () => head.varuint32())
  let at = head.pos
  const streams = sizes.map((size) => {
    const start = at
    at += size
    return new Reader(bytes, start, Math.min(at, bytes.length))
  })
  if (at !== content.length) throw otherLayout('its streams have another length')
  return streams
}

/** Checks that streams were read to their ends. @throws DecodeError PACK_LAYOUT */
export function checkEnds(streams: readonly Reader[]): void {
  if (streams.some(({ remaining }) => remaining > 0)) throw otherLayout('bytes are left in a stream')
}

export function otherLayout(reason: string): DecodeError {
  return new DecodeError('PACK_LAYOUT', `a chunk has another layout: ${reason}`, {
    hint: 'fetch the file again, or take the pack of another publisher',
  })
}

const [LOW, MASK] = [0x7fn, 0xffff_ffff_ffff_ffffn]

/** A signed number of 64 bits in 1 to 10 bytes: small amounts of either sign are short. Wraps around. */
export function writeSigned(writer: Writer, value: bigint): void {
  const wrapped = BigInt.asIntN(64, value)
  if (wrapped >= -0x4000_0000n && wrapped < 0x4000_0000n) {
    const small = Number(wrapped)
    writer.varuint32(small < 0 ? -2 * small - 1 : 2 * small)
    return
  }
  let rest = BigInt.asUintN(64, (wrapped << 1n) ^ (wrapped >> 63n))
  while (rest > LOW) {
    writer.u8(Number(rest & LOW) | 0x80)
    rest >>= 7n
  }
  writer.u8(Number(rest))
}

/** @throws DecodeError PACK_LAYOUT, TRUNCATED */
export function readSigned(reader: Reader): bigint {
  let low = 0
  for (let shift = 0; shift < 28; shift += 7) {
    const byte = reader.u8()
    low |= (byte & 0x7f) << shift
    if (byte < 0x80) return BigInt((low >>> 1) ^ -(low & 1))
  }
  let value = BigInt(low)
  for (let shift = 28n; shift < 70n; shift += 7n) {
    const byte = reader.u8()
    value |= BigInt(byte & 0x7f) << shift
    if (byte >= 0x80) continue
    if (value > MASK) break
    return (value >> 1n) ^ -(value & 1n)
  }
  throw otherLayout('a number has more than 64 bits')
}
