// Writes a file of a pack to a temporary file, then to the store under a name that has its digest.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ObjectStore } from '../../net/objects/store.ts'
import { type ChunkKind, fileEnd, fileHead, packChunk } from '../format/chunks.ts'
import type { PackFile } from '../format/manifest.ts'

export class PackFileWriter {
  readonly #folder: string
  readonly #path: string
  readonly #file: FileHandle
  readonly #hash = createHash('sha256')
  #bytes = 0
  readonly rows: Record<string, number> = {}

  private constructor(folder: string, path: string, file: FileHandle) {
    this.#folder = folder
    this.#path = path
    this.#file = file
  }

  static async create(): Promise<PackFileWriter> {
    const folder = await mkdtemp(join(tmpdir(), 'headwater-pack-'))
    const path = join(folder, 'file')
    const writer = new PackFileWriter(folder, path, await open(path, 'wx'))
    await writer.#append(fileHead())
    return writer
  }

  async add(kind: ChunkKind, content: Uint8Array): Promise<void> {
    await this.#append(await packChunk(kind, content))
  }

  count(table: string, rows: number): void {
    this.rows[table] = (this.rows[table] ?? 0) + rows
  }

  /** Moves the finished file to the store. @param nameOf  name by digest, hex */
  async finish(store: ObjectStore, nameOf: (sha256: string) => string, signal: AbortSignal): Promise<PackFile> {
    await this.#append(fileEnd())
    await this.#file.close()
    const sha256 = this.#hash.digest('hex')
    const name = nameOf(sha256)
    await store.write(name, createReadStream(this.#path), { signal })
    return { name, bytes: this.#bytes, sha256, rows: this.rows }
  }

  /** Removes the temporary file. */
  async dispose(): Promise<void> {
    await this.#file.close().catch(() => {})
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #append(bytes: Buffer): Promise<void> {
    this.#hash.update(bytes)
    this.#bytes += bytes.length
    await this.#file.writeFile(bytes)
  }
}
