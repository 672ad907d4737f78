// SHA-256 of many messages of 64 bytes in one call, such as the pairs of a Merkle level. The native library of
// @chainsafe/hashtree takes 40 to 70 ns a pair, a call of node:crypto 300. Where the library has no build for the
// machine, node:crypto is used.

import { createRequire } from 'node:module'
import { sha256Into } from './sha256.ts'

type HashPairs = (input: Uint8Array, output: Uint8Array) => void

/** Hashes pair after pair with node:crypto. Arguments as for `hashPairs`. */
export function hashPairsSingly(input: Uint8Array, output: Uint8Array): void {
  for (let at = 0; at < input.length; at += 64) sha256Into(input.subarray(at, at + 64), output, at / 2)
}

/**
 * Writes the hash of every 64 bytes of `input` to `output`.
 *
 * @param input   a multiple of 64 bytes, at least 64
 * @param output  half as many bytes; may not overlap with `input`
 */
export const hashPairs: HashPairs = native() ?? hashPairsSingly

/** Null where the library has no build. */
function native(): HashPairs | null {
  try {
    return (createRequire(import.meta.url)('@chainsafe/hashtree') as { hashInto: HashPairs }).hashInto
  } catch {
    return null
  }
}
