// Stores irreversible blocks compactly, in chunks of about a megabyte. Older full chunks are compressed in the
// background. Assumes that blocks are appended without gaps.

import { deflateRaw, inflateRawSync } from 'node:zlib'
import { Reader } from '../../core/antelope/reader.ts'
import { Writer } from '../../core/antelope/writer.ts'
import { LRUCache } from '../../core/cache.ts'
import { fromHex, toHex } from '../../core/hex.ts'
import { itemAt } from '../../core/required.ts'

/** A block in the form that state history serves. */
export interface StoredBlock {
  num: number
  id: string
  /** Null for the first block. */
  prevId: string | null
  /** Packed `signed_block`. */
  block: Uint8Array
  /** Packed `transaction_trace[]`. */
  traces: Uint8Array
  /** Packed `table_delta[]`. */
  deltas: Uint8Array
  /** Packed `finality_data`; null before Savanna. */
  finality: Uint8Array | null
}

interface Chunk {
  first: number
  offsets: number[]
  data: Uint8Array
  compressed: boolean
}

const CHUNK_BYTES = 1 << 20
const INFLATED_CHUNKS = 8
/** Weeks of sparse history: compressing takes a tenth of the time of making blocks, and so does reading them. */
const PLAIN_CHUNKS = 96

export class FrameStore {
  private readonly chunks: Chunk[] = []
  private readonly ids: Uint8Array[] = []
  private readonly inflated = new LRUCache<Chunk, Uint8Array>({ max: INFLATED_CHUNKS })
  private readonly open = new Writer(CHUNK_BYTES + (CHUNK_BYTES >> 2))
  private openOffsets: number[] = []
  private first = 0
  private readonly plainChunks: number

  /** @param plainChunks  number of full chunks that stay uncompressed */
  constructor(plainChunks = PLAIN_CHUNKS) {
    this.plainChunks = plainChunks
  }

  get count(): number {
    return this.ids.length
  }

  /** Current size of all full chunks in memory. */
  get bytes(): number {
    return this.chunks.reduce((sum, { data }) => sum + data.length, 0)
  }

  /** @throws RangeError when the block does not follow the last one */
  append(block: StoredBlock): void {
    if (this.count === 0) this.first = block.num
    if (block.num !== this.first + this.count) throw new RangeError(`block ${block.num} does not follow`)
    this.openOffsets.push(this.open.pos)
    this.ids.push(fromHex(block.id))
    this.open.lengthBytes(block.prevId === null ? new Uint8Array() : fromHex(block.prevId))
    for (const part of [block.block, block.traces, block.deltas]) this.open.lengthBytes(part)
    this.open.lengthBytes(block.finality ?? new Uint8Array())
    if (this.open.pos >= CHUNK_BYTES) this.close()
  }

  private close(): void {
    const chunk: Chunk = {
      first: this.first + this.count - this.openOffsets.length,
      offsets: this.openOffsets,
      data: this.open.finish(),
      compressed: false,
    }
    this.chunks.push(chunk)
    this.open.pos = 0
    this.openOffsets = []
    const oldest = this.chunks[this.chunks.length - 1 - this.plainChunks]
    if (oldest) compress(oldest)
  }

  idOf(num: number): string | undefined {
    const id = this.ids[num - this.first]
    return id && toHex(id)
  }

  get(num: number): StoredBlock | undefined {
    const id = this.idOf(num)
    if (id === undefined) return undefined
    const openFirst = this.first + this.count - this.openOffsets.length
    if (num >= openFirst) return readRecord(num, id, this.openRecord(num - openFirst), 0)
    const chunk = this.chunkOf(num)
    return readRecord(num, id, this.inflate(chunk), itemAt(chunk.offsets, num - chunk.first))
  }

  /** A copy, because the open chunk's buffer is reused. */
  private openRecord(index: number): Uint8Array {
    return this.open.data.slice(itemAt(this.openOffsets, index), this.openOffsets[index + 1] ?? this.open.pos)
  }

  private chunkOf(num: number): Chunk {
    let low = 0
    let high = this.chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (itemAt(this.chunks, middle).first <= num) low = middle
      else high = middle - 1
    }
    return itemAt(this.chunks, low)
  }

  private inflate(chunk: Chunk): Uint8Array {
    if (!chunk.compressed) return chunk.data
    const known = this.inflated.get(chunk)
    if (known) return known
    const inflated = inflateRawSync(chunk.data)
    const data = new Uint8Array(inflated.buffer, inflated.byteOffset, inflated.length)
    this.inflated.set(chunk, data)
    return data
  }
}

function compress(chunk: Chunk): void {
  deflateRaw(chunk.data, { level: 1 }, (error, data) => {
    if (error) throw error
    chunk.data = data
    chunk.compressed = true
  })
}

function readRecord(num: number, id: string, data: Uint8Array, offset: number): StoredBlock {
  const reader = new Reader(data, offset)
  const prevId = reader.lengthBytes()
  const [block, traces, deltas, finality] = [
    reader.lengthBytes(),
    reader.lengthBytes(),
    reader.lengthBytes(),
    reader.lengthBytes(),
  ]
  return {
    num,
    id,
    prevId: prevId.length === 0 ? null : toHex(prevId),
    block,
    traces,
    deltas,
    finality: finality.length === 0 ? null : finality,
  }
}
