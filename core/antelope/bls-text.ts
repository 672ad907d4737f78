// Text formats of BLS keys and signatures: a prefix, then base64url of the bytes and a 4-byte checksum. The checksum is
// the start of RIPEMD-160 of the bytes.

import { ripemd160 } from '@noble/hashes/legacy.js'
import { UserError } from '../errors.ts'

interface Codec {
  encode(bytes: Uint8Array): string
  /** @throws UserError INVALID_BLS_TEXT for a wrong prefix, length or checksum */
  decode(text: string): Uint8Array
}

function codec(prefix: string, length: number): Codec {
  return {
    encode(bytes) {
      return prefix + Buffer.concat([bytes, ripemd160(bytes).subarray(0, 4)]).toString('base64url')
    },
    decode(text) {
      const raw = new Uint8Array(Buffer.from(text.slice(prefix.length), 'base64url'))
      const bytes = raw.slice(0, length)
      if (raw.length !== length + 4 || this.encode(bytes) !== text) {
        throw new UserError('INVALID_BLS_TEXT', `not a ${prefix} text: ${JSON.stringify(text.slice(0, 24))}`)
      }
      return bytes
    },
  }
}

/** `PUB_BLS_`: 96 bytes, affine, little-endian. */
export const blsPublicKeyText = codec('PUB_BLS_', 96)
/** `SIG_BLS_`: 192 bytes, affine, little-endian. */
export const blsSignatureText = codec('SIG_BLS_', 192)
/** `PVT_BLS_`: 32 bytes, little-endian. */
export const blsPrivateKeyText = codec('PVT_BLS_', 32)
