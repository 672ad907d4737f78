// Unpacks a Zstandard file while it is read. Needs the memory of the file's window: 8 MiB at level 19, at most 128 MiB.
import { ZSTDDecoder } from 'zstddec/stream'
import type { ByteSource } from '../../../core/antelope/snapshot/stream-reader.ts'

/**
 * Limit of consecutive empty pieces without further input. After an error the decoder yields empty pieces without end;
 * a valid skippable frame yields one.
 */
const MAX_EMPTY = 1000

const decoder = new ZSTDDecoder()

/** Loads the decoder; before the first `ZstdSource`. */
export function loadZstd(): Promise<void> {
  return decoder.init()
}

export class ZstdSource implements ByteSource {
  readonly #pieces: Iterator<Uint8Array>
  #piece: Uint8Array = new Uint8Array()
  /** Offset in the piece of the next byte. */
  #at = 0
  #offset = 0
  #inputs = 0
  readonly #failure: (offset: number, reason: string) => Error

  /**
   * @param packed   pieces of the file; each may be reused after the next is taken
   * @param failure  makes the error of a file that cannot be unpacked
   */
  constructor(packed: Iterable<Uint8Array>, failure: (offset: number, reason: string) => Error) {
    this.#failure = failure
    this.#pieces = decoder.decodeStreaming(this.#counted(packed))
  }

  read(target: Uint8Array): number {
    if (this.#at === this.#piece.length && !this.#next()) return 0
    const count = Math.min(target.length, this.#piece.length - this.#at)
    target.set(this.#piece.subarray(this.#at, this.#at + count))
    this.#at += count
    this.#offset += count
    return count
  }

  *#counted(packed: Iterable<Uint8Array>): Generator<Uint8Array> {
    for (const piece of packed) {
      this.#inputs++
      yield piece
    }
  }

  #next(): boolean {
    for (let [empty, inputs] = [0, this.#inputs]; empty < MAX_EMPTY; empty++) {
      const { done, value } = this.#take()
      if (done) return false
      if (value.length > 0) {
        this.#piece = value
        this.#at = 0
        return true
      }
      if (this.#inputs > inputs) [empty, inputs] = [0, this.#inputs]
    }
    throw this.#failure(this.#offset, 'it is damaged, or needs a window above 128 MiB')
  }

  #take(): IteratorResult<Uint8Array> {
    try {
      return this.#pieces.next()
    } catch (cause) {
      // The decoder's own errors have no class: an incomplete stream, or a trap of WebAssembly.
      if (!(cause instanceof Error) || 'code' in cause) throw cause
      throw this.#failure(this.#offset, cause.message)
    }
  }
}
