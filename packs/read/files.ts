// Files of a pack as rows and as blocks.
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { DecodeError, HeadwaterError, type UserError } from '../../core/errors.ts'
import { Turns } from '../../core/turns.ts'
import type { Catalog } from '../../indexer/store/catalog.ts'
import { eachTuple, TupleError } from '../../indexer/store/copy/tuples.ts'
import type { ObjectStore } from '../../net/objects/store.ts'
import { BlockDecoder, type DecodedBlock } from '../format/block-codec.ts'
import { CHUNK, type Chunk, readChunks } from '../format/chunks.ts'
import { damaged, missing, refuted } from '../format/fault.ts'
import { MadeRows } from '../format/made-rows.ts'
import type { PackFile, PackRange } from '../format/manifest.ts'
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
    else yield { section, content: withoutClaims(section, rowsOf(section, content, ids, file), file) }
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
 * Rows of certificates say that none is verified: the publisher's word is not the reader's check, and a proof takes a
 * verified certificate without a check of its own.
 */
function withoutClaims({ table, columns }: Section, content: Buffer, file: PackFile): Buffer {
  if (table !== 'ledger.certificates') return content
  const index = columns.findIndex(([name, type]) => name === 'verified' && type === 'bool')
  const rows = Buffer.from(content)
  try {
    eachTuple(rows, columns.length, ({ at, length }) => {
      if (length[index] === 1) rows[at[index] as number] = 0
    })
  } catch (error) {
    if (error instanceof TupleError) throw damaged(file.name, `${table}: ${error.message}`)
    throw error
  }
  return rows
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
  for await (const blocks of blocksOfChunks(store, file, signal, ids)) {
    for (let next = nextOf(blocks, file); !next.done; next = nextOf(blocks, file)) yield next.value
  }
}

/** The blocks of each chunk of a file. They are read one by one, with `nextOf`. */
async function* blocksOfChunks(
  store: ObjectStore,
  file: PackFile,
  signal: AbortSignal,
  ids: readonly Uint8Array[] | null | 'none',
): AsyncGenerator<Iterator<DecodedBlock, void>> {
  let decoder: BlockDecoder | null = null
  for await (const { kind, content } of chunksOf(store, file, signal)) {
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

function nextOf(blocks: Iterator<DecodedBlock, void>, file: PackFile): IteratorResult<DecodedBlock, void> {
  try {
    return blocks.next()
  } catch (error) {
    throw asDamaged(error, file)
  }
}

function asDamaged(error: unknown, file: PackFile): unknown {
  return error instanceof DecodeError ? damaged(file.name, `its blocks cannot be read: ${error.message}`) : error
}

interface RangeContext {
  chain: string
  catalog: Catalog
  /**
   * Shared by ranges that are read at once: the rows of one are made while those of another are copied. Rows of two
   * made at the same time would leave the database without work until both are done.
   */
  turns?: Turns
}

/** All rows of a range: the rows stored in its file, and the rows computed from its headers. */
export async function* readRange(
  store: ObjectStore,
  range: PackRange,
  signal: AbortSignal,
  context: RangeContext,
): AsyncGenerator<RowChunk> {
  const { turns = new Turns() } = context
  let made: MadeRows | null = null
  for await (const chunk of readRows(store, range.rows, signal)) {
    const { section } = chunk
    if (!section.verified) {
      yield chunk
      continue
    }
    made ??= await turns.take(() => makeRows(store, range, signal, section, context))
    const { content, count } = made.rowsOfChain(section.table)
    // The columns are those of this program, not of the one that wrote the file.
    yield { section: made.section(section.table), content, complete: count }
  }
}

/** @throws UserError PACK_DAMAGED, PACK_REFUTED for a block that is not of the range */
async function makeRows(
  store: ObjectStore,
  { rows, blocks, from, to }: PackRange,
  signal: AbortSignal,
  section: Section,
  { chain, catalog }: RangeContext,
): Promise<MadeRows> {
  if (!blocks) throw withoutHeaders(rows, section)
  const made = new MadeRows(chain, catalog)
  let count = 0
  let foreign: number | null = null
  // Without an await for each block, which would take longer than to make its rows.
  for await (const ofChunk of blocksOfChunks(store, blocks, signal, 'none')) {
    for (let next = nextOf(ofChunk, blocks); !next.done; next = nextOf(ofChunk, blocks)) {
      const { num } = next.value
      if (!(num >= from && num <= to)) foreign ??= num
      made.add(next.value)
      // Rows of other ranges are copied meanwhile.
      if (++count % BLOCKS_PER_TURN === 0) await setImmediate()
    }
  }
  // The file is the publisher's: it was read to its end.
  if (foreign === null) return made
  throw refuted(rows.name, `a row of ${section.table} is of block ${foreign}`, { block: foreign })
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
  yield* readChunks(stream, file)
}
