// A file that has its name when it is complete, and is not there before: `NAME.part` until then.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { UserError } from '../../core/errors.ts'

const HINTS: Record<string, string> = {
  ENOENT: 'make the folder first',
  EACCES: 'write where this user may',
  EPERM: 'write where this user may',
  EROFS: 'write to another disk: this one is read-only',
  EISDIR: 'name a file, not a folder',
  ENOTDIR: 'name a file in a folder',
  ENOSPC: 'free some space, or write to another disk',
  EDQUOT: 'free some space, or write to another disk',
}

export class OutputFile {
  private readonly path: string
  private readonly part: string
  private readonly file: number
  private isOpen = true
  private isKept = false

  /** @throws UserError EXPORT_PATH, as the other methods */
  constructor(path: string) {
    this.path = path
    this.part = `${path}.part`
    // Renaming would tell it after everything is written.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw pathError(path, 'it is a folder', 'EISDIR')
    this.file = attempt(path, () => openSync(this.part, 'w'))
  }

  write(bytes: Uint8Array): void {
    attempt(this.path, () => {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.file, bytes, at)
    })
  }

  /** The file is on the disk, under its name. */
  keep(): void {
    attempt(this.path, () => {
      fsyncSync(this.file)
      this.close()
      renameSync(this.part, this.path)
      this.isKept = true
    })
  }

  /** Nothing stays of it. Does nothing to a file that was kept. */
  discard(): void {
    if (this.isOpen) this.close()
    if (!this.isKept) rmSync(this.part, { force: true })
  }

  private close(): void {
    this.isOpen = false
    closeSync(this.file)
  }
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
