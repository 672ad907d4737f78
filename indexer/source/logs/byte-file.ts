// Reads a file to which another process may append. Consecutive reads are served from a buffered window, which doubles
// its size with each refill, so that small entries need few system calls.
import { type FileHandle, open } from 'node:fs/promises'
import { isDenied, unreadable } from './faults.ts'
import { POOLED_WINDOW, type WindowPool } from './window-pool.ts'

const FIRST_WINDOW = 1 << 16
const CHUNK = 1 << 18

export class ByteFile {
  readonly path: string
  readonly #handle: FileHandle
  readonly #largest: number
  readonly #pool: WindowPool | null
  /** Memory of the window, and below its filled part. */
  #memory: Uint8Array = new Uint8Array()
  #window: Uint8Array = this.#memory
  /** Offset of the window in the file. */
  #start = 0
  #size = FIRST_WINDOW

  private constructor(path: string, handle: FileHandle, largest: number, pool: WindowPool | null) {
    this.path = path
    this.#handle = handle
    this.#largest = largest
    this.#pool = pool
  }

  /**
   * @param options.largest  size limit of the window, bytes
   * @param options.pool     reuses the memory of windows; default: new memory for each window
   * @returns null when there is no such file
   * @throws UserError LOG_UNREADABLE
   */
  static async open(path: string, options: { largest?: number; pool?: WindowPool } = {}): Promise<ByteFile | null> {
    const { largest = POOLED_WINDOW, pool = null } = options
    try {
      return new ByteFile(path, await open(path, 'r'), largest, pool)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      if (isDenied(error)) throw unreadable(path)
      throw error
    }
  }

  /** Current size of the file, bytes. */
  async size(): Promise<number> {
    return (await this.#handle.stat()).size
  }

  /** Discards the window, so that the next read sees the current content. */
  forget(): void {
    this.#replace(new Uint8Array())
    this.#window = this.#memory
    this.#size = FIRST_WINDOW
  }

  /**
   * The bytes at an offset; fewer at the end of the file. They stay valid after further reads; with a pool, only until
   * the next read, or, if lent, until the pool gets them back.
   */
  async read(offset: number, length: number): Promise<Uint8Array> {
    const from = offset - this.#start
    const end = from + length
    if (from >= 0 && end <= this.#window.length) return this.#window.subarray(from, end)
    const isNext = from >= 0 && from <= this.#window.length && this.#window.length > 0
    this.#size = isNext ? Math.min(this.#size * 2, this.#largest) : FIRST_WINDOW
    const size = Math.max(this.#size, length)
    const memory = this.#pool?.take(size) ?? Buffer.allocUnsafeSlow(size)
    let filled = 0
    while (filled < memory.length) {
      const { bytesRead } = await this.#handle.read(memory, filled, memory.length - filled, offset + filled)
      if (bytesRead === 0) break
      filled += bytesRead
      if (filled >= length) break
    }
    this.#replace(memory)
    this.#window = memory.subarray(0, filled)
    this.#start = offset
    return this.#window.subarray(0, Math.min(length, filled))
  }

  /** Prevents bytes of the last read from being overwritten until they are returned to the pool. */
  lend(bytes: Uint8Array): void {
    this.#pool?.lend(bytes)
  }

  /** The bytes of a range, in pieces that are not cached. Ends early where the file ends. */
  async *chunks(offset: number, length: number): AsyncGenerator<Uint8Array> {
    for (let done = 0; done < length; ) {
      const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK, length - done))
      const { bytesRead } = await this.#handle.read(chunk, 0, chunk.length, offset + done)
      if (bytesRead === 0) return
      done += bytesRead
      yield chunk.subarray(0, bytesRead)
    }
  }

  async close(): Promise<void> {
    this.forget()
    await this.#handle.close()
  }

  #replace(memory: Uint8Array): void {
    this.#pool?.leave(this.#memory)
    this.#memory = memory
  }
}
