// The manifest of an export folder: the blocks and the digest of each file. It is the only record of what is exported.
// A file that it does not list, or that was changed since, is a conflict.
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../core/errors.ts'
import { OutputFile, type WrittenFile } from './file.ts'
import type { BlockRange } from './ranges.ts'

const VERSION = 1

/** One file. `part` is its temporary name. */
export interface ExportedFile extends BlockRange, WrittenFile {
  name: string
  part: string
  rows: number
  /** Id of the last block; null when the database does not keep all block ids. */
  lastBlockId: string | null
}

/** Properties that all files of a series share. */
export interface Series {
  view: string
  chain: string
  format: string
  /** Name and type of each column. */
  columns: string[]
}

interface Content extends Series {
  version: number
  files: ExportedFile[]
}

export class Manifest {
  /** Ordered by block, without overlaps. */
  readonly files: ExportedFile[] = []
  private readonly folder: string
  private readonly series: Series
  private readonly path: string
  /** Content of the manifest file, as this process last read or wrote it. */
  private text: string | null = null

  private constructor(folder: string, series: Series) {
    this.folder = folder
    this.series = series
    this.path = join(folder, `${series.view}-${series.chain}.${series.format}.manifest.json`)
  }

  /**
   * Reads or starts the manifest of a series. Renames a complete file whose process stopped before the rename.
   *
   * @throws UserError EXPORT_CONFLICT when the folder does not match the manifest
   */
  static async open(folder: string, series: Series): Promise<Manifest> {
    const manifest = new Manifest(folder, series)
    manifest.read()
    for (const file of manifest.files) await manifest.check(file)
    manifest.refuseUnknown()
    return manifest
  }

  /** Records a complete file. Called before the rename to its final name. */
  add(file: ExportedFile): void {
    if (this.readText() !== this.text)
      throw conflict(`${this.path} changed during the export`, 'let one export at a time write to the folder')
    this.files.push(file)
    this.files.sort((a, b) => a.fromBlock - b.fromBlock)
    const content: Content = { version: VERSION, ...this.series, files: this.files }
    const text = `${JSON.stringify(content, null, 2)}\n`
    const output = new OutputFile(this.path)
    try {
      output.write(Buffer.from(text))
      output.keep()
    } finally {
      output.discard()
    }
    this.text = text
  }

  private readText(): string | null {
    return existsSync(this.path) ? readFileSync(this.path, 'utf8') : null
  }

  private read(): void {
    this.text = this.readText()
    if (this.text === null) return
    const found = parse(this.text)
    if (found === null)
      throw conflict(`${this.path} is no manifest of version ${VERSION}`, 'restore it, or export into an empty folder')
    const { view, chain, format, columns } = found
    if (JSON.stringify({ view, chain, format, columns }) !== JSON.stringify(this.series))
      throw conflict(`the files of ${this.path} have other columns than ${this.series.view} has now`)
    this.files.push(...found.files)
    for (const [i, file] of this.files.entries()) {
      const before = this.files[i - 1]
      if (file.fromBlock > file.toBlock || (before !== undefined && before.toBlock >= file.fromBlock))
        throw conflict(`${this.path} names blocks twice, at ${file.name}`)
    }
  }

  private async check(file: ExportedFile): Promise<void> {
    const path = join(this.folder, file.name)
    const part = join(this.folder, file.part)
    if (!existsSync(path) && existsSync(part) && (await isAsWritten(part, file))) renameSync(part, path)
    if (!existsSync(path))
      throw conflict(
        `${path} is missing, though ${this.path} names it`,
        'put it back; to export it again, begin with an empty folder',
      )
    if (!(await isAsWritten(path, file)))
      throw conflict(`${path} is not as it was written`, 'restore it, or export into an empty folder')
  }

  /** Refuses unlisted files of the series, which would duplicate rows. Removes temporary files of old, aborted runs. */
  private refuseUnknown(): void {
    const { view, chain, format } = this.series
    const start = `${view}-${chain}-`
    const known = new Set(this.files.map(({ name }) => name))
    for (const name of readdirSync(this.folder)) {
      if (!name.startsWith(start) || known.has(name)) continue
      const rest = name.slice(start.length)
      const path = join(this.folder, name)
      if (UNFINISHED.test(rest) && rest.includes(`.${format}.`)) {
        if (Date.now() - statSync(path).mtimeMs > ABANDONED_MS) rmSync(path, { force: true })
      } else if (FINISHED.test(rest) && rest.endsWith(`.${format}`))
        throw conflict(
          `${path} is in no manifest: its rows could be there twice`,
          'move it away, or export into an empty folder',
        )
    }
  }
}

const FINISHED = /^\d+-\d+\.[a-z]+$/
/** Age after which a temporary file is abandoned; another process may still be writing a younger one. */
const ABANDONED_MS = 86_400_000
const UNFINISHED = /^\d+-\d+\.[a-z]+\.[0-9a-f]+\.part$/

function parse(text: string): Content | null {
  try {
    const found = JSON.parse(text) as Content
    return found.version === VERSION && Array.isArray(found.files) ? found : null
  } catch {
    return null
  }
}

/** Computes the digest only when size and time do not decide: folders may be large. */
async function isAsWritten(path: string, { bytes, modified, sha256 }: WrittenFile): Promise<boolean> {
  const { size, mtime } = statSync(path)
  if (size !== bytes) return false
  if (mtime.toISOString() === modified) return true
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex') === sha256
}

/** @param way  hint; default: to export into an empty folder */
export function conflict(reason: string, way?: string): UserError {
  return new UserError('EXPORT_CONFLICT', `the folder cannot be continued: ${reason}`, {
    hint: way ?? 'export into an empty folder',
  })
}
