// One buffer shared by the preimages of all digests: each is written and hashed before the next one starts.

import { sha256Into } from '../sha256.ts'
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
export function hashOf(writer: Writer): Uint8Array {
  const digest = new Uint8Array(32)
  hashInto(writer, digest, 0)
  return digest
}

/** As `hashOf`; writes the 32 bytes to `target` at an offset. */
export function hashInto({ data, pos }: Writer, target: Uint8Array, at: number): void {
  if (buffer !== data) {
    views = []
    buffer = data
  }
  const view = pos > MAX_CACHED_LENGTH ? data.subarray(0, pos) : (views[pos] ??= data.subarray(0, pos))
  sha256Into(view, target, at)
}
