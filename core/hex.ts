// Hex text of bytes: lower case out, either case in.

import { DecodeError } from './errors.ts'

/** Lower-case hex digits, two per byte. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/**
 * Bytes of a hex text without prefix.
 *
 * @throws DecodeError INVALID_HEX for an odd length or an invalid character
 */
export function fromHex(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'hex')
  if (bytes.length * 2 !== text.length) {
    throw new DecodeError('INVALID_HEX', `not hexadecimal: ${JSON.stringify(text.slice(0, 40))}`)
  }
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
