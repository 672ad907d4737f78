// Writes Antelope's packed types into a growing byte array. Values out of range are refused, not truncated: UserError
// INVALID_VALUE.

import { UserError } from '../errors.ts'
import { fromHex } from '../hex.ts'
import { nameToU64 } from './name.ts'
import { writeU32, writeU64 } from './raw.ts'

const FIRST_SIZE = 256
const LONE_SURROGATE = /\p{Surrogate}/u
const encoder = new TextEncoder()

export class Writer {
  data: Uint8Array
  pos = 0

  constructor(size = FIRST_SIZE) {
    this.data = new Uint8Array(size)
  }

  /** Reserves `size` bytes, advances the position past them and returns their offset. */
  reserve(size: number): number {
    const at = this.pos
    this.pos = at + size
    if (this.pos > this.data.length) {
      const grown = new Uint8Array(Math.max(this.pos, this.data.length * 2))
      grown.set(this.data.subarray(0, at))
      this.data = grown
    }
    return at
  }

  /** @throws UserError INVALID_VALUE unless the value is an integer within the bounds */
  private checkedInteger(value: number, min: number, max: number): number {
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new UserError('INVALID_VALUE', `not an integer from ${min} to ${max}: ${String(value).slice(0, 40)}`)
    }
    return value
  }

  /** @throws UserError INVALID_VALUE unless the value is a bigint within the bounds */
  private checkedBigint(value: bigint, min: bigint, max: bigint): bigint {
    if (typeof value !== 'bigint' || value < min || value > max) {
      throw new UserError('INVALID_VALUE', `not a bigint from ${min} to ${max}: ${String(value).slice(0, 40)}`)
    }
    return value
  }

  u8(value: number): void {
    this.checkedInteger(value, 0, 0xff)
    const at = this.reserve(1)
    this.data[at] = value
  }

  u16(value: number): void {
    this.checkedInteger(value, 0, 0xffff)
    const at = this.reserve(2)
    this.data[at] = value
    this.data[at + 1] = value >>> 8
  }

  u32(value: number): void {
    this.checkedInteger(value, 0, 0xffffffff)
    const at = this.reserve(4)
    writeU32(this.data, at, value)
  }

  i32(value: number): void {
    this.checkedInteger(value, -0x80000000, 0x7fffffff)
    const at = this.reserve(4)
    writeU32(this.data, at, value)
  }

  u64(value: bigint): void {
    this.checkedBigint(value, 0n, 0xffffffffffffffffn)
    const at = this.reserve(8)
    writeU64(this.data, at, value)
  }

  i64(value: bigint): void {
    this.checkedBigint(value, -0x8000000000000000n, 0x7fffffffffffffffn)
    const at = this.reserve(8)
    writeU64(this.data, at, value)
  }

  u128(value: bigint): void {
    this.checkedBigint(value, 0n, (1n << 128n) - 1n)
    const at = this.reserve(16)
    writeU64(this.data, at, value)
    writeU64(this.data, at + 8, value >> 64n)
  }

  i128(value: bigint): void {
    this.checkedBigint(value, -(1n << 127n), (1n << 127n) - 1n)
    const at = this.reserve(16)
    writeU64(this.data, at, value)
    writeU64(this.data, at + 8, value >> 64n)
  }

  varuint32(value: number): void {
    let rest = this.checkedInteger(value, 0, 0xffffffff)
    let at = this.reserve(rest < 0x80 ? 1 : rest < 0x4000 ? 2 : rest < 0x200000 ? 3 : rest < 0x10000000 ? 4 : 5)
    for (; rest >= 0x80; rest >>>= 7) this.data[at++] = (rest & 0x7f) | 0x80
    this.data[at] = rest
  }

  name(text: string): void {
    const value = nameToU64(text)
    const at = this.reserve(8)
    writeU64(this.data, at, value)
  }

  /** Raw bytes. */
  bytes(raw: Uint8Array): void {
    const at = this.reserve(raw.length)
    this.data.set(raw, at)
  }

  /** Bytes preceded by their number as a varuint32. */
  lengthBytes(raw: Uint8Array): void {
    this.varuint32(raw.length)
    this.bytes(raw)
  }

  /** UTF-8 text preceded by its length in bytes. Refuses a lone surrogate, which UTF-8 cannot encode. */
  string(text: string): void {
    if (typeof text !== 'string' || LONE_SURROGATE.test(text))
      throw new UserError('INVALID_VALUE', 'not a well-formed text')
    this.lengthBytes(encoder.encode(text))
  }

  /** 32 bytes given as hex. */
  checksum256(hex: string): void {
    const raw = fromHex(hex)
    if (raw.length !== 32) throw new UserError('INVALID_VALUE', `not 32 bytes: ${raw.length}`)
    this.bytes(raw)
  }

  /** A copy of the written bytes. */
  finish(): Uint8Array {
    return this.data.slice(0, this.pos)
  }
}
