// One buffer for the preimages of all digests: each is made, hashed and forgotten before the next one starts.

import { sha256 } from '../sha256.ts'
import { Writer } from './writer.ts'

const scratch = new Writer(1 << 16)

/** The shared writer, emptied. What another caller has written to it is lost. */
export function preimage(): Writer {
  scratch.pos = 0
  return scratch
}

/** Beginnings of the buffer by their length: most preimages have one of a few dozen short lengths. */
const LONGEST_KEPT = 512
let beginnings: (Uint8Array | undefined)[] = []
let kept = scratch.data

/** SHA-256 of what has been written since `preimage()`. */
export function hashOf({ data, pos }: Writer): Uint8Array {
  if (pos > LONGEST_KEPT) return sha256(data.subarray(0, pos))
  if (kept !== data) {
    beginnings = []
    kept = data
  }
  return sha256((beginnings[pos] ??= data.subarray(0, pos)))
}
