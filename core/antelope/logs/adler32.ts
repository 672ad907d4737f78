// The checksum of zlib streams (RFC 1950).

/** Largest prime below 2^16. */
const MODULUS = 65521
/** Bytes that can be added before the sums must be reduced: with more, the second sum may exceed 2^32. */
const RUN = 5552

/** Checksum of bytes; 1 of none. */
export function adler32(bytes: Uint8Array): number {
  let a = 1
  let b = 0
  const { length } = bytes
  for (let at = 0; at < length; ) {
    const end = Math.min(at + RUN, length)
    const unrolled = end - ((end - at) & 7)
    while (at < unrolled) {
      b += a += bytes[at] ?? 0
      b += a += bytes[at + 1] ?? 0
      b += a += bytes[at + 2] ?? 0
      b += a += bytes[at + 3] ?? 0
      b += a += bytes[at + 4] ?? 0
      b += a += bytes[at + 5] ?? 0
      b += a += bytes[at + 6] ?? 0
      b += a += bytes[at + 7] ?? 0
      at += 8
    }
    while (at < end) b += a += bytes[at++] ?? 0
    a %= MODULUS
    b %= MODULUS
  }
  return ((b << 16) | a) >>> 0
}
