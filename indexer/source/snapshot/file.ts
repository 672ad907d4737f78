// A snapshot file on disk, plain or compressed with Zstandard, as a stream. Reads in pieces, without the event loop: a
// caller pauses between rows.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { SNAPSHOT_MAGIC } from '../../../core/antelope/snapshot/layout.ts'
import { type ByteSource, StreamReader } from '../../../core/antelope/snapshot/stream-reader.ts'
import { KIND_BYTES, notUnpacked, otherKind, unreadable } from './faults.ts'
import { loadZstd, ZstdSource } from './zstd.ts'

const ZSTD_MAGIC = 0xfd2fb528
/** Frames that a decoder skips: the first 28 bits of their magic. */
const SKIPPABLE = 0x184d2a5
const PIECE_BYTES = 1 << 17

export class SnapshotFile {
  readonly path: string
  readonly #file: number
  readonly reader: StreamReader

  private constructor(path: string, file: number, source: ByteSource) {
    this.path = path
    this.#file = file
    this.reader = new StreamReader(source)
  }

  /** @throws UserError SNAPSHOT_UNREADABLE, SNAPSHOT_KIND, SNAPSHOT_ZSTD */
  static async open(path: string): Promise<SnapshotFile> {
    await loadZstd()
    const file = openFile(path)
    try {
      const opened = new SnapshotFile(path, file, sourceOf(path, file))
      opened.#checkKind()
      return opened
    } catch (error) {
      closeSync(file)
      throw error
    }
  }

  close(): void {
    closeSync(this.#file)
  }

  #checkKind(): void {
    const { reader } = this
    const start = reader.peek(KIND_BYTES)
    if (start.length >= 4 && Buffer.from(start).readUInt32LE(0) === SNAPSHOT_MAGIC) return
    throw otherKind(this.path, start)
  }
}

/** Whether a file begins as a snapshot, plain or compressed. @throws UserError SNAPSHOT_UNREADABLE */
export function isSnapshot(path: string): boolean {
  const file = openFile(path)
  try {
    const magic = magicOf(path, file)
    return magic === SNAPSHOT_MAGIC || isZstd(magic)
  } finally {
    closeSync(file)
  }
}

function openFile(path: string): number {
  try {
    const file = openSync(path, 'r')
    if (fstatSync(file).isFile()) return file
    closeSync(file)
  } catch (cause) {
    throw unreadable(path, cause)
  }
  throw unreadable(path, new Error('it is no regular file'))
}

const isZstd = (magic: number): boolean => magic === ZSTD_MAGIC || magic >>> 4 === SKIPPABLE

function sourceOf(path: string, file: number): ByteSource {
  const plain = new PlainSource(path, file)
  if (!isZstd(magicOf(path, file))) return plain
  return new ZstdSource(plain.pieces(), (offset, reason) => notUnpacked(path, offset, reason))
}

/** The first four bytes; 0 when there are fewer. */
function magicOf(path: string, file: number): number {
  const start = Buffer.alloc(4)
  readAt(path, file, start, 0)
  return start.readUInt32LE(0)
}

class PlainSource implements ByteSource {
  readonly #path: string
  readonly #file: number
  #offset = 0

  constructor(path: string, file: number) {
    this.#path = path
    this.#file = file
  }

  read(target: Uint8Array): number {
    const count = readAt(this.#path, this.#file, target, this.#offset)
    this.#offset += count
    return count
  }

  seek(offset: number): void {
    this.#offset = offset
  }

  /** The rest of the file; each piece is overwritten by the next. */
  *pieces(): Generator<Uint8Array> {
    const piece = new Uint8Array(PIECE_BYTES)
    for (let count = this.read(piece); count > 0; count = this.read(piece)) yield piece.subarray(0, count)
  }
}

function readAt(path: string, file: number, target: Uint8Array, offset: number): number {
  try {
    return readSync(file, target, 0, target.length, offset)
  } catch (cause) {
    throw unreadable(path, cause)
  }
}
