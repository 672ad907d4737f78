// Files of a pack as rows and as blocks.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { DecodeError, HeadwaterError } from '../../core/errors.ts'
import type { ObjectStore } from '../../net/objects/store.ts'
import { BlockDecoder, type DecodedBlock } from '../format/block-codec.ts'
import { CHUNK, type Chunk, readChunks } from '../format/chunks.ts'
import { damaged, missing } from '../format/fault.ts'
import type { PackFile } from '../format/manifest.ts'
import { unpackRows } from '../format/row-codec.ts'
import { readSection, type Section } from '../format/section.ts'

/** Whole rows of one table. */
export interface RowChunk {
  /** With `verified`, the file does not store the rows: they are computed from headers, and the content is empty. */
  section: Section
  content: Buffer
  /** Number of rows, where each has the chain's name as its first field already, and belongs to a block of the range. */
  complete?: number
}

/**
 * Rows of a file, in order. The file's digest is checked at its end, as in `readChunks`: rows may be used only after the
 * iteration has ended without an error.
 *
 * @param ids  receives the ids of the rows' transactions
 */
export async function* readRows(
  store: ObjectStore,
  file: PackFile,
  signal: AbortSignal,
  ids: Uint8Array[] = [],
): AsyncGenerator<RowChunk> {
  let section: Section | null = null
  for await (const { kind, content } of chunksOf(store, file, signal)) {
    if (kind === CHUNK.ids) {
      for (let at = 0; at + ID_BYTES <= content.length; at += ID_BYTES) ids.push(content.subarray(at, at + ID_BYTES))
    } else if (kind === CHUNK.section) {
      section = readSection(content, file.name)
      if (section.verified) yield { section, content: Buffer.alloc(0) }
    } else if (section === null || section.verified)
      throw damaged(file.name, 'rows come before the name of their table')
    else yield { section, content: rowsOf(section, content, ids, file) }
  }
}

const ID_BYTES = 32

function rowsOf(section: Section, content: Buffer, ids: readonly Uint8Array[], file: PackFile): Buffer {
  try {
    return unpackRows(section, content, ids)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw damaged(file.name, `rows of ${section.table} cannot be read: ${error.message}`)
  }
}

/**
 * Blocks of a file, in order.
 *
 * @param ids  ids of the transactions of the range's rows; null: ids of zeros; `none`: blocks without actions
 */
export async function* readBlocks(
  store: ObjectStore,
  file: PackFile,
  signal: AbortSignal,
  ids: readonly Uint8Array[] | null | 'none' = null,
): AsyncGenerator<DecodedBlock> {
  for await (const blocks of blocksOfChunks(chunksOf(store, file, signal), file, ids)) {
    for (let next = nextOf(blocks, file); !next.done; next = nextOf(blocks, file)) yield next.value
  }
}

/** The blocks of each chunk of a file. They are read one by one, with `nextOf`. */
export async function* blocksOfChunks(
  chunks: AsyncIterable<Chunk>,
  file: PackFile,
  ids: readonly Uint8Array[] | null | 'none',
): AsyncGenerator<Iterator<DecodedBlock, void>> {
  let decoder: BlockDecoder | null = null
  for await (const { kind, content } of chunks) {
    if (decoder) yield decoder.read(content)
    else if (kind === CHUNK.section) decoder = decoderOf(content, ids, file)
    else throw damaged(file.name, 'its first chunk is not the start of blocks')
  }
}

function decoderOf(start: Buffer, ids: readonly Uint8Array[] | null | 'none', file: PackFile): BlockDecoder {
  try {
    return new BlockDecoder(start, ids)
  } catch (error) {
    throw asDamaged(error, file)
  }
}

/** @throws UserError PACK_DAMAGED */
export function nextOf(blocks: Iterator<DecodedBlock, void>, file: PackFile): IteratorResult<DecodedBlock, void> {
  try {
    return blocks.next()
  } catch (error) {
    throw asDamaged(error, file)
  }
}

function asDamaged(error: unknown, file: PackFile): unknown {
  return error instanceof DecodeError ? damaged(file.name, `its blocks cannot be read: ${error.message}`) : error
}

/**
 * Runs work on a file. When its content is refused, checks first that the file is the publisher's.
 *
 * @throws UserError PACK_DAMAGED instead of the error of a file that arrived with other bytes
 */
export async function onFile<T>(
  store: ObjectStore,
  file: PackFile,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof HeadwaterError && error.code === 'PACK_REFUTED') await checkDigest(store, file, signal)
    throw error
  }
}

async function checkDigest(store: ObjectStore, file: PackFile, signal: AbortSignal): Promise<void> {
  const { name, bytes, sha256 } = file
  const stream = await openFile(store, file, signal)
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of stream as AsyncIterable<Buffer>) {
    hash.update(piece)
    size += piece.length
    if (size > bytes) break
  }
  const found = hash.digest('hex')
  if (found !== sha256) throw damaged(name, `its SHA-256 is ${found}, the manifest says ${sha256}`)
}

async function* chunksOf(store: ObjectStore, file: PackFile, signal: AbortSignal): AsyncGenerator<Chunk> {
  const stream = await openFile(store, file, signal)
  try {
    yield* readChunks(stream, file)
  } finally {
    stream.destroy()
  }
}

/** @throws UserError PACK_FILE_MISSING, and those of the store */
export async function openFile(store: ObjectStore, { name }: PackFile, signal: AbortSignal): Promise<Readable> {
  const stream = await store.open(name, { signal })
  if (stream === null) throw missing(name)
  return stream
}
