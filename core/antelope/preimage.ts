// One buffer shared by the preimages of all digests: each is written and hashed before the next one starts.

import { sha256 } from '../sha256.ts'
import { Writer } from './writer.ts'

const scratch = new Writer(1 << 16)

/** The shared writer, emptied. Anything written to it before is lost. */
export function preimage(): Writer {
  scratch.pos = 0
  return scratch
}

/** Cached views of the buffer's start, by length: most preimages have one of a few dozen short lengths. */
const MAX_CACHED_LENGTH = 512
let views: (Uint8Array | undefined)[] = []
let buffer = scratch.data

/** SHA-256 of the bytes written since `preimage()`. */
export function hashOf({ data, pos }: Writer): Uint8Array {
  if (pos > MAX_CACHED_LENGTH) return sha256(data.subarray(0, pos))
  if (buffer !== data) {
    views = []
    buffer = data
  }
  return sha256((views[pos] ??= data.subarray(0, pos)))
}
