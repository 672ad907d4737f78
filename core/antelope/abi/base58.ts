// Base 58 of byte strings in the Bitcoin alphabet; each leading zero byte becomes a leading 1 in the text.

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** Five digits at a time: 58^5 times 256 stays far below 2^53. */
const CHUNK = 58 ** 5
const CHUNK_DIGITS = 5

/** Text of any bytes. Takes quadratic time. */
export function encodeBase58(bytes: Uint8Array): string {
  let zeros = 0
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++
  const chunks: number[] = []
  for (let i = zeros; i < bytes.length; i++) {
    let carry = bytes[i] as number
    for (let j = 0; j < chunks.length; j++) {
      carry += (chunks[j] as number) * 256
      chunks[j] = carry % CHUNK
      carry = Math.floor(carry / CHUNK)
    }
    if (carry > 0) chunks.push(carry)
  }
  let text = ''
  for (const chunk of chunks) {
    let rest = chunk
    for (let digit = 0; digit < CHUNK_DIGITS; digit++) {
      text = ALPHABET[rest % 58] + text
      rest = Math.floor(rest / 58)
    }
  }
  return '1'.repeat(zeros) + text.replace(/^1+/, '')
}

/** Bytes of a text; undefined when a character is not in the alphabet. */
export function decodeBase58(text: string): Uint8Array | undefined {
  let zeros = 0
  while (zeros < text.length && text[zeros] === '1') zeros++
  const bytes: number[] = []
  for (let i = zeros; i < text.length; i++) {
    let carry = ALPHABET.indexOf(text[i] as string)
    if (carry < 0) return undefined
    for (let j = 0; j < bytes.length; j++) {
      carry += (bytes[j] as number) * 58
      bytes[j] = carry & 0xff
      carry >>>= 8
    }
    if (carry > 0) bytes.push(carry)
  }
  const result = new Uint8Array(zeros + bytes.length)
  for (let j = 0; j < bytes.length; j++) result[result.length - 1 - j] = bytes[j] as number
  return result
}
