// Keccak-256 as Ethereum uses it (not the SHA-3 of the standard, whose padding differs).
import { keccak_256 } from '@noble/hashes/sha3.js'

/** Hash of the bytes: 32 bytes. */
export function keccak(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes)
}
