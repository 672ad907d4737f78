// SHA-256 of byte strings, for all Antelope ids, digests and Merkle nodes.

import * as crypto from 'node:crypto'

/**
 * `crypto.hash` (Node 20.12 and newer), without a hash object. Returning text costs half as much as returning a Buffer.
 */
type OneShot = (algorithm: string, data: Uint8Array, encoding: 'latin1' | 'hex') => string
const oneShot = (crypto as unknown as { hash: OneShot }).hash

/** 32-byte hash of the concatenated parts. */
export function sha256(...parts: Uint8Array[]): Uint8Array {
  const digest = new Uint8Array(32)
  const [first] = parts
  sha256Into(first && parts.length === 1 ? first : Buffer.concat(parts), digest, 0)
  return digest
}

/** Hash of `data` as hex text, without a byte array. */
export function sha256Hex(data: Uint8Array): string {
  return oneShot('sha256', data, 'hex')
}

/** Writes the 32-byte hash of `data` to `target` at an offset. They may overlap. */
export function sha256Into(data: Uint8Array, target: Uint8Array, at: number): void {
  const text = oneShot('sha256', data, 'latin1')
  for (let i = 0; i < 32; i++) target[at + i] = text.charCodeAt(i)
}
