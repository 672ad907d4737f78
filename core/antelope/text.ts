// Strict UTF-8 decoding: a malformed sequence is an error, never a replacement character.

import { DecodeError } from '../errors.ts'

/** Up to this length ASCII is decoded in JavaScript, which is cheaper than a native call. */
const SHORT = 40
const strict = new TextDecoder('utf-8', { fatal: true })
/** The native function of `Buffer.toString`: accepts any byte array and needs no view of the range. */
type Slice = (this: Uint8Array, start: number, end: number) => string
const { utf8Slice } = Buffer.prototype as unknown as { utf8Slice: Slice }

/**
 * Text of the bytes from `start` to `end`. The caller has checked the bounds.
 *
 * @throws DecodeError INVALID_UTF8
 */
export function readText(data: Uint8Array, start: number, end: number): string {
  if (end - start > SHORT) return decode(data, start, end)
  let text = ''
  let bits = 0
  let at = start
  for (; at + 8 <= end; at += 8) {
    const a = data[at] as number
    const b = data[at + 1] as number
    const c = data[at + 2] as number
    const d = data[at + 3] as number
    const e = data[at + 4] as number
    const f = data[at + 5] as number
    const g = data[at + 6] as number
    const h = data[at + 7] as number
    bits |= a | b | c | d | e | f | g | h
    text += String.fromCharCode(a, b, c, d, e, f, g, h)
  }
  if (at + 4 <= end) {
    const a = data[at] as number
    const b = data[at + 1] as number
    const c = data[at + 2] as number
    const d = data[at + 3] as number
    bits |= a | b | c | d
    text += String.fromCharCode(a, b, c, d)
    at += 4
  }
  for (; at < end; at++) {
    const byte = data[at] as number
    bits |= byte
    text += String.fromCharCode(byte)
  }
  return bits < 0x80 ? text : decode(data, start, end)
}

function decode(data: Uint8Array, start: number, end: number): string {
  const text = utf8Slice.call(data, start, end)
  if (text.includes('\ufffd') && !isWellFormed(data.subarray(start, end))) {
    throw new DecodeError('INVALID_UTF8', `malformed UTF-8 in the text at offset ${start}`)
  }
  return text
}

/** Distinguishes an encoded replacement character from one that stands for malformed bytes. */
function isWellFormed(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes)
    return true
  } catch {
    return false
  }
}
