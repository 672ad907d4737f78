// Reads Antelope's packed types from a byte array, front to back. All reads are bounds-checked; only texts are copied.
// Assumes a little-endian machine, as all of Node's targets are.

import { DecodeError } from '../errors.ts'
import { toHex } from '../hex.ts'
import { nameOfParts } from './name.ts'
import { readI64, readU32, readU64 } from './raw.ts'
import { readText } from './text.ts'

export class Reader {
  /** The bytes; `bytes()` returns views of them. */
  data: Uint8Array
  /** Offset in `data` of the next byte. */
  pos: number
  /** End of the readable bytes, exclusive. */
  end: number

  constructor(data: Uint8Array, pos = 0, end = data.length) {
    this.data = data
    this.pos = pos
    this.end = end
  }

  get remaining(): number {
    return this.end - this.pos
  }

  /** Checks that `size` bytes are left. */
  need(size: number): void {
    if (size > this.end - this.pos) this.short(size)
  }

  private short(size: number): never {
    throw new DecodeError('TRUNCATED', `${size} bytes wanted at offset ${this.pos}, ${this.end - this.pos} are left`)
  }

  skip(size: number): void {
    this.need(size)
    this.pos += size
  }

  u8(): number {
    this.need(1)
    return this.data[this.pos++] as number
  }

  /** A byte that must be 0 or 1. */
  flag(): boolean {
    const byte = this.u8()
    if (byte > 1) throw new DecodeError('INVALID_BOOL', `neither 0 nor 1 at offset ${this.pos - 1}: ${byte}`)
    return byte === 1
  }

  u16(): number {
    this.need(2)
    const at = this.pos
    this.pos = at + 2
    return (this.data[at] as number) | ((this.data[at + 1] as number) << 8)
  }

  u32(): number {
    this.need(4)
    const at = this.pos
    this.pos = at + 4
    return readU32(this.data, at)
  }

  i32(): number {
    return this.u32() | 0
  }

  u64(): bigint {
    this.need(8)
    const at = this.pos
    this.pos = at + 8
    return readU64(this.data, at)
  }

  i64(): bigint {
    this.need(8)
    const at = this.pos
    this.pos = at + 8
    return readI64(this.data, at)
  }

  u128(): bigint {
    this.need(16)
    const at = this.pos
    this.pos = at + 16
    return (readU64(this.data, at + 8) << 64n) | readU64(this.data, at)
  }

  /** An unsigned 32-bit number in 1 to 5 bytes with 7 bits each, lowest first. */
  varuint32(): number {
    const first = this.u8()
    if (first < 0x80) return first
    let value = first & 0x7f
    for (let shift = 7; shift < 35; shift += 7) {
      const byte = this.u8()
      if (shift === 28 && byte > 0x0f) break
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
    throw new DecodeError('INVALID_VARINT', `a variable integer above 32 bits ends at offset ${this.pos}`)
  }

  name(): string {
    this.need(8)
    const at = this.pos
    this.pos = at + 8
    return nameOfParts(readU32(this.data, at), readU32(this.data, at + 4))
  }

  /** A view of the next `size` bytes. */
  bytes(size: number): Uint8Array {
    this.need(size)
    const at = this.pos
    this.pos = at + size
    return this.data.subarray(at, at + size)
  }

  /** A view of bytes preceded by their length. */
  lengthBytes(): Uint8Array {
    return this.bytes(this.varuint32())
  }

  /** UTF-8 text preceded by its length in bytes; malformed UTF-8 is INVALID_UTF8. */
  string(): string {
    const size = this.varuint32()
    this.need(size)
    const at = this.pos
    this.pos = at + size
    return readText(this.data, at, at + size)
  }

  /** Reads text preceded by its length, without building it. @returns whether it is the given ASCII text */
  isText(text: string): boolean {
    const size = this.varuint32()
    const at = this.pos
    this.skip(size)
    if (size !== text.length) return false
    for (let i = 0; i < size; i++) if (this.data[at + i] !== text.charCodeAt(i)) return false
    return true
  }

  /** 32 bytes as lower-case hex. */
  checksum256(): string {
    return toHex(this.bytes(32))
  }
}
