// The manifest of a folder of exported files: which blocks of a view each file holds, with its digest. It alone says what
// is exported already: a file that it does not name is a conflict, and so is one that is not as it was written.
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../core/errors.ts'
import { OutputFile, type WrittenFile } from './file.ts'
import type { BlockRange } from './ranges.ts'

const VERSION = 1

/** One file. `part` is its name until it is complete. */
export interface ExportedFile extends BlockRange, WrittenFile {
  name: string
  part: string
  rows: number
  /** Id of the last block; null where the chain's blocks are not all kept. */
  lastBlockId: string | null
}

/** What all files of a series share. */
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
  /** Ordered by blocks, without overlaps. */
  readonly files: ExportedFile[] = []
  private readonly folder: string
  private readonly series: Series
  private readonly path: string
  /** The text on the disk, as this process read or wrote it last. */
  private text: string | null = null

  private constructor(folder: string, series: Series) {
    this.folder = folder
    this.series = series
    this.path = join(folder, `${series.view}-${series.chain}.${series.format}.manifest.json`)
  }

  /**
   * Reads the manifest of a series, or begins one. Completes a file that a process wrote and had no time to name.
   *
   * @throws UserError EXPORT_CONFLICT when the folder is not as the manifest says
   */
  static async open(folder: string, series: Series): Promise<Manifest> {
    const manifest = new Manifest(folder, series)
    manifest.read()
    for (const file of manifest.files) await manifest.check(file)
    manifest.refuseUnknown()
    return manifest
  }

  /** Records a file that is complete under its temporary name; its own name is given after this. */
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

  /** Files of the series that the manifest does not name would double rows. Those broken off long ago are removed. */
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
/** Another process may be writing an unfinished file that is younger. */
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

/** The digest is computed only where size and time do not tell already: folders may be large. */
async function isAsWritten(path: string, { bytes, modified, sha256 }: WrittenFile): Promise<boolean> {
  const { size, mtime } = statSync(path)
  if (size !== bytes) return false
  if (mtime.toISOString() === modified) return true
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex') === sha256
}

/** @param way  what to do other than to begin with an empty folder */
export function conflict(reason: string, way?: string): UserError {
  return new UserError('EXPORT_CONFLICT', `the folder cannot be continued: ${reason}`, {
    hint: way ?? 'export into an empty folder',
  })
}
