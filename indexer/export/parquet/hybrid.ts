// Parquet's hybrid of RLE and bit packing, for definition levels and dictionary indices.

/** One-bit levels, 1 for a value and 0 for null, after their length. */
export function encodeLevels(levels: Uint8Array, count: number, nulls: number): Uint8Array {
  const body = nulls === 0 || nulls === count ? run(count, nulls === 0 ? 1 : 0, 1) : packed(levels, count, 1)
  const found = new Uint8Array(4 + body.length)
  new DataView(found.buffer).setUint32(0, body.length, true)
  found.set(body, 4)
  return found
}

/** Indices after their bit width. */
export function encodeIndices(indices: Int32Array, count: number, dictionarySize: number): Uint8Array {
  const width = Math.max(1, 32 - Math.clz32(dictionarySize - 1))
  const body = dictionarySize === 1 ? run(count, 0, width) : packed(indices, count, width)
  const found = new Uint8Array(1 + body.length)
  found[0] = width
  found.set(body, 1)
  return found
}

/** An RLE run of `count` equal values. */
function run(count: number, value: number, width: number): Uint8Array {
  const bytes = header(count << 1)
  for (let i = 0; i < Math.ceil(width / 8); i++) bytes.push((value >> (8 * i)) & 255)
  return Uint8Array.from(bytes)
}

/** Bit-packed groups of eight values, the first in the lowest bits. */
function packed(values: Int32Array | Uint8Array, count: number, width: number): Uint8Array {
  const groups = Math.ceil(count / 8)
  const start = header((groups << 1) | 1)
  const found = new Uint8Array(start.length + groups * width)
  found.set(start)
  let at = start.length
  let bits = 0
  let held = 0
  for (let i = 0; i < count; i++) {
    bits |= (values[i] as number) << held
    held += width
    for (; held >= 8; held -= 8) {
      found[at++] = bits & 255
      bits >>>= 8
    }
  }
  if (held > 0) found[at] = bits & 255
  return found
}

function header(value: number): number[] {
  const bytes: number[] = []
  let rest = value >>> 0
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
  bytes.push(rest)
  return bytes
}
