// A growing buffer in PostgreSQL's binary COPY format. Each method writes one field: length and value. Layout:
// PostgreSQL manual, "COPY", binary format; numbers are big-endian.

import { type DecimalNumber, writeNumeric } from './numeric.ts'
import { COPY_STREAM } from './tuples.ts'

const HEADER = COPY_STREAM.head
/** Microseconds between the Unix epoch and PostgreSQL's (2000-01-01). */
const EPOCH_MICROSECONDS = 946_684_800_000_000
const TEXT_OID = 25
const FIRST_SIZE = 64 * 1024
/** A buffer larger than this is freed by `clear`. */
const MAX_KEPT_SIZE = 8 * 1024 * 1024

export class CopyBuffer {
  private bytes = Buffer.alloc(FIRST_SIZE)
  /** View of the same bytes: writes fixed-width numbers several times faster. */
  private view = viewOf(this.bytes)
  private pos = HEADER.copy(this.bytes, 0)
  /** Number of rows. */
  rows = 0

  /** Bytes written. */
  get size(): number {
    return this.pos
  }

  /** Starts a row of `fields` fields. */
  row(fields: number): void {
    this.reserve(2)
    this.view.setInt16(this.pos, fields)
    this.pos += 2
    this.rows++
  }

  null(): void {
    this.reserve(4)
    this.view.setInt32(this.pos, -1)
    this.pos += 4
  }

  bool(value: boolean): void {
    this.reserve(5)
    this.view.setInt32(this.pos, 1)
    this.view.setInt8(this.pos + 4, value ? 1 : 0)
    this.pos += 5
  }

  /** @throws RangeError */
  int2(value: number): void {
    if ((value << 16) >> 16 !== value) throw new RangeError(`${value} is not a signed 16-bit integer`)
    this.reserve(6)
    this.view.setInt32(this.pos, 2)
    this.view.setInt16(this.pos + 4, value)
    this.pos += 6
  }

  /** @throws RangeError */
  int4(value: number): void {
    if ((value | 0) !== value) throw new RangeError(`${value} is not a signed 32-bit integer`)
    this.reserve(8)
    this.view.setInt32(this.pos, 4)
    this.view.setInt32(this.pos + 4, value)
    this.pos += 8
  }

  /** @throws RangeError */
  int8(value: bigint | number): void {
    this.reserve(12)
    this.view.setInt32(this.pos, 8)
    if (typeof value === 'number') this.setInteger(this.pos + 4, value)
    else {
      if (BigInt.asIntN(64, value) !== value) throw new RangeError(`${value} is not a signed 64-bit integer`)
      this.view.setBigInt64(this.pos + 4, value)
    }
    this.pos += 12
  }

  /** @param value  Unix milliseconds */
  timestamptz(value: number): void {
    this.reserve(12)
    this.view.setInt32(this.pos, 8)
    this.setInteger(this.pos + 4, value * 1000 - EPOCH_MICROSECONDS)
    this.pos += 12
  }

  numeric(value: bigint | number | DecimalNumber): void {
    this.reserve(64)
    this.pos = writeNumeric(this.view, this.pos, value)
  }

  /** Text field. NUL, which PostgreSQL refuses in texts, becomes U+FFFD. */
  text(value: string): void {
    this.reserve(4 + value.length * 3)
    const start = this.pos + 4
    let at = start
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i)
      if (code === 0 || code > 127) {
        at = start + this.bytes.write(value.replaceAll('\0', '\uFFFD'), start, 'utf8')
        break
      }
      this.bytes[at++] = code
    }
    this.view.setInt32(this.pos, at - start)
    this.pos = at
  }

  /** @param value  bytes, or hex text */
  bytea(value: Uint8Array | string): void {
    if (typeof value === 'string') {
      const length = value.length >> 1
      this.reserve(4 + length)
      this.pos = this.bytes.writeInt32BE(length, this.pos)
      this.pos += this.bytes.write(value, this.pos, 'hex')
    } else {
      this.reserve(4 + value.length)
      this.pos = this.bytes.writeInt32BE(value.length, this.pos)
      this.bytes.set(value, this.pos)
      this.pos += value.length
    }
  }

  jsonb(value: unknown): void {
    const text = JSON.stringify(value).replaceAll('\\u0000', '\\ufffd')
    const length = Buffer.byteLength(text)
    this.reserve(5 + length)
    this.pos = this.bytes.writeInt32BE(length + 1, this.pos)
    this.bytes[this.pos++] = 1
    this.pos += this.bytes.write(text, this.pos, 'utf8')
  }

  textArray(values: string[]): void {
    this.reserve(24)
    const lengthAt = this.pos
    this.pos += 4
    this.pos = this.bytes.writeInt32BE(values.length === 0 ? 0 : 1, this.pos)
    this.pos = this.bytes.writeInt32BE(0, this.pos)
    this.pos = this.bytes.writeInt32BE(TEXT_OID, this.pos)
    if (values.length > 0) {
      this.reserve(8)
      this.pos = this.bytes.writeInt32BE(values.length, this.pos)
      this.pos = this.bytes.writeInt32BE(1, this.pos)
      for (const value of values) this.text(value)
    }
    this.bytes.writeInt32BE(this.pos - lengthAt - 4, lengthAt)
  }

  /** Appends bytes of a row that is encoded already. The caller counts the row. */
  append(bytes: Uint8Array, from = 0, to = bytes.length): void {
    const length = to - from
    this.reserve(length)
    if (length < 48) for (let i = 0; i < length; i++) this.bytes[this.pos + i] = bytes[from + i] as number
    else this.bytes.set(bytes.subarray(from, to), this.pos)
    this.pos += length
  }

  /**
   * The rows, without header and end.
   *
   * @param from  a `size` of the buffer; default: of the empty buffer
   * @returns a view, valid until the buffer changes
   */
  tuples(from = HEADER.length): Buffer {
    return this.bytes.subarray(from, this.pos)
  }

  /** The finished stream. The buffer can be reused after `clear`. */
  finish(): Buffer {
    this.reserve(2)
    this.pos = this.bytes.writeInt16BE(-1, this.pos)
    return this.bytes.subarray(0, this.pos)
  }

  /** Empties the buffer. Frees memory that an unusually large batch needed. */
  clear(): void {
    if (this.bytes.length > MAX_KEPT_SIZE) {
      this.bytes = Buffer.alloc(FIRST_SIZE)
      this.view = viewOf(this.bytes)
    }
    this.pos = HEADER.copy(this.bytes, 0)
    this.rows = 0
  }

  /** @throws RangeError when the value is not a safe integer */
  private setInteger(at: number, value: number): void {
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number below 2^53`)
    const high = Math.floor(value / 4294967296)
    this.view.setInt32(at, high)
    this.view.setUint32(at + 4, value - high * 4294967296)
  }

  private reserve(size: number): void {
    if (this.pos + size <= this.bytes.length) return
    const larger = Buffer.alloc(Math.max(this.bytes.length * 2, this.pos + size))
    this.bytes.copy(larger, 0, 0, this.pos)
    this.bytes = larger
    this.view = viewOf(larger)
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
