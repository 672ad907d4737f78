// Columns of decimals: integers of 128 bits.
import type { Statistics } from './column.ts'
import { limbs, readNumeric } from './decimal.ts'
import { FixedColumn } from './fixed.ts'
import { inexact } from './inexact.ts'
import type { Fields } from './tuples.ts'

const WORD = 4_294_967_296
const DECIMAL_BYTES = 16

/** Exact decimals: 128-bit integers, big-endian, two's complement. */
export class DecimalColumn extends FixedColumn {
  private readonly name: string
  private readonly scale: number
  /** 10^precision: the least number with too many digits. */
  private readonly limit: number[] = []
  private readonly min = new Float64Array(4)
  private readonly max = new Float64Array(4)
  private isEmpty = true

  constructor(name: string, precision: number, scale: number) {
    super(DECIMAL_BYTES)
    this.name = name
    this.scale = scale
    for (let i = 0n; i < 4n; i++) this.limit.push(Number(((10n ** BigInt(precision)) >> (32n * i)) & 0xffffffffn))
  }

  protected takeAll({ bytes, starts, lengths }: Fields, first: number, end: number): void {
    for (let i = first; i < end; i++)
      if ((lengths[i] as number) >= 0) this.take(bytes, starts[i] as number, lengths[i] as number)
  }

  private take(bytes: Buffer, at: number, length: number): void {
    const sign = readNumeric(bytes, at, this.scale)
    if (sign === 0 || this.isTooLong()) throw inexact(this.name, numericText(bytes, at, length))
    if (sign < 0) negate()
    this.store(this.page, this.used, limbs)
    if (this.isEmpty || isLess(limbs, this.min)) this.min.set(limbs)
    if (this.isEmpty || isLess(this.max, limbs)) this.max.set(limbs)
    this.isEmpty = false
    this.used += DECIMAL_BYTES
  }

  protected takeBounds(): Pick<Statistics, 'min' | 'max'> {
    if (this.isEmpty) return { min: null, max: null }
    this.isEmpty = true
    const bytes = (value: Float64Array) => this.encode((view) => this.store(view, 0, value))
    return { min: bytes(this.min), max: bytes(this.max) }
  }

  private store(view: DataView, at: number, value: Float64Array): void {
    view.setUint32(at, value[3] as number)
    view.setUint32(at + 4, value[2] as number)
    view.setUint32(at + 8, value[1] as number)
    view.setUint32(at + 12, value[0] as number)
  }

  private isTooLong(): boolean {
    for (let i = 3; i >= 0; i--) {
      const difference = (limbs[i] as number) - (this.limit[i] as number)
      if (difference !== 0) return difference > 0
    }
    return true
  }
}

function negate(): void {
  let carry = 1
  for (let i = 0; i < 4; i++) {
    const value = WORD - 1 - (limbs[i] as number) + carry
    carry = value >= WORD ? 1 : 0
    limbs[i] = value - carry * WORD
  }
}

/** Compares limbs in two's complement. */
function isLess(a: Float64Array, b: Float64Array): boolean {
  const high = (a[3] as number) | 0
  const other = (b[3] as number) | 0
  if (high !== other) return high < other
  for (let i = 2; i >= 0; i--) if (a[i] !== b[i]) return (a[i] as number) < (b[i] as number)
  return false
}

/** Text for error messages. */
function numericText(bytes: Buffer, at: number, length: number): string {
  const [weight, sign] = [bytes.readInt16BE(at + 2), bytes.readUInt16BE(at + 4)]
  if (sign > 0x4000) return sign === 0xc000 ? 'NaN' : 'infinity'
  let digits = ''
  for (let i = 8; i < length; i += 2) digits += String(bytes.readUInt16BE(at + i)).padStart(4, '0')
  return `${sign === 0x4000 ? '-' : ''}0.${digits}e${4 * (weight + 1)}`
}
