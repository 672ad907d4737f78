// Keccak-256 as in Ethereum. It differs from standard SHA-3 in its padding.
import { keccak_256 } from '@noble/hashes/sha3.js'

/** 32-byte hash. */
export function keccak(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes)
}
