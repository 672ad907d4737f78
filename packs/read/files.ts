// Files of a pack as rows and as blocks.
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { DecodeError, HeadwaterError, type UserError } from '../../core/errors.ts'
import type { Catalog } from '../../indexer/store/catalog.ts'
import type { ObjectStore } from '../../net/objects/store.ts'
import { BlockDecoder, type DecodedBlock } from '../format/block-codec.ts'
import { CHUNK, type Chunk, readChunks } from '../format/chunks.ts'
import { damaged, missing } from '../format/fault.ts'
import { MadeRows } from '../format/made-rows.ts'
import type { PackFile, PackRange } from '../format/manifest.ts'
import { unpackRows } from '../format/row-codec.ts'
import { readSection, type Section } from '../format/section.ts'

/** Whole rows of one table. */
export interface RowChunk {
  /** With `verified`, the file does not store the rows: they are computed from headers, and the content is empty. */
  section: Section
  content: Buffer
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
/** Blocks that are read between two turns of the event loop. */
const BLOCKS_PER_TURN = 100

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
  let decoder: BlockDecoder | null = null
  for await (const { kind, content } of chunksOf(store, file, signal)) {
    try {
      if (decoder) yield* decoder.read(content)
      else if (kind === CHUNK.section) decoder = new BlockDecoder(content, ids)
      else throw damaged(file.name, 'its first chunk is not the start of blocks')
    } catch (error) {
      if (error instanceof DecodeError) throw damaged(file.name, `its blocks cannot be read: ${error.message}`)
      throw error
    }
  }
}

/** All rows of a range: those that its file of rows stores, and those that follow from its headers. */
export async function* readRange(
  store: ObjectStore,
  { rows, blocks }: PackRange,
  signal: AbortSignal,
  { chain, catalog }: { chain: string; catalog: Catalog },
): AsyncGenerator<RowChunk> {
  let made: MadeRows | null = null
  for await (const chunk of readRows(store, rows, signal)) {
    const { section } = chunk
    if (section.verified && made === null) {
      if (!blocks) throw withoutHeaders(rows, section)
      made = new MadeRows(chain, catalog, section.verified)
      let count = 0
      for await (const block of readBlocks(store, blocks, signal, 'none')) {
        made.add(block)
        // Rows of other ranges are copied meanwhile.
        if (++count % BLOCKS_PER_TURN === 0) await setImmediate()
      }
    }
    yield section.verified && made ? { section, content: made.rows(section.table).content } : chunk
  }
}

/** The error for a table whose rows are computed from headers, in a pack without headers. */
function withoutHeaders({ name }: PackFile, { table }: Section): UserError {
  return damaged(name, `rows of ${table} follow from headers, which the pack does not have`)
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

async function checkDigest(store: ObjectStore, { name, bytes, sha256 }: PackFile, signal: AbortSignal): Promise<void> {
  const stream = await store.open(name, { signal })
  if (stream === null) throw missing(name)
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
  const stream = await store.open(file.name, { signal })
  if (stream === null) throw missing(file.name)
  try {
    yield* readChunks(stream, file)
  } finally {
    stream.destroy()
  }
}
