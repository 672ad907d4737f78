// An output file that appears only when complete: until then its name is `NAME.part` or another given name.
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { UserError } from '../../core/errors.ts'

const HINTS: Record<string, string> = {
  ENOENT: 'make the folder first',
  EACCES: 'write where this user may',
  EPERM: 'write where this user may',
  EROFS: 'write to another disk: this one is read-only',
  EEXIST: 'name a folder, not a file',
  EISDIR: 'name a file, not a folder',
  ENOTDIR: 'name a file in a folder',
  ENOSPC: 'free some space, or write to another disk',
  EDQUOT: 'free some space, or write to another disk',
}

/** Facts on a complete file. */
export interface WrittenFile {
  bytes: number
  sha256: string
  /** Modification time, ISO 8601. */
  modified: string
}

export class OutputFile {
  private readonly path: string
  private readonly digest = createHash('sha256')
  private bytes = 0
  private readonly part: string
  private readonly file: number
  private isOpen = true
  private isKept = false

  /** @throws UserError EXPORT_PATH, as the other methods */
  constructor(path: string, part = `${path}.part`) {
    this.path = path
    this.part = part
    // Checked here, because the rename would fail only after everything is written.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw pathError(path, 'it is a folder', 'EISDIR')
    this.file = attempt(path, () => openSync(this.part, 'w'))
  }

  write(bytes: Uint8Array): void {
    // After closing, the descriptor may belong to another file.
    if (!this.isOpen) throw new Error(`${this.part} is closed`)
    attempt(this.path, () => {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.file, bytes, at)
    })
    this.bytes += bytes.length
    this.digest.update(bytes)
  }

  /** Syncs and closes the file, still under its temporary name. */
  complete(): WrittenFile {
    return attempt(this.path, () => {
      fsyncSync(this.file)
      this.close()
      const modified = statSync(this.part).mtime.toISOString()
      return { bytes: this.bytes, sha256: this.digest.digest('hex'), modified }
    })
  }

  /** Completes the file and renames it to its final name. */
  keep(): void {
    if (this.isOpen) this.complete()
    // A complete file is kept even when the rename fails.
    this.isKept = true
    attempt(this.path, () => renameSync(this.part, this.path))
  }

  /** Removes the file, unless `keep` was called. */
  discard(): void {
    if (this.isOpen) this.close()
    if (!this.isKept) rmSync(this.part, { force: true })
  }

  private close(): void {
    this.isOpen = false
    closeSync(this.file)
  }
}

/** Creates a folder if missing. @throws UserError EXPORT_PATH */
export function makeFolder(path: string): void {
  attempt(path, () => mkdirSync(path, { recursive: true }))
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    throw pathError(path, message, code, cause)
  }
}

function pathError(path: string, reason: string, code: string, cause?: unknown): UserError {
  return new UserError('EXPORT_PATH', `cannot write ${path}: ${reason}`, {
    hint: HINTS[code] ?? 'write to another place',
    cause,
  })
}
