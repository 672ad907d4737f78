// A temporary file that is written once and then read front to back. It is unlinked once open, so the system removes it
// when the process ends.
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ByteSource } from '../../../core/antelope/snapshot/stream-reader.ts'

export class ScratchFile implements ByteSource {
  readonly #file: number
  #size = 0
  #offset = 0

  /** @param folder  where to create the file; the system's temporary folder when absent */
  constructor(folder = tmpdir()) {
    const place = mkdtempSync(join(folder, 'headwater-'))
    try {
      this.#file = openSync(join(place, 'scratch'), 'wx+', 0o600)
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  }

  /** Number of bytes. */
  get size(): number {
    return this.#size
  }

  add(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#size + done)
    }
    this.#size += bytes.length
  }

  read(target: Uint8Array): number {
    const count = readSync(this.#file, target, 0, target.length, this.#offset)
    this.#offset += count
    return count
  }

  seek(offset: number): void {
    this.#offset = offset
  }

  close(): void {
    closeSync(this.#file)
  }
}
