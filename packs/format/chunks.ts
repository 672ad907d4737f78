// The container of all files of a pack: a magic number, then chunks, each compressed by itself, then an end mark. A
// chunk is a kind (u8), the size of its content and of its compressed bytes (u32, little-endian), and these bytes. So a
// file is written and read in constant memory, and a cut one is recognised.
import { createHash } from 'node:crypto'
import { damaged } from './fault.ts'
import { pack, unpack } from './zstd.ts'

const MAGIC = Buffer.from('HWPACK2\n')
const HEAD = 9
/** `ids`: ids of transactions that later rows refer to. */
export const CHUNK = { end: 0, section: 1, data: 2, ids: 3 } as const
export type ChunkKind = (typeof CHUNK)['section' | 'data' | 'ids']

/** Content of a data chunk when it is written, bytes; one record may be larger. */
export const CHUNK_BYTES = 4 * 2 ** 20
/** Limit of a chunk's content when it is read, bytes. */
const MAX_CHUNK_BYTES = 128 * 2 ** 20

export interface Chunk {
  kind: ChunkKind
  content: Buffer
}

/** A file as the manifest describes it. */
export interface FileFacts {
  name: string
  bytes: number
  /** Hex. */
  sha256: string
}

/** The start of a file. */
export function fileHead(): Buffer {
  return Buffer.from(MAGIC)
}

export async function packChunk(kind: ChunkKind, content: Uint8Array): Promise<Buffer> {
  const packed = await pack(content)
  return Buffer.concat([chunkHead(kind, content.length, packed.length), packed])
}

/** The end of a file. */
export function fileEnd(): Buffer {
  return chunkHead(CHUNK.end, 0, 0)
}

function chunkHead(kind: number, size: number, packed: number): Buffer {
  const head = Buffer.alloc(HEAD)
  head[0] = kind
  head.writeUInt32LE(size, 1)
  head.writeUInt32LE(packed, 5)
  return head
}

/**
 * Chunks of a file, in order. The size and the SHA-256 are compared after the last chunk: what was yielded is the
 * publisher's only when the iteration ends without an error. However it ends, the input is closed.
 *
 * @throws UserError PACK_DAMAGED
 */
export async function* readChunks(input: AsyncIterable<Buffer>, file: FileFacts): AsyncGenerator<Chunk> {
  const source = new ByteInput(input, file)
  try {
    if (!(await source.take(MAGIC.length)).equals(MAGIC)) throw damaged(file.name, 'it is no file of a pack')
    for (;;) {
      const { offset } = source
      const head = await source.take(HEAD)
      const kind = head[0] as number
      const size = head.readUInt32LE(1)
      const packed = head.readUInt32LE(5)
      if (kind === CHUNK.end) break
      if (!isKind(kind) || size > MAX_CHUNK_BYTES || packed > file.bytes) {
        throw damaged(file.name, 'a chunk has an impossible head', { offset })
      }
      const content = await unpack(await source.take(packed), size)
      if (content === null) throw damaged(file.name, 'a chunk cannot be unpacked', { offset })
      yield { kind, content }
    }
    await source.finish()
  } finally {
    await source.close()
  }
}

function isKind(kind: number | undefined): kind is ChunkKind {
  return kind === CHUNK.section || kind === CHUNK.data || kind === CHUNK.ids
}

/** Bytes of a file in pieces of a wanted size, counted and hashed. */
class ByteInput {
  readonly #pieces: AsyncIterator<Buffer>
  readonly #file: FileFacts
  readonly #hash = createHash('sha256')
  #held: Buffer = Buffer.alloc(0)
  #bytes = 0

  constructor(input: AsyncIterable<Buffer>, file: FileFacts) {
    this.#pieces = input[Symbol.asyncIterator]()
    this.#file = file
  }

  /** Offset of the next byte. */
  get offset(): number {
    return this.#bytes - this.#held.length
  }

  async take(size: number): Promise<Buffer> {
    const pieces = [this.#held]
    let held = this.#held.length
    while (held < size) {
      const piece = await this.#next()
      if (piece === null) throw damaged(this.#file.name, `it ends after ${this.#bytes} bytes`, { offset: this.#bytes })
      pieces.push(piece)
      held += piece.length
    }
    const all = pieces.length === 1 ? this.#held : Buffer.concat(pieces, held)
    this.#held = all.subarray(size)
    return all.subarray(0, size)
  }

  async finish(): Promise<void> {
    while ((await this.#next()) !== null) this.#held = Buffer.alloc(0)
    const { name, bytes, sha256 } = this.#file
    if (this.#bytes !== bytes) throw damaged(name, `it has ${this.#bytes} bytes, the manifest says ${bytes}`)
    const found = this.#hash.digest('hex')
    if (found !== sha256) throw damaged(name, `its SHA-256 is ${found}, the manifest says ${sha256}`)
  }

  /** Closes the input, also before its end. */
  async close(): Promise<void> {
    await this.#pieces.return?.()
  }

  async #next(): Promise<Buffer | null> {
    const { done, value } = await this.#pieces.next()
    if (done) return null
    this.#bytes += value.length
    if (this.#bytes > this.#file.bytes) throw damaged(this.#file.name, `it has more than ${this.#file.bytes} bytes`)
    this.#hash.update(value)
    return value
  }
}
