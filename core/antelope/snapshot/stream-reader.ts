// A reader of packed types over a stream of any length. Its window moves on when a read needs more bytes: views of
// `data` are valid until the next read. Within a section, nothing is read beyond the section's end.
import { DecodeError } from '../../errors.ts'
import { Reader } from '../reader.ts'
import { damaged } from './layout.ts'

/** Where the bytes come from. */
export interface ByteSource {
  /** Copies the next bytes into `target`. @returns their number; 0 at the end */
  read(target: Uint8Array): number
  /** Moves on to an offset, bytes from the start; absent when the source can only be read through. */
  seek?(offset: number): void
}

const WINDOW_BYTES = 1 << 18
/** Limit of one value. A contract's row is limited by the size of a transaction. */
const MAX_VALUE_BYTES = 256 << 20

export class StreamReader extends Reader {
  readonly #source: ByteSource
  /** Offset in the stream of `data[0]`. */
  #base = 0
  /** Number of bytes in `data`; `end` is lower where a section ends. */
  #filled = 0
  /** Offset in the stream of the section's end. */
  #limit = Number.POSITIVE_INFINITY

  constructor(source: ByteSource) {
    super(new Uint8Array(WINDOW_BYTES), 0, 0)
    this.#source = source
  }

  /** Offset in the stream of the next byte. */
  get offset(): number {
    return this.#base + this.pos
  }

  /** Reads nothing at or after an offset of the stream. */
  limit(offset: number): void {
    this.#limit = offset
    this.#bound()
  }

  /** @throws DecodeError SNAPSHOT_TORN at the end of the stream, SNAPSHOT_DAMAGED at the end of the section */
  override need(size: number): void {
    if (size > this.end - this.pos) this.#refill(size)
  }

  override skip(size: number): void {
    if (size <= this.end - this.pos) {
      this.pos += size
      return
    }
    const to = this.offset + size
    this.#checkLimit(size)
    if (this.#source.seek && to > this.#base + this.#filled) {
      this.#source.seek(to)
      this.#base = to
      this.#filled = 0
      this.pos = 0
      this.#bound()
      return
    }
    while (this.offset < to) {
      this.need(1)
      this.pos += Math.min(this.end - this.pos, to - this.offset)
    }
  }

  /** The next bytes without moving on; fewer than `size` at the end of the stream. A view as of `bytes`. */
  peek(size: number): Uint8Array {
    while (this.#filled - this.pos < size && this.#read() > 0);
    this.#bound()
    return this.data.subarray(this.pos, Math.min(this.#filled, this.pos + size))
  }

  /** Whether the stream has no further byte. */
  isAtEnd(): boolean {
    return this.pos === this.#filled && this.#read() === 0
  }

  #refill(size: number): void {
    this.#checkLimit(size)
    if (size > MAX_VALUE_BYTES) throw damaged(`a value has ${size} bytes`, this.offset)
    const left = this.#filled - this.pos
    this.#base += this.pos
    if (size > this.data.length) {
      const larger = new Uint8Array(Math.max(size, this.data.length * 2))
      larger.set(this.data.subarray(this.pos, this.#filled))
      this.data = larger
    } else this.data.copyWithin(0, this.pos, this.#filled)
    this.pos = 0
    this.#filled = left
    while (this.#filled < size) {
      if (this.#read() > 0) continue
      const offset = this.#base + this.#filled
      throw new DecodeError('SNAPSHOT_TORN', `the snapshot ends before byte ${offset}`, {
        hint: 'copy or download it again: it is not complete',
        place: { offset },
      })
    }
    this.#bound()
  }

  /** Adds bytes to the window. */
  #read(): number {
    if (this.#filled === this.data.length) {
      this.data.copyWithin(0, this.pos, this.#filled)
      this.#base += this.pos
      this.#filled -= this.pos
      this.pos = 0
    }
    const count = this.#source.read(this.data.subarray(this.#filled))
    this.#filled += count
    return count
  }

  #checkLimit(size: number): void {
    if (this.offset + size > this.#limit)
      throw damaged(`a row passes the end of its section (byte ${this.#limit})`, this.offset)
  }

  #bound(): void {
    this.end = Math.min(this.#filled, this.#limit - this.#base)
  }
}
