// Writes state-history logs and block logs, independent of the reader: with the length fields and compression levels
// that nodes have used, in one file or in partitions.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'

/** How an entry is encoded: the writer's generation of nodeos. */
export type Style = 'eosio' | 'leap3' | 'leap5' | 'spring' | 'split'

export interface WrittenEntry {
  /** 64 hex digits. */
  id: string
  content: Uint8Array
}

const u16 = (value: number): Buffer => Buffer.from([value & 255, value >> 8])
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
export const u64 = (value: number | bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

/** A payload as a node of the given generation writes it. With `split`, stored blocks have odd lengths. */
export function payloadOf(content: Uint8Array, style: Style): Buffer {
  if (style === 'eosio') {
    const stream = deflateSync(content, { level: 6 })
    return Buffer.concat([u32(stream.length), stream])
  }
  if (style === 'leap3') return Buffer.concat([u32(0), content.length === 0 ? content : deflateSync(content)])
  const stream =
    style === 'split' ? storedStream(content, 7) : deflateSync(content, { level: style === 'leap5' ? 6 : 0 })
  return Buffer.concat([u32(1), u64(content.length), stream])
}

/** A zlib stream of stored blocks, at most `longest` bytes each. */
export function storedStream(content: Uint8Array, longest: number): Buffer {
  const parts: Uint8Array[] = [Buffer.from([0x78, 0x01])]
  for (let at = 0; ; at += longest) {
    const part = content.subarray(at, at + longest)
    const isLast = at + longest >= content.length
    parts.push(Buffer.from([isLast ? 1 : 0]), u16(part.length), u16(part.length ^ 0xffff), part)
    if (isLast) break
  }
  let [a, b] = [1, 0]
  for (const byte of content) {
    a = (a + byte) % 65521
    b = (b + a) % 65521
  }
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(b * 65536 + a)
  return Buffer.concat([...parts, sum])
}

/** An entry at a position. */
export function entryOf(id: string, payload: Uint8Array, position: number, magic = 0xc35d500000000000n): Buffer {
  return Buffer.concat([u64(magic), Buffer.from(id, 'hex'), u64(payload.length), payload, u64(position)])
}

/** A log and its index. */
export interface Written {
  log: Buffer
  index: Buffer
}

/** Writes entries in the given order. A block number that is not above the previous one truncates the index first. */
export function writeLog(entries: readonly WrittenEntry[], style: (num: number) => Style): Written {
  const parts: Buffer[] = []
  const index: number[] = []
  let position = 0
  let first = 0
  for (const { id, content } of entries) {
    const num = Number.parseInt(id.slice(0, 8), 16)
    if (first === 0) first = num
    index.length = num - first
    index.push(position)
    const entry = entryOf(id, payloadOf(content, style(num)), position)
    parts.push(entry)
    position += entry.length
  }
  return { log: Buffer.concat(parts), index: Buffer.concat(index.map(u64)) }
}

export interface WrittenBlock {
  num: number
  block: Uint8Array
}

/** A block log of version 3. If it begins with block 1, it has a genesis state of arbitrary bytes. */
export function writeBlockLog(blocks: readonly WrittenBlock[], identity: Uint8Array): Written {
  const [first] = blocks
  const parts: Buffer[] = [Buffer.concat([u32(3), u32(first!.num), identity, u64(2n ** 64n - 1n)])]
  const index: number[] = []
  let position = parts[0]!.length
  for (const { block } of blocks) {
    index.push(position)
    parts.push(Buffer.concat([block, u64(position)]))
    position += block.length + 8
  }
  return { log: Buffer.concat(parts), index: Buffer.concat(index.map(u64)) }
}

/** Creates a folder and writes `NAME.log` and `NAME.index` into it. */
export function save(folder: string, name: string, { log, index }: Written): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.log`), log)
  writeFileSync(join(folder, `${name}.index`), index)
}
