// A temporary file without a name that is written once and then read front to back.
import { closeSync, readSync, writeSync } from 'node:fs'
import type { ByteSource } from '../../../core/antelope/snapshot/stream-reader.ts'
import { openUnnamedFile } from '../unnamed-file.ts'

export class ScratchFile implements ByteSource {
  readonly #file: number
  #size = 0
  #offset = 0

  /** @param folder  where to create the file; the system's temporary folder when absent */
  constructor(folder?: string) {
    this.#file = openUnnamedFile(folder)
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
