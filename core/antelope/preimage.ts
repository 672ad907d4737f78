// One buffer shared by the preimages of all digests: each is written and hashed before the next one starts.

import { sha256Hex, sha256Into } from '../sha256.ts'
import { Writer } from './writer.ts'

const scratch = new Writer(1 << 16)

/** The shared writer, emptied. Anything written to it before is lost. */
export function preimage(): Writer {
  scratch.pos = 0
  return scratch
}

/** Longest preimage whose view is cached, bytes. Most preimages have one of a few dozen short lengths. */
const MAX_CACHED_LENGTH = 512
/** Views of the start of `buffer`, by length. */
let views: (Uint8Array | undefined)[] = []
/** The buffer of the views. The writer gets a new buffer when it grows. */
let buffer = scratch.data

/** SHA-256 of the bytes written since `preimage()`: 32 new bytes. */
export function hashOf(writer: Writer): Uint8Array {
  const digest = new Uint8Array(32)
  sha256Into(viewOf(writer), digest, 0)
  return digest
}

/** As `hashOf`, in hex. */
export function hexHashOf(writer: Writer): string {
  return sha256Hex(viewOf(writer))
}

function viewOf({ data, pos }: Writer): Uint8Array {
  if (buffer !== data) {
    views = []
    buffer = data
  }
  return pos > MAX_CACHED_LENGTH ? data.subarray(0, pos) : (views[pos] ??= data.subarray(0, pos))
}
