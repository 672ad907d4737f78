// Columns of fixed-size values: plain, and rising 64-bit integers as differences.
import { ColumnWriter, type Encoded, PAGE_ROWS, type Statistics } from './column.ts'
import { encodeDeltas, MAX_RANGE } from './delta.ts'
import { enlarged, FIRST_ROWS } from './enlarged.ts'
import { inexact } from './inexact.ts'
import { DELTA_BINARY_PACKED, PLAIN } from './page.ts'
import type { Fields } from './tuples.ts'

const WORD = 4_294_967_296
/** Values of a rising page. */
const rising = new Float64Array(PAGE_ROWS)

export abstract class FixedColumn extends ColumnWriter {
  protected readonly size: number
  protected page: DataView
  /** Bytes used in the page. */
  protected used = 0

  constructor(size: number) {
    super()
    this.size = size
    this.page = new DataView(new ArrayBuffer(FIRST_ROWS * size))
  }

  protected reserve(values: number): void {
    const needed = this.used + values * this.size
    if (needed > this.page.byteLength)
      this.page = new DataView(enlarged(new Uint8Array(this.page.buffer), needed).buffer)
  }

  protected takeValues(count: number): Encoded {
    // Not a copy: the caller copies it before the page is reused.
    const bytes = new Uint8Array(this.page.buffer, 0, count * this.size)
    this.used = 0
    return { bytes, encoding: PLAIN }
  }

  protected encode(write: (view: DataView) => void): Uint8Array {
    const view = new DataView(new ArrayBuffer(this.size))
    write(view)
    return new Uint8Array(view.buffer)
  }
}

/** Integers of 16 or 32 bits. */
export class Int32Column extends FixedColumn {
  private min = Number.POSITIVE_INFINITY
  private max = Number.NEGATIVE_INFINITY

  constructor() {
    super(4)
  }

  protected takeAll({ bytes, starts, lengths }: Fields, first: number, end: number): void {
    for (let i = first; i < end; i++) {
      const [at, length] = [starts[i] as number, lengths[i] as number]
      if (length < 0) continue
      const value = length === 2 ? bytes.readInt16BE(at) : bytes.readInt32BE(at)
      if (value < this.min) this.min = value
      if (value > this.max) this.max = value
      this.page.setInt32(this.used, value, true)
      this.used += 4
    }
  }

  protected takeBounds(): Pick<Statistics, 'min' | 'max'> {
    const { min, max } = this
    this.min = Number.POSITIVE_INFINITY
    this.max = Number.NEGATIVE_INFINITY
    if (min > max) return { min: null, max: null }
    return {
      min: this.encode((view) => view.setInt32(0, min, true)),
      max: this.encode((view) => view.setInt32(0, max, true)),
    }
  }
}

/** 64-bit integers in two halves: with bigints, these would take most of the time. */
abstract class WideColumn extends FixedColumn {
  private minHigh = 0
  private minLow = 0
  private maxHigh = 0
  private maxLow = 0
  private isEmpty = true

  constructor() {
    super(8)
  }

  /** @param high  signed, 32 bits; @param low  unsigned, 32 bits */
  protected put(high: number, low: number): void {
    if (this.isEmpty || high < this.minHigh || (high === this.minHigh && low < this.minLow)) {
      this.minHigh = high
      this.minLow = low
    }
    if (this.isEmpty || high > this.maxHigh || (high === this.maxHigh && low > this.maxLow)) {
      this.maxHigh = high
      this.maxLow = low
    }
    this.isEmpty = false
    this.page.setUint32(this.used, low, true)
    this.page.setInt32(this.used + 4, high, true)
    this.used += 8
  }

  /** Rows are sorted, so block numbers, times and sequences rise: their differences take next to no space. */
  protected override takeValues(count: number): Encoded {
    if (count < 2 || !this.rises(count)) return super.takeValues(count)
    this.used = 0
    return { bytes: encodeDeltas(rising, count), encoding: DELTA_BINARY_PACKED }
  }

  /** Reads the page into `rising`. @returns whether no value is below the one before it, and none is far above it */
  private rises(count: number): boolean {
    for (let i = 0; i < count; i++) {
      const value = this.page.getInt32(8 * i + 4, true) * WORD + this.page.getUint32(8 * i, true)
      const before = i === 0 ? value : (rising[i - 1] as number)
      if (!Number.isSafeInteger(value) || value < before || value - before > MAX_RANGE) return false
      rising[i] = value
    }
    return true
  }

  protected takeBounds(): Pick<Statistics, 'min' | 'max'> {
    if (this.isEmpty) return { min: null, max: null }
    this.isEmpty = true
    const encode = (high: number, low: number) =>
      this.encode((view) => {
        view.setUint32(0, low, true)
        view.setInt32(4, high, true)
      })
    return { min: encode(this.minHigh, this.minLow), max: encode(this.maxHigh, this.maxLow) }
  }
}

export class Int64Column extends WideColumn {
  protected takeAll({ bytes, starts, lengths }: Fields, first: number, end: number): void {
    for (let i = first; i < end; i++) {
      if ((lengths[i] as number) < 0) continue
      const at = starts[i] as number
      this.put(bytes.readInt32BE(at), bytes.readUInt32BE(at + 4))
    }
  }
}

/** Microseconds from 1970 to 2000, PostgreSQL's epoch. */
const EPOCH = 946_684_800_000_000

/** Times as microseconds since 1970. */
export class TimestampColumn extends WideColumn {
  private readonly name: string

  constructor(name: string) {
    super()
    this.name = name
  }

  protected takeAll({ bytes, starts, lengths }: Fields, first: number, end: number): void {
    for (let i = first; i < end; i++) {
      if ((lengths[i] as number) < 0) continue
      const at = starts[i] as number
      const value = bytes.readInt32BE(at) * WORD + bytes.readUInt32BE(at + 4) + EPOCH
      if (!Number.isSafeInteger(value)) throw inexact(this.name, 'a time without end')
      const high = Math.floor(value / WORD)
      this.put(high, value - high * WORD)
    }
  }
}

/** Nearest doubles of numbers in text form. */
export class DoubleColumn extends FixedColumn {
  private min = Number.POSITIVE_INFINITY
  private max = Number.NEGATIVE_INFINITY

  constructor() {
    super(8)
  }

  protected takeAll({ bytes, starts, lengths }: Fields, first: number, end: number): void {
    for (let i = first; i < end; i++) {
      const [at, length] = [starts[i] as number, lengths[i] as number]
      if (length < 0) continue
      const value = Number(bytes.toString('latin1', at, at + length))
      if (value < this.min) this.min = value
      if (value > this.max) this.max = value
      this.page.setFloat64(this.used, value, true)
      this.used += 8
    }
  }

  protected takeBounds(): Pick<Statistics, 'min' | 'max'> {
    const { min, max } = this
    this.min = Number.POSITIVE_INFINITY
    this.max = Number.NEGATIVE_INFINITY
    if (min > max) return { min: null, max: null }
    // A zero bound gets the sign that includes both zeros.
    const [least, most] = [min === 0 ? -0 : min, max === 0 ? 0 : max]
    return {
      min: this.encode((view) => view.setFloat64(0, least, true)),
      max: this.encode((view) => view.setFloat64(0, most, true)),
    }
  }
}

export class BooleanColumn extends ColumnWriter {
  private bits = new Uint8Array(FIRST_ROWS / 8)
  private count = 0
  private hasFalse = false
  private hasTrue = false

  protected reserve(values: number): void {
    this.bits = enlarged(this.bits, Math.ceil((this.count + values) / 8))
  }

  protected takeAll({ bytes, starts, lengths }: Fields, first: number, end: number): void {
    for (let i = first; i < end; i++) {
      if ((lengths[i] as number) < 0) continue
      const at = starts[i] as number
      const isTrue = bytes[at] === 1
      if (isTrue) this.bits[this.count >> 3] = (this.bits[this.count >> 3] as number) | (1 << (this.count & 7))
      this.count++
      if (isTrue) this.hasTrue = true
      else this.hasFalse = true
    }
  }

  protected takeValues(count: number): Encoded {
    const bytes = this.bits.slice(0, Math.ceil(count / 8))
    this.bits.fill(0)
    this.count = 0
    return { bytes, encoding: PLAIN }
  }

  protected takeBounds(): Pick<Statistics, 'min' | 'max'> {
    const { hasFalse, hasTrue } = this
    this.hasFalse = false
    this.hasTrue = false
    if (!hasFalse && !hasTrue) return { min: null, max: null }
    return { min: Uint8Array.of(hasFalse ? 0 : 1), max: Uint8Array.of(hasTrue ? 1 : 0) }
  }
}
