// Fixed-width integers at an offset of a byte array. No bounds checks: the caller has checked the length.

const words = new Uint32Array(2)
const unsigned = new BigUint64Array(words.buffer)
const signed = new BigInt64Array(words.buffer)
const double = new Float64Array(words.buffer)
const single = new Float32Array(words.buffer)

/** Unsigned 32 bits, little endian. */
export function readU32(data: Uint8Array, at: number): number {
  return (
    ((data[at] as number) |
      ((data[at + 1] as number) << 8) |
      ((data[at + 2] as number) << 16) |
      ((data[at + 3] as number) << 24)) >>>
    0
  )
}

export function readU64(data: Uint8Array, at: number): bigint {
  words[0] = readU32(data, at)
  words[1] = readU32(data, at + 4)
  return unsigned[0] as bigint
}

export function readI64(data: Uint8Array, at: number): bigint {
  words[0] = readU32(data, at)
  words[1] = readU32(data, at + 4)
  return signed[0] as bigint
}

export function readF32(data: Uint8Array, at: number): number {
  words[0] = readU32(data, at)
  return single[0] as number
}

export function readF64(data: Uint8Array, at: number): number {
  words[0] = readU32(data, at)
  words[1] = readU32(data, at + 4)
  return double[0] as number
}

/** Writes 32 bits, little endian; higher bits are dropped. */
export function writeU32(data: Uint8Array, at: number, value: number): void {
  data[at] = value
  data[at + 1] = value >>> 8
  data[at + 2] = value >>> 16
  data[at + 3] = value >>> 24
}

/** Writes the low 64 bits of a signed or unsigned integer. */
export function writeU64(data: Uint8Array, at: number, value: bigint): void {
  unsigned[0] = value
  writeU32(data, at, words[0] as number)
  writeU32(data, at + 4, words[1] as number)
}

export function writeF32(data: Uint8Array, at: number, value: number): void {
  single[0] = value
  writeU32(data, at, words[0] as number)
}

export function writeF64(data: Uint8Array, at: number, value: number): void {
  double[0] = value
  writeU32(data, at, words[0] as number)
  writeU32(data, at + 4, words[1] as number)
}
