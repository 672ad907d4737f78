// A file of the block log with its index.
import { blockId, packedBlockLength, readBlockHeader } from '../../../core/antelope/block.ts'
import {
  BLOCK_SUFFIX,
  chainIdOf,
  PRUNED_TRAILER,
  packedBlockNum,
  readBlockLogStart,
} from '../../../core/antelope/logs/block-log.ts'
import { readU32, readU64 } from '../../../core/antelope/raw.ts'
import { DecodeError } from '../../../core/errors.ts'
import type { BlockRange } from '../ranges.ts'
import { ByteFile } from './byte-file.ts'
import { atPlace, changed, cleared, type LogPlace, wrongIndex } from './faults.ts'
import type { LogEntry, LogFile } from './log-file.ts'
import { ComputedPositions, IndexFile, type Positions } from './positions.ts'

/** Bytes that hold the number of a packed block. */
const NUM_BYTES = 18
/** Size limit of the last block, bytes. */
const MAX_BLOCK = 1 << 28
/** Largest genesis state accepted, bytes. */
const MAX_PREAMBLE = 1 << 20

export class BlockLogFile implements LogFile {
  readonly path: string
  readonly size: number
  readonly warnings: string[] = []
  range: BlockRange | null = null
  first = 0
  isPruned = false
  isIndexComputed = false
  torn: LogPlace | null = null
  /** 1 to 3; 0 in an empty file. */
  version = 0
  /** 64 hex digits; null when the file has no block. */
  chainId: string | null = null
  readonly #log: ByteFile
  #positions: Positions = new ComputedPositions([])
  /** Offset after the suffix of the last readable block. */
  #end = 0

  private constructor(log: ByteFile, size: number) {
    this.path = log.path
    this.size = size
    this.#log = log
  }

  /** Opens a file and its index, as `HistoryFile.open` does. */
  static async open(path: string): Promise<BlockLogFile | null> {
    const log = await ByteFile.open(path)
    if (!log) return null
    const file = new BlockLogFile(log, await log.size())
    try {
      await file.#open(await IndexFile.open(path.replace(/\.log$/, '.index')))
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** See LogFile. */
  async read(num: number): Promise<LogEntry> {
    const slot = num - this.first
    const offset = await this.#positions.at(slot)
    const place: LogPlace = { file: this.path, offset, block: num }
    const end =
      slot + 1 < this.#positions.count && num !== this.range?.to ? await this.#positions.at(slot + 1) : this.#end
    const size = end - offset - BLOCK_SUFFIX
    if (size <= 0) throw wrongIndex(place, `the next block begins at offset ${end}`)
    const content = await this.#log.read(offset, size)
    if (content.length < size) {
      throw (await this.#log.size()) === 0 ? cleared(place) : changed(place, 'the file ends before the block does')
    }
    const found = atPlace(place, () => packedBlockNum(content))
    if (found !== num) throw changed(place, `the entry is of block ${found}`)
    const id = atPlace(place, () => blockId(content.subarray(0, readBlockHeader(content).length), num))
    const bytes = size + BLOCK_SUFFIX
    return { num, id, content, file: this.path, offset, bytes, encoding: null, lengthField: null }
  }

  /** See LogFile. */
  async suffixFault({ offset, bytes }: LogEntry): Promise<string | null> {
    const suffix = await this.#log.read(offset + bytes - BLOCK_SUFFIX, BLOCK_SUFFIX)
    if (suffix.length < BLOCK_SUFFIX) return 'the file ends within the suffix'
    return Number(readU64(suffix, 0)) === offset ? null : `the suffix is ${readU64(suffix, 0)}`
  }

  async close(): Promise<void> {
    await this.#positions.close()
    await this.#log.close()
  }

  async #open(index: IndexFile | null): Promise<void> {
    if (index) this.#positions = index
    if (this.size === 0) return
    const head = await this.#log.read(0, 8)
    const start = atPlace({ file: this.path, offset: 0 }, () => readBlockLogStart(head))
    this.version = start.version
    this.first = start.first
    this.isPruned = start.isPruned
    this.#end = this.size - (this.isPruned ? PRUNED_TRAILER : 0)
    if (!index || index.count === 0) await this.#rebuild()
    const { count } = this.#positions
    if (count === 0) return
    const begin = await this.#positions.at(0)
    if (begin < 8 || begin > MAX_PREAMBLE) throw wrongIndex({ file: this.path, offset: begin }, 'no preamble ends here')
    const preamble = await this.#log.read(0, begin)
    this.chainId = atPlace({ file: this.path, offset: 0 }, () => chainIdOf(preamble, start))
    await this.#findRange(count)
  }

  /** Computes positions from the suffixes, starting at the end. Blocks are irreversible, so each occurs once. */
  async #rebuild(): Promise<void> {
    await this.#positions.close()
    const positions: number[] = []
    for (let end = this.#end; end > 8; ) {
      const suffix = await this.#log.read(end - BLOCK_SUFFIX, BLOCK_SUFFIX)
      const position = suffix.length < BLOCK_SUFFIX ? 0 : Number(readU64(suffix, 0))
      if (position < 8 || position >= end - BLOCK_SUFFIX) break
      const num = packedBlockNum(await this.#log.read(position, NUM_BYTES))
      positions.push(position)
      if (num === this.first) break
      end = position
    }
    positions.reverse()
    const [begin] = positions
    const num = begin === undefined ? this.first : packedBlockNum(await this.#log.read(begin, NUM_BYTES))
    if (begin !== undefined && num !== this.first && !this.isPruned) {
      throw wrongIndex(
        { file: this.path, offset: begin, block: num },
        'the suffix before this block is damaged, and there is no index',
      )
    }
    this.#positions = new ComputedPositions([...Array.from({ length: num - this.first }, () => 0), ...positions])
    this.isIndexComputed = true
    this.#log.forget()
  }

  async #findRange(count: number): Promise<void> {
    let last = count - 1
    let end: number | null = null
    for (; last >= 0; last--) {
      end = await this.#endOf(last)
      if (end !== null) break
    }
    if (last < count - 1) {
      const offset = await this.#positions.at(last + 1)
      this.torn = { file: this.path, offset, block: this.first + last + 1 }
    }
    if (end === null) return
    this.#end = end
    const first = this.isPruned ? await this.#firstKept(last) : 0
    const from = this.first + first
    if (!(await this.#isAt(first))) {
      const offset = await this.#positions.at(first)
      throw wrongIndex({ file: this.path, offset, block: from }, 'the block is not where the index says')
    }
    this.range = { from, to: this.first + last }
  }

  /**
   * Offset after a block's suffix; null when the file ends within the block. Uses the block's own length, because the
   * node may already be writing the next block.
   */
  async #endOf(slot: number): Promise<number | null> {
    const position = await this.#positions.at(slot)
    if (position >= this.size) return null
    const bytes = await this.#log.read(position, Math.min(this.size - position, MAX_BLOCK))
    try {
      const length = packedBlockLength(bytes)
      const suffix = bytes.subarray(length, length + BLOCK_SUFFIX)
      const isRight = suffix.length < BLOCK_SUFFIX || Number(readU64(suffix, 0)) === position
      return isRight && packedBlockNum(bytes) === this.first + slot ? position + length + BLOCK_SUFFIX : null
    } catch (error) {
      if (error instanceof DecodeError) return null
      throw error
    }
  }

  /** Slot of the first block that a pruned file still has: from its trailer, otherwise by binary search. */
  async #firstKept(last: number): Promise<number> {
    const trailer = await this.#log.read(this.size - PRUNED_TRAILER, PRUNED_TRAILER)
    const isThere = trailer.length === PRUNED_TRAILER && this.#end + PRUNED_TRAILER === this.size
    const slot = isThere ? last + 1 - readU32(trailer, 0) : -1
    if (slot >= 0 && slot <= last && (await this.#isAt(slot))) return slot
    let low = 0
    let high = last
    while (low < high) {
      const middle = (low + high) >>> 1
      if (await this.#isAt(middle)) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Whether the index position of a slot holds the block of that slot. */
  async #isAt(slot: number): Promise<boolean> {
    const position = await this.#positions.at(slot)
    if (position === 0) return false
    try {
      return packedBlockNum(await this.#log.read(position, NUM_BYTES)) === this.first + slot
    } catch (error) {
      if (error instanceof DecodeError) return false
      throw error
    }
  }
}
