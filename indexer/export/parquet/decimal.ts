// Reads PostgreSQL's binary numerics into 128-bit integers: four 32-bit limbs, lowest first.

/** Absolute value times 10^scale of the last numeric read. */
export const limbs = new Float64Array(4)
const LIMB = 4_294_967_296
/** Powers of ten. A limb times the greatest is still exact as a double. */
const POWERS = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]
const MAX_ENTRIES = 6
const NEGATIVE = 0x4000

/**
 * @param bytes, at  the numeric in COPY's format: number of digits, weight, sign, scale, then digits of base 10,000
 * @param scale      decimals of the column
 * @returns 1 or -1, with the value in `limbs`; 0 when it is not finite, has more decimals or needs more than 128 bits
 */
export function readNumeric(bytes: Uint8Array, at: number, scale: number): number {
  const count = int16(bytes, at)
  const weight = (int16(bytes, at + 2) << 16) >> 16
  const sign = int16(bytes, at + 4)
  if (sign !== 0 && sign !== NEGATIVE) return 0
  // Power of ten of the last digit.
  let power = count === 0 ? 0 : 4 * (weight - count + 1) + scale
  if (power <= -4) return 0
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let i = 0; i < count || power > 0; i++) {
    let factor = 10_000
    let addend = 0
    if (i < count) {
      addend = int16(bytes, at + 8 + 2 * i)
      if (power < 0 && i === count - 1) {
        const cut = POWERS[-power] as number
        if (addend % cut !== 0) return 0
        factor = 10_000 / cut
        addend /= cut
      }
    } else {
      const step = power > MAX_ENTRIES ? MAX_ENTRIES : power
      factor = POWERS[step] as number
      power -= step
    }
    let carry = a * factor + addend
    let over = Math.floor(carry / LIMB)
    a = carry - over * LIMB
    if (over === 0 && b === 0 && c === 0 && d === 0) continue
    carry = b * factor + over
    over = Math.floor(carry / LIMB)
    b = carry - over * LIMB
    if (over === 0 && c === 0 && d === 0) continue
    carry = c * factor + over
    over = Math.floor(carry / LIMB)
    c = carry - over * LIMB
    carry = d * factor + over
    if (carry >= LIMB) return 0
    d = carry
  }
  limbs[0] = a
  limbs[1] = b
  limbs[2] = c
  limbs[3] = d
  return sign === NEGATIVE ? -1 : 1
}

function int16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] as number) << 8) | (bytes[at + 1] as number)
}
