// One buffer for the preimages of all digests: each is made, hashed and forgotten before the next one starts.

import { sha256 } from '../sha256.ts'
import { Writer } from './writer.ts'

const scratch = new Writer(1 << 16)

/** The shared writer, emptied. What another caller has written to it is lost. */
export function preimage(): Writer {
  scratch.pos = 0
  return scratch
}

/** SHA-256 of what has been written since `preimage()`. */
export function hashOf(writer: Writer): Uint8Array {
  return sha256(writer.data.subarray(0, writer.pos))
}
