// Positions of a log's entries: from its index file, or computed without one.
import { readU64 } from '../../../core/antelope/raw.ts'
import { ByteFile } from './byte-file.ts'

const SLOT = 8
const WINDOW = 1 << 16

/** Positions by slot, from the first block of the file on. */
export interface Positions {
  /** Number of slots. */
  readonly count: number
  /** @throws RangeError beyond the last slot */
  at(slot: number): Promise<number>
  close(): Promise<void>
}

/** Positions in an index file. The node adds and removes slots; `count` is the number at opening. */
export class IndexFile implements Positions {
  readonly path: string
  readonly count: number
  readonly #file: ByteFile

  private constructor(file: ByteFile, count: number) {
    this.path = file.path
    this.#file = file
    this.count = count
  }

  /** @returns null when there is no such file */
  static async open(path: string): Promise<IndexFile | null> {
    const file = await ByteFile.open(path, { largest: WINDOW })
    return file && new IndexFile(file, Math.floor((await file.size()) / SLOT))
  }

  /** A position above 2^53 lies beyond the end of any file. */
  async at(slot: number): Promise<number> {
    const bytes = await this.#file.read(slot * SLOT, SLOT)
    if (bytes.length < SLOT) throw new RangeError(`the index ${this.path} has no slot ${slot}`)
    return Number(readU64(bytes, 0))
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

/** Positions in memory: 8 bytes a block. */
export class ComputedPositions implements Positions {
  readonly #positions: readonly number[]

  constructor(positions: readonly number[]) {
    this.#positions = positions
  }

  get count(): number {
    return this.#positions.length
  }

  async at(slot: number): Promise<number> {
    const position = this.#positions[slot]
    if (position === undefined) throw new RangeError(`no slot ${slot}`)
    return position
  }

  async close(): Promise<void> {}
}
