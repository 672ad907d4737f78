// RLP, the serialisation of Ethereum: an item is a byte string or a list of items. Source: Yellow Paper, appendix B.
// The decoder accepts only the canonical form, so decoded items encode to the same bytes.
import { DecodeError } from '../errors.ts'

export type RlpItem = Uint8Array | readonly RlpItem[]

/** Maximum nesting of lists; receipts need four, headers one. */
const MAX_DEPTH = 32

export function encodeRlp(item: RlpItem): Uint8Array {
  const out = new Uint8Array(encodedLength(item))
  write(item, out, 0)
  return out
}

/** @throws DecodeError RLP_INVALID unless the bytes are exactly one item in canonical form */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  const { item, end } = read(bytes, 0, bytes.length, 0)
  if (end !== bytes.length) throw invalid(end, `${bytes.length - end} bytes follow the item`)
  return item
}

/** The item as a list, of a given length if set. @throws DecodeError RLP_INVALID */
export function rlpList(item: RlpItem | undefined, length?: number): readonly RlpItem[] {
  if (item === undefined || item instanceof Uint8Array) throw invalid(0, 'a list is expected')
  if (length !== undefined && item.length !== length)
    throw invalid(0, `${length} items are expected, not ${item.length}`)
  return item
}

/** The item as bytes, of a given length if set. @throws DecodeError RLP_INVALID */
export function rlpBytes(item: RlpItem | undefined, length?: number): Uint8Array {
  if (!(item instanceof Uint8Array)) throw invalid(0, 'bytes are expected')
  if (length !== undefined && item.length !== length)
    throw invalid(0, `${length} bytes are expected, not ${item.length}`)
  return item
}

function payloadLength(item: RlpItem): number {
  if (item instanceof Uint8Array) return item.length
  return item.reduce((sum, inner) => sum + encodedLength(inner), 0)
}

function encodedLength(item: RlpItem): number {
  if (smallByte(item) !== null) return 1
  const length = payloadLength(item)
  return 1 + (length < 56 ? 0 : lengthBytes(length)) + length
}

/** The value of an item that is encoded as itself: one byte below 0x80. */
function smallByte(item: RlpItem): number | null {
  const first = item[0]
  return item.length === 1 && typeof first === 'number' && first < 0x80 ? first : null
}

function lengthBytes(length: number): number {
  return length < 0x100 ? 1 : length < 0x10000 ? 2 : length < 0x1000000 ? 3 : 4
}

/** @returns the offset of the next item */
function write(item: RlpItem, out: Uint8Array, at: number): number {
  const isBytes = item instanceof Uint8Array
  const small = smallByte(item)
  if (small !== null) {
    out[at] = small
    return at + 1
  }
  const length = payloadLength(item)
  const base = isBytes ? 0x80 : 0xc0
  let next = at + 1
  if (length < 56) out[at] = base + length
  else {
    const size = lengthBytes(length)
    out[at] = base + 55 + size
    for (let i = size - 1; i >= 0; i--) out[next++] = (length >>> (8 * i)) & 0xff
  }
  if (isBytes) {
    out.set(item, next)
    return next + length
  }
  for (const inner of item) next = write(inner, out, next)
  return next
}

function read(bytes: Uint8Array, at: number, limit: number, depth: number): { item: RlpItem; end: number } {
  const first = bytes[at]
  if (at >= limit || first === undefined) throw invalid(at, 'an item is missing')
  if (depth > MAX_DEPTH) throw invalid(at, `more than ${MAX_DEPTH} lists within lists`)
  if (first < 0x80) return { item: bytes.subarray(at, at + 1), end: at + 1 }
  const isList = first >= 0xc0
  const short = first - (isList ? 0xc0 : 0x80)
  const start = short < 56 ? at + 1 : at + 1 + (short - 55)
  const length = short < 56 ? short : longLength(bytes, at + 1, start, limit)
  const end = start + length
  if (end > limit) throw invalid(at, `the item ends ${end - limit} bytes too late`)
  if (!isList) {
    const item = bytes.subarray(start, end)
    if (smallByte(item) !== null) throw invalid(at, 'a small byte has a length before it')
    return { item, end }
  }
  const items: RlpItem[] = []
  for (let next = start; next < end; ) {
    const inner = read(bytes, next, end, depth + 1)
    items.push(inner.item)
    next = inner.end
  }
  return { item: items, end }
}

function longLength(bytes: Uint8Array, at: number, end: number, limit: number): number {
  if (end > limit) throw invalid(at, 'the length is cut off')
  if (bytes[at] === 0) throw invalid(at, 'the length has a leading zero')
  let length = 0
  for (const byte of bytes.subarray(at, end)) length = length * 256 + byte
  if (length < 56) throw invalid(at, 'a short length is written long')
  return length
}

function invalid(at: number, what: string): DecodeError {
  return new DecodeError('RLP_INVALID', `RLP at byte ${at}: ${what}`)
}
