// Changes files of a pack as a dishonest publisher would: the sizes and digests in the manifest are corrected.
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Lineage } from '../../core/finality/track.ts'
import type { Catalog } from '../../indexer/store/catalog.ts'
import { eachTuple } from '../../indexer/store/copy/tuples.ts'
import { FolderStore } from '../../net/objects/folder.ts'
import { BlockEncoder, lineageOf, startContent } from '../../packs/format/block-codec.ts'
import { CHUNK, type Chunk, fileEnd, fileHead, packChunk, readChunks } from '../../packs/format/chunks.ts'
import {
  MANIFEST,
  type Manifest,
  manifestText,
  type PackFile,
  type PartFile,
  readManifest,
  type StoredManifest,
} from '../../packs/format/manifest.ts'
import { packRows, TransactionIds, unpackRows } from '../../packs/format/row-codec.ts'
import { readSection, type Section, sectionContent } from '../../packs/format/section.ts'
import type { SlimBlock } from '../../packs/format/slim-block.ts'
import { withoutFirst } from '../../packs/format/tuples.ts'
import { readBlocks, readRange, readRows } from '../../packs/read/files.ts'
import { rowText } from '../../packs/verify/row-text.ts'

export function manifestOf(folder: string): StoredManifest {
  return readManifest(readFileSync(join(folder, MANIFEST)))
}

export function putManifest(folder: string, manifest: StoredManifest): void {
  writeFileSync(join(folder, MANIFEST), manifestText(manifest))
}

/** Chunks of a file with rows: the ids of transactions first, then sections and rows in binary COPY format. */
export async function chunksOf(folder: string, file: PackFile): Promise<Chunk[]> {
  const ids: Buffer[] = []
  const chunks: Chunk[] = [{ kind: CHUNK.ids, content: Buffer.alloc(0) }]
  let section: Section | null = null
  for await (const { kind, content } of readChunks(createReadStream(join(folder, file.name)), file)) {
    if (kind === CHUNK.ids) for (let at = 0; at < content.length; at += 32) ids.push(content.subarray(at, at + 32))
    else if (kind === CHUNK.section) section = readSection(content, '')
    if (kind === CHUNK.section) chunks.push({ kind, content })
    if (kind === CHUNK.data) chunks.push({ kind, content: unpackRows(section!, content, ids) })
  }
  chunks[0]!.content = Buffer.concat(ids)
  return chunks
}

/** Replaces the content of a file with rows. @param chunks  as `chunksOf` returns them */
export async function replaceRows(folder: string, file: PackFile, chunks: readonly Chunk[]): Promise<void> {
  const ids = new TransactionIds()
  let section: Section | null = null
  const packed: Chunk[] = []
  for (const { kind, content } of chunks) {
    if (kind === CHUNK.ids)
      for (let at = 0; at < content.length; at += 32) ids.placeOf(content.toString('latin1', at, at + 32))
    if (kind === CHUNK.section) section = readSection(content, '')
    if (kind === CHUNK.section) packed.push({ kind, content })
    if (kind === CHUNK.data) packed.push({ kind, content: packRows(section!, content, ids) })
  }
  const all = Buffer.from([...ids.places.keys()].join(''), 'latin1')
  await replaceFile(folder, file, all.length > 0 ? [{ kind: CHUNK.ids, content: all }, ...packed] : packed)
}

/** Stores also the rows that a reader would make from headers: the publisher may do so, and they may be wrong. */
export async function storeMadeRows(folder: string, chain: string, catalog: Catalog): Promise<void> {
  const manifest = manifestOf(folder)
  const { signal } = new AbortController()
  for (const range of manifest.ranges) {
    const [ids] = await chunksOf(folder, range.rows)
    const chunks: Chunk[] = [ids!]
    for await (const chunk of readRange(new FolderStore(folder), range, signal, { chain, catalog })) {
      const { table, columns } = chunk.section
      const content = chunk.complete === undefined ? chunk.content : withoutFirst(chunk.content, columns.length + 1)
      chunks.push({ kind: CHUNK.section, content: sectionContent({ table, columns }) }, { kind: CHUNK.data, content })
    }
    await replaceRows(folder, range.rows, chunks)
  }
  putManifest(folder, manifest)
}

/** Replaces the content of a file with blocks, which refer to the transactions of a file with rows, if any. */
export async function replaceBlocks(
  folder: string,
  file: PackFile,
  rows: PackFile | null,
  change: (blocks: SlimBlock[]) => SlimBlock[],
): Promise<void> {
  const ids: Uint8Array[] = []
  const store = new FolderStore(folder)
  const { signal } = new AbortController()
  if (rows) for await (const _ of readRows(store, rows, signal, ids));
  const blocks: SlimBlock[] = []
  for await (const { block, traces, finality } of readBlocks(store, file, signal, ids)) {
    blocks.push({ block, traces, finality })
  }
  const lineage = await startOf(folder, file)
  const encoder = new BlockEncoder(lineage, new Map(ids.map((id, i) => [Buffer.from(id).toString('latin1'), i])))
  for (const block of change(blocks)) encoder.add(block)
  await replaceFile(folder, file, [
    { kind: CHUNK.section, content: startContent(lineage) },
    { kind: CHUNK.data, content: encoder.take() },
  ])
}

/** Where the finality of a file with blocks continues from. */
async function startOf(folder: string, file: PackFile): Promise<Lineage | null> {
  for await (const { content } of readChunks(createReadStream(join(folder, file.name)), file)) return lineageOf(content)
  return null
}

async function replaceFile(folder: string, file: PackFile, chunks: readonly Chunk[]): Promise<void> {
  const parts = [fileHead()]
  for (const { kind, content } of chunks) parts.push(await packChunk(kind, content))
  const bytes = Buffer.concat([...parts, fileEnd()])
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  // The name has the digest, as the publisher's own: `FROM-TO-KIND-DIGEST.pack`.
  Object.assign(file, {
    name: file.name.replace(/[0-9a-f]{16}\.pack$/, `${sha256.slice(0, 16)}.pack`),
    bytes: bytes.length,
    sha256,
  })
  writeFileSync(join(folder, file.name), bytes)
}

/** Tables with rows in a file, each with the index of its first chunk of rows. Others are made from headers. */
export function tablesOf(chunks: readonly Chunk[]): Map<string, number> {
  const tables = new Map<string, number>()
  for (const [index, chunk] of chunks.entries()) {
    if (chunk.kind !== CHUNK.section) continue
    const { table, verified } = readSection(chunk.content, '')
    if (!verified) tables.set(table, index + 1)
  }
  return tables
}

/** A section and its rows without a column. */
export function withoutColumn(section: Chunk, content: Buffer, column: string): [section: Buffer, rows: Buffer] {
  const { table, columns } = readSection(section.content, '')
  const left = columns.filter(([name]) => name !== column)
  const parts: Buffer[] = []
  eachTuple(content, columns.length, ({ at, length }) => {
    const head = Buffer.alloc(2)
    head.writeInt16BE(left.length)
    parts.push(head)
    for (const [i, [name]] of columns.entries()) {
      const [start, size] = [at[i]!, Math.max(0, length[i]!)]
      if (name !== column) parts.push(Buffer.from(content.subarray(start - 4, start + size)))
    }
  })
  return [sectionContent({ table, columns: left }), Buffer.concat(parts)]
}

export function rowFilesOf({ ranges, states }: Manifest): PackFile[] {
  return [...ranges, ...states].map(({ rows }) => rows)
}

/** Every file of a pack but the manifest, with its kind in its name. */
export function filesOf({ parts, ranges, states }: StoredManifest): PartFile[] {
  const all = [
    ...parts,
    ...ranges.flatMap(({ rows, blocks }) => [rows, blocks]),
    ...states.flatMap(({ rows, proof }) => [rows, proof]),
  ]
  return all.filter((file) => file !== null)
}

/** A row of `ledger.abis` as if an account row had shown it. */
export function abiRow(
  columns: readonly (readonly [string, string])[],
  values: { account: string; blockNum: number; abi: Buffer },
): Buffer {
  const int8 = (value: number) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64BE(BigInt(value))
    return bytes
  }
  const fields: Record<string, Buffer> = {
    account: Buffer.from(values.account),
    block_num: int8(values.blockNum),
    global_seq: int8(0),
    abi: values.abi,
  }
  return tupleOf(columns.map(([name]) => fields[name] ?? null))
}

/** Fields of a row in binary COPY format; null: no value. */
export type Row = (Buffer | null)[]

export function rowsOf(content: Buffer, columns: number): Row[] {
  const rows: Row[] = []
  eachTuple(content, columns, ({ at, length }) => {
    rows.push(
      [...at]
        .slice(0, columns)
        .map((start, i) => (length[i]! < 0 ? null : content.subarray(start, start + length[i]!))),
    )
  })
  return rows
}

/** A row in binary COPY format. @param fields  null: no value */
export function tupleOf(fields: readonly (Buffer | null)[]): Buffer {
  const head = Buffer.alloc(2)
  head.writeInt16BE(fields.length)
  const parts = fields.flatMap((field) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(field?.length ?? -1)
    return field ? [length, field] : [length]
  })
  return Buffer.concat([head, ...parts])
}

/** The text by which a verified fetch compares one field in binary COPY format. @param type  of PostgreSQL */
export function textOf(field: Buffer, type: string): string {
  const tuple = { at: Int32Array.of(0), length: Int32Array.of(field.length), start: 0, end: field.length }
  return rowText(field, tuple, [{ index: 0, type }])
}
