// Parquet's DELTA_BINARY_PACKED: the first value, then the differences of neighbours in blocks, each with as few bits as
// its largest difference needs.

const BLOCK = 128
const MINI_BLOCKS = 4
const MINI_BLOCK = BLOCK / MINI_BLOCKS
/** Largest range of differences in a block that `encodeDeltas` can write. */
export const MAX_RANGE = 2 ** 32 - 1

/** Differences of one block, less the smallest of them. */
const packing = new Float64Array(BLOCK)

/**
 * @param values  safe integers; within a block of 128, differences of neighbours lie within MAX_RANGE of each other
 * @param count   number of values, at least 1
 */
export function encodeDeltas(values: Float64Array, count: number): Uint8Array {
  // Worst case of a block: 10 bytes of the smallest difference, the bit widths, 4 bytes a difference.
  const bytes = new Uint8Array(40 + Math.ceil(count / BLOCK) * (10 + MINI_BLOCKS + 4 * BLOCK))
  let at = 0
  for (const part of [BLOCK, MINI_BLOCKS, count]) at = putVarint(bytes, at, part)
  at = putZigzag(bytes, at, values[0] as number)
  for (let start = 1; start < count; start += BLOCK) {
    const size = Math.min(BLOCK, count - start)
    let least = Number.POSITIVE_INFINITY
    for (let i = 0; i < size; i++) {
      const difference = (values[start + i] as number) - (values[start + i - 1] as number)
      packing[i] = difference
      if (difference < least) least = difference
    }
    for (let i = 0; i < size; i++) packing[i] = (packing[i] as number) - least
    packing.fill(0, size)
    at = putZigzag(bytes, at, least)
    at = putBlock(bytes, at, size)
  }
  return bytes.subarray(0, at)
}

/** Writes the bit widths of the mini blocks, then the mini blocks that hold values. */
function putBlock(bytes: Uint8Array, from: number, size: number): number {
  let at = from + MINI_BLOCKS
  for (let mini = 0; mini * MINI_BLOCK < size; mini++) {
    const start = mini * MINI_BLOCK
    let most = 0
    for (let i = start; i < start + MINI_BLOCK; i++) most = Math.max(most, packing[i] as number)
    const width = most === 0 ? 0 : 32 - Math.clz32(most)
    bytes[from + mini] = width
    if (width > 0) at = putBits(bytes, at, start, width)
  }
  return at
}

/** Packs one mini block, the first value in the lowest bits: doubles hold the 7 + 32 bits that wait at most. */
function putBits(bytes: Uint8Array, from: number, start: number, width: number): number {
  let at = from
  let [bits, held] = [0, 0]
  for (let i = start; i < start + MINI_BLOCK; i++) {
    bits += (packing[i] as number) * 2 ** held
    for (held += width; held >= 8; held -= 8) {
      bytes[at++] = bits % 256
      bits = Math.floor(bits / 256)
    }
  }
  return at
}

function putZigzag(bytes: Uint8Array, at: number, value: number): number {
  // With bigints, because twice a safe integer may not be one.
  return putVarint(bytes, at, value < 0 ? -2n * BigInt(value) - 1n : 2n * BigInt(value))
}

function putVarint(bytes: Uint8Array, from: number, value: number | bigint): number {
  let at = from
  let rest = BigInt(value)
  for (; rest > 127n; rest >>= 7n) bytes[at++] = Number(rest & 127n) | 128
  bytes[at++] = Number(rest)
  return at
}
