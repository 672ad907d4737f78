// SHA-256 of byte strings, for all Antelope ids, digests and Merkle nodes.

import * as crypto from 'node:crypto'

/**
 * `crypto.hash` (Node 20.12 and newer), without a hash object. Returning text costs half as much as returning a Buffer.
 */
type OneShot = (algorithm: string, data: Uint8Array, encoding: 'latin1') => string
const oneShot = (crypto as unknown as { hash: OneShot }).hash

/** 32-byte hash of the concatenated parts. */
export function sha256(...parts: Uint8Array[]): Uint8Array {
  const [first] = parts
  const text = oneShot('sha256', first && parts.length === 1 ? first : Buffer.concat(parts), 'latin1')
  const digest = new Uint8Array(32)
  for (let i = 0; i < 32; i++) digest[i] = text.charCodeAt(i)
  return digest
}
