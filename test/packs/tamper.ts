// Changes files of a pack as a dishonest publisher would: the sizes and digests in the manifest are corrected.
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHUNK, type Chunk, fileEnd, fileHead, packChunk, readChunks } from '../../packs/format/chunks.ts'
import { MANIFEST, type Manifest, type PackFile, readManifest } from '../../packs/format/manifest.ts'
import { readSection } from '../../packs/format/section.ts'

export function manifestOf(folder: string): Manifest {
  return readManifest(readFileSync(join(folder, MANIFEST)))
}

export function putManifest(folder: string, manifest: Manifest): void {
  writeFileSync(join(folder, MANIFEST), JSON.stringify(manifest))
}

export async function chunksOf(folder: string, file: PackFile): Promise<Chunk[]> {
  const chunks: Chunk[] = []
  for await (const chunk of readChunks(createReadStream(join(folder, file.name)), file)) chunks.push(chunk)
  return chunks
}

/** Replaces the content of a file that a manifest names. */
export async function replaceFile(folder: string, file: PackFile, chunks: readonly Chunk[]): Promise<void> {
  const parts = [fileHead()]
  for (const { kind, content } of chunks) parts.push(await packChunk(kind, content))
  const bytes = Buffer.concat([...parts, fileEnd()])
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  Object.assign(file, { name: `x${file.name}`, bytes: bytes.length, sha256 })
  writeFileSync(join(folder, file.name), bytes)
}

/** Tables with rows in a file, each with the index of its first chunk of rows. */
export function tablesOf(chunks: readonly Chunk[]): Map<string, number> {
  const tables = new Map<string, number>()
  for (const [index, chunk] of chunks.entries()) {
    if (chunk.kind === CHUNK.section) tables.set(readSection(chunk, '').table, index + 1)
  }
  return tables
}

/** Offset of the end of the first row. */
export function firstRowEnd(content: Buffer): number {
  let at = 2
  for (let field = content.readInt16BE(0); field > 0; field--) at += 4 + Math.max(0, content.readInt32BE(at))
  return at
}
