// PostgreSQL's binary numeric: base 10000 digits with a weight. Fractions are integers of a small unit.

const BASE = 10_000
const STEP = 1_000_000_000_000n

/** An exact decimal: `units` times 10^-`scale`. */
export class DecimalNumber {
  readonly units: bigint
  readonly scale: number

  /** @param scale  decimals, a multiple of 4, because PostgreSQL's digits have four decimal digits each */
  constructor(units: bigint, scale: number) {
    this.units = units
    this.scale = scale
  }
}

/**
 * Writes a number as a numeric field after its length. Needs at most 64 bytes for values of up to 256 bits.
 *
 * @returns the offset after the field
 * @throws RangeError when a number is not a safe integer
 */
export function writeNumeric(view: DataView, at: number, value: bigint | number | DecimalNumber): number {
  return value instanceof DecimalNumber ? write(view, at, value.units, value.scale) : write(view, at, value, 0)
}

/** Digits of the number that is written, least significant first. Enough for 1,000 decimal digits. */
const digits = new Int16Array(256)

function write(view: DataView, at: number, value: bigint | number, scale: number): number {
  const negative = value < 0
  const used = typeof value === 'bigint' ? takeBigint(negative ? -value : value) : takeNumber(value)
  // PostgreSQL's form has no zeros at either end.
  let first = 0
  while (first < used && digits[first] === 0) first++
  const count = used - first
  view.setInt32(at, 8 + count * 2)
  view.setInt16(at + 4, count)
  view.setInt16(at + 6, count === 0 ? 0 : used - 1 - scale / 4)
  view.setUint16(at + 8, negative ? 0x4000 : 0)
  view.setInt16(at + 10, scale)
  let pos = at + 12
  for (let i = used - 1; i >= first; i--) {
    view.setInt16(pos, digits[i] as number)
    pos += 2
  }
  return pos
}

/** Splits a number into digits. @returns their number, without leading zeros */
function takeNumber(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number below 2^53`)
  return takeRest(Math.abs(value), 0)
}

function takeBigint(value: bigint): number {
  let used = 0
  let rest = value
  // Takes three digits of base 10000 at a time, because divisions of wide integers are slow.
  while (rest >= STEP) {
    const higher = rest / STEP
    let part = Number(rest - higher * STEP)
    rest = higher
    for (let i = 0; i < 3; i++) {
      const high = Math.floor(part / BASE)
      digits[used++] = part - high * BASE
      part = high
    }
  }
  return takeRest(Number(rest), used)
}

function takeRest(value: number, taken: number): number {
  let used = taken
  for (let rest = value; rest > 0; ) {
    const high = Math.floor(rest / BASE)
    digits[used++] = rest - high * BASE
    rest = high
  }
  return used
}

/** Reads a whole number from the value of a numeric field. @throws RangeError for a fraction, NaN or infinity */
export function readInteger(bytes: Buffer, at: number): bigint {
  const count = bytes.readInt16BE(at)
  const weight = bytes.readInt16BE(at + 2)
  const sign = bytes.readUInt16BE(at + 4)
  if (count > weight + 1 || (sign !== 0 && sign !== 0x4000)) throw new RangeError('a numeric is not a whole number')
  let value = 0n
  let part = 0
  let digits = 0
  for (let i = 0; i <= weight; i++) {
    part = part * BASE + (i < count ? bytes.readInt16BE(at + 8 + 2 * i) : 0)
    if (++digits < 3) continue
    value = value * STEP + BigInt(part)
    part = 0
    digits = 0
  }
  if (digits > 0) value = value * (digits === 1 ? 10_000n : 100_000_000n) + BigInt(part)
  return sign === 0 ? value : -value
}
