// SHA-256 over byte strings, as every Antelope id, digest and merkle node uses it.

import * as crypto from 'node:crypto'

/** One call without a hash object; Node has it from 20.12. As text it costs half of what a Buffer does. */
type OneShot = (algorithm: string, data: Uint8Array, encoding: 'latin1') => string
const oneShot = (crypto as unknown as { hash: OneShot }).hash

/** Hash of the concatenation of all parts: 32 bytes. */
export function sha256(...parts: Uint8Array[]): Uint8Array {
  const text = oneShot('sha256', parts.length === 1 ? parts[0]! : Buffer.concat(parts), 'latin1')
  const digest = new Uint8Array(32)
  for (let i = 0; i < 32; i++) digest[i] = text.charCodeAt(i)
  return digest
}
