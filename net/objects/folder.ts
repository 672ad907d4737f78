// A folder as a store of files. A file is written under a temporary name, synced, and linked to its name, so that a
// killed process leaves no half of a file. Temporary names of killed processes are removed by later writes.
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, type Dirent } from 'node:fs'
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { differs, folderError, tooLarge } from './errors.ts'
import { checkName, checkPrefix, inByteOrder, PART } from './names.ts'
import { MAX_READ_BYTES, type ObjectStore, type ReadOptions, type WriteOptions } from './store.ts'

/** Age from which a temporary file is taken for one of a killed process, ms. */
const LEFTOVER_MS = 6 * 3600 * 1000
/** Errors of `link` on file systems without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'])

export class FolderStore implements ObjectStore {
  readonly address: string
  readonly #root: string
  /** Folders without temporary files of killed processes. */
  readonly #cleaned = new Set<string>()

  constructor(path: string) {
    this.#root = resolve(path)
    this.address = path
  }

  async *list(prefix: string, { signal }: { signal?: AbortSignal } = {}): AsyncGenerator<string> {
    checkPrefix(prefix, this.address)
    // Sorted by bytes as a whole: a folder's own order would put `a/b` before `a-b`.
    const names: string[] = []
    for await (const name of this.#walk(prefix.slice(0, prefix.lastIndexOf('/') + 1), signal))
      if (name.startsWith(prefix)) names.push(name)
    yield* inByteOrder(names)
  }

  async *#walk(folder: string, signal: AbortSignal | undefined): AsyncGenerator<string> {
    signal?.throwIfAborted()
    let entries: Dirent[]
    try {
      entries = await readdir(join(this.#root, folder), { withFileTypes: true })
    } catch (error) {
      if (isMissing(error)) return
      throw folderError({ address: this.address, name: folder }, error)
    }
    for (const entry of entries) {
      if (entry.isDirectory()) yield* this.#walk(`${folder}${entry.name}/`, signal)
      else if (!entry.name.startsWith(PART)) yield `${folder}${entry.name}`
    }
  }

  async read(name: string, { maxBytes = MAX_READ_BYTES }: ReadOptions = {}): Promise<Buffer | null> {
    const file = await this.#openFile(name)
    if (file === null) return null
    try {
      const { size } = await file.stat()
      if (size > maxBytes) throw tooLarge({ address: this.address, name }, maxBytes)
      return await this.#attempt(name, () => file.readFile())
    } finally {
      await file.close()
    }
  }

  async open(name: string, { signal }: { signal?: AbortSignal } = {}): Promise<Readable | null> {
    const file = await this.#openFile(name)
    return file === null ? null : file.createReadStream({ signal })
  }

  /** @returns null if there is no such file. A folder is an error, as its name would be. */
  async #openFile(name: string): Promise<FileHandle | null> {
    checkName(name, this.address)
    try {
      const file = await open(join(this.#root, name), 'r')
      if ((await file.stat()).isFile()) return file
      await file.close()
    } catch (error) {
      if (isMissing(error)) return null
      throw folderError({ address: this.address, name }, error)
    }
    throw folderError({ address: this.address, name }, Object.assign(new Error('it is no file'), { code: 'EISDIR' }))
  }

  async write(name: string, body: Buffer | Readable, { signal }: WriteOptions = {}): Promise<void> {
    checkName(name, this.address)
    const path = join(this.#root, name)
    await this.#attempt(name, async () => {
      const { part, sha256 } = await this.#writePart(path, body, signal)
      try {
        if (!(await linkNew(part, path)) && (await digestOf(path)) !== sha256)
          throw differs({ address: this.address, name })
      } finally {
        await rm(part, { force: true })
      }
      await syncFolder(dirname(path))
    })
  }

  async replace(name: string, body: Buffer, { signal }: WriteOptions = {}): Promise<void> {
    checkName(name, this.address)
    const path = join(this.#root, name)
    await this.#attempt(name, async () => {
      const { part } = await this.#writePart(path, body, signal)
      try {
        await rename(part, path)
      } finally {
        await rm(part, { force: true })
      }
      await syncFolder(dirname(path))
    })
  }

  async #writePart(
    path: string,
    body: Buffer | Readable,
    signal: AbortSignal | undefined,
  ): Promise<{ part: string; sha256: string }> {
    const folder = dirname(path)
    await mkdir(folder, { recursive: true })
    if (!this.#cleaned.has(folder)) {
      this.#cleaned.add(folder)
      await removeLeftovers(folder)
    }
    const part = join(folder, `${PART}${basename(path)}.${randomBytes(6).toString('hex')}`)
    const digest = createHash('sha256')
    const file = await open(part, 'wx')
    try {
      for await (const chunk of Buffer.isBuffer(body) ? [body] : body) {
        signal?.throwIfAborted()
        digest.update(chunk)
        await file.writeFile(chunk)
      }
      await file.sync()
      await file.close()
    } catch (error) {
      await file.close().catch(() => {})
      await rm(part, { force: true })
      throw error
    }
    return { part, sha256: digest.digest('hex') }
  }

  /** Gives errors of the file system their code; others pass unchanged. */
  async #attempt<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
      throw folderError({ address: this.address, name }, error)
    }
  }
}

/** Gives a file a second name unless that name is taken. @returns whether it was free */
async function linkNew(part: string, path: string): Promise<boolean> {
  try {
    await link(part, path)
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (!NO_LINKS.has(code)) throw error
  }
  // Without hard links two writers of one name at the same instant are not detected; both write the same content.
  if (await stat(path).catch(() => null)) return false
  await rename(part, path)
  return true
}

async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha256')
  await pipeline(createReadStream(path), digest)
  return digest.digest('hex')
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function removeLeftovers(folder: string): Promise<void> {
  const oldest = Date.now() - LEFTOVER_MS
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith(PART)) continue
    const path = join(folder, entry)
    const found = await stat(path).catch(() => null)
    if (found !== null && found.mtimeMs < oldest) await rm(path, { force: true })
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}
