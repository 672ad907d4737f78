// Files of a pack as rows and as blocks.
import { createHash } from 'node:crypto'
import { DecodeError, HeadwaterError } from '../../core/errors.ts'
import type { ObjectStore } from '../../net/objects/store.ts'
import { CHUNK, type Chunk, readChunks } from '../format/chunks.ts'
import { damaged, missing } from '../format/fault.ts'
import type { PackFile } from '../format/manifest.ts'
import { readSection, type Section } from '../format/section.ts'
import { readSlimBlocks, type SlimBlock } from '../format/slim-block.ts'

/** Whole rows of one table. */
export interface RowChunk {
  section: Section
  content: Buffer
}

/** Rows of a file, in order. As `readChunks`, they are the publisher's only when the iteration ends without an error. */
export async function* readRows(store: ObjectStore, file: PackFile, signal: AbortSignal): AsyncGenerator<RowChunk> {
  let section: Section | null = null
  for await (const chunk of chunksOf(store, file, signal)) {
    if (chunk.kind === CHUNK.section) section = readSection(chunk, file.name)
    else if (section === null) throw damaged(file.name, 'rows of no table')
    else yield { section, content: chunk.content }
  }
}

/** Blocks of a file, in order. */
export async function* readBlocks(store: ObjectStore, file: PackFile, signal: AbortSignal): AsyncGenerator<SlimBlock> {
  for await (const { content } of chunksOf(store, file, signal)) {
    try {
      yield* readSlimBlocks(content)
    } catch (error) {
      if (error instanceof DecodeError) throw damaged(file.name, `its blocks cannot be read: ${error.message}`)
      throw error
    }
  }
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
