// A file of a state-history log with its index. The node may be writing to the file: only indexed entries are read, and
// each entry is checked before use.
import type { RowFilter } from '../../../core/antelope/logs/delta-splitter.ts'
import {
  ENTRY_HEADER,
  ENTRY_SUFFIX,
  type EntryHeader,
  hasShipMagic,
  readEntryHeader,
} from '../../../core/antelope/logs/entry.ts'
import { readPayload } from '../../../core/antelope/logs/payload.ts'
import { readU32, readU64 } from '../../../core/antelope/raw.ts'
import { DecodeError } from '../../../core/errors.ts'
import type { BlockRange } from '../ranges.ts'
import { ByteFile } from './byte-file.ts'
import { atPlace, changed, cleared, damaged, type LogPlace } from './faults.ts'
import { readLargeDeltas } from './large-deltas.ts'
import type { LogEntry, LogFile } from './log-file.ts'
import { ComputedPositions, IndexFile, type Positions } from './positions.ts'
import { scanBackward, scanForward } from './rebuild.ts'
import type { WindowPool } from './window-pool.ts'

/** Bytes at the end of a pruned log: the number of its blocks, u32. */
const PRUNED_TRAILER = 4
/** First bytes of a payload. They include the zlib header, so they are all zero only in a hole. */
const HOLE_SAMPLE = 14
/** Payloads of deltas above this size are read in a stream, bytes. Inflated, that is usually nine times as much. */
const LARGE_PAYLOAD = 4 << 20
/** A packed empty list. */
const NO_DELTAS = Uint8Array.of(0)
/** If more entries at the end are invalid, the index is treated as another file's. */
const MAX_UNSOUND = 1000

export class HistoryFile implements LogFile {
  readonly path: string
  readonly size: number
  readonly warnings: string[] = []
  range: BlockRange | null = null
  first = 0
  isPruned = false
  isIndexComputed = false
  torn: LogPlace | null = null
  readonly #log: ByteFile
  readonly #maxBytes: number
  #positions: Positions = new ComputedPositions([])

  private constructor(log: ByteFile, size: number, maxBytes: number) {
    this.path = log.path
    this.size = size
    this.#log = log
    this.#maxBytes = maxBytes
  }

  /**
   * Opens a log and finds the blocks that can be read.
   *
   * @param maxBytes  size limit of an entry's content, bytes
   * @param pool      gives the memory of contents that are views of the file, and takes them back
   * @returns null when there is no such file
   * @throws UserError LOG_VERSION, LOG_DAMAGED, LOG_INDEX
   */
  static async open(path: string, maxBytes: number, pool?: WindowPool): Promise<HistoryFile | null> {
    const log = await ByteFile.open(path, { pool })
    if (!log) return null
    const file = new HistoryFile(log, await log.size(), maxBytes)
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
    return this.#read(num, null)
  }

  /** See LogFile. */
  async readDeltas(num: number, filter: RowFilter): Promise<LogEntry> {
    return this.#read(num, filter)
  }

  async #read(num: number, filter: RowFilter | null): Promise<LogEntry> {
    const offset = await this.#position(num - this.first, num)
    const place: LogPlace = { file: this.path, offset, block: num }
    const header = await this.#header(place, num)
    const { id, payloadSize } = header
    const bytes = ENTRY_HEADER + payloadSize + ENTRY_SUFFIX
    if (filter && payloadSize > LARGE_PAYLOAD) {
      return this.#readLarge(place, header, filter, { num, id, file: this.path, offset, bytes })
    }
    const payload = await this.#log.read(offset + ENTRY_HEADER, payloadSize)
    if (payload.length < payloadSize) throw await this.#short(place)
    const { content, encoding, lengthField } = atPlace(place, () => readPayload(payload, this.#maxBytes))
    if (content.buffer === payload.buffer) this.#log.lend(content)
    // Written out: an object built from spreads costs several microseconds a block.
    return { num, id, content, parts: undefined, file: this.path, offset, bytes, encoding, lengthField }
  }

  async #readLarge(
    place: LogPlace,
    { payloadSize }: EntryHeader,
    filter: RowFilter,
    entry: Omit<LogEntry, 'content' | 'encoding' | 'lengthField'>,
  ): Promise<LogEntry> {
    try {
      const offset = place.offset + ENTRY_HEADER
      const { parts, bytes, lengthField } = await readLargeDeltas(this.#log, offset, payloadSize, filter)
      // A stored stream is longer than its content.
      const encoding = bytes < payloadSize ? 'stored' : 'zlib'
      return { ...entry, content: NO_DELTAS, parts, encoding, lengthField }
    } catch (error) {
      if ((await this.#log.size()) < place.offset + ENTRY_HEADER + payloadSize) throw await this.#short(place)
      throw atPlaceOf(error, place)
    }
  }

  /** See LogFile. The suffix of the last entry may not be written yet. */
  async suffixFault({ num, offset, bytes }: LogEntry): Promise<string | null> {
    const suffix = await this.#log.read(offset + bytes - ENTRY_SUFFIX, ENTRY_SUFFIX)
    const isLast = num === this.range?.to
    if (suffix.length < ENTRY_SUFFIX) return isLast ? null : 'the file ends within the suffix'
    return Number(readU64(suffix, 0)) === offset ? null : `the suffix is ${readU64(suffix, 0)}`
  }

  async close(): Promise<void> {
    await this.#positions.close()
    await this.#log.close()
  }

  async #open(index: IndexFile | null): Promise<void> {
    if (index) this.#positions = index
    if (this.size < ENTRY_HEADER) {
      if (this.size > 0) this.torn = { file: this.path, offset: 0 }
      return
    }
    // A copy: it is read again after other entries.
    const start = (await this.#log.read(0, ENTRY_HEADER)).slice()
    const isShip = hasShipMagic(start)
    const header = atPlace({ file: this.path, offset: 0 }, () => readEntryHeader(start, 0, { anyMagic: true }))
    this.first = header.num
    this.isPruned = header.isPruned
    if (!isShip) await this.#acceptOddStart(start)
    if (!index || index.count === 0) await this.#rebuild()
    await this.#findRange()
  }

  /** Checks the version. An unknown one is accepted in the first entry if the second entry is valid. */
  async #acceptOddStart(start: Uint8Array): Promise<void> {
    const place = { file: this.path, offset: 0, block: this.first }
    const next = this.#positions.count > 1 ? await this.#soundAt(1) : false
    if (!next) throw damaged(place, strictly(start))
    this.warnings.push(`the first entry, block ${this.first}, begins with an unknown magic`)
  }

  async #rebuild(): Promise<void> {
    await this.#positions.close()
    const trailer = this.isPruned ? PRUNED_TRAILER : 0
    let found = this.isPruned
      ? await scanBackward(this.#log, this.size - trailer, this.first)
      : await scanForward(this.#log, this.size)
    // There is no trailer while the node writes an entry.
    if (this.isPruned && found.positions.length === 0) found = await scanBackward(this.#log, this.size, this.first)
    this.#positions = new ComputedPositions(found.positions)
    this.first = found.first
    this.isIndexComputed = true
    if (found.torn !== null) {
      this.torn = { file: this.path, offset: found.torn, block: this.first + found.positions.length }
    }
    this.#log.forget()
  }

  /** Finds the first and the last valid entry. */
  async #findRange(): Promise<void> {
    const { count } = this.#positions
    const last = await this.#lastSound(count)
    if (last < 0) {
      if (this.isIndexComputed) {
        this.torn ??= { file: this.path, offset: 0, block: this.first }
        return
      }
      return this.#ignoreIndex()
    }
    if (last < count - 1) {
      // Only the last entry of a log can be torn.
      if (!this.isIndexComputed && (await this.#soundAt(count - 1))) return this.#ignoreIndex()
      const block = this.first + last + 1
      this.torn = { file: this.path, offset: await this.#positions.at(last + 1), block }
    }
    const first = this.isPruned ? await this.#firstKept(last) : 0
    this.range = { from: this.first + first, to: this.first + last }
  }

  async #ignoreIndex(): Promise<void> {
    this.warnings.push('the entries are not where the index says, it is computed again')
    await this.#rebuild()
    return this.#findRange()
  }

  /** Slot of the last complete entry; -1 if there is none. */
  async #lastSound(count: number): Promise<number> {
    // Skips all entries that start after the end of the file.
    let low = 0
    let high = count
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((await this.#positions.at(middle)) + ENTRY_HEADER <= this.size) low = middle + 1
      else high = middle
    }
    for (let slot = low - 1; slot >= Math.max(0, low - MAX_UNSOUND); slot--) {
      if (await this.#soundAt(slot)) return slot
    }
    return -1
  }

  /** Slot of the first entry after the hole of a pruned log. */
  async #firstKept(last: number): Promise<number> {
    const said = await this.#saidFirst(last)
    if (said !== null && (await this.#soundAt(said))) return said
    // Binary search for the end of the hole: the trailer is missing, or the node is just now pruning.
    let low = 0
    let high = last
    while (low < high) {
      const middle = (low + high) >>> 1
      if (await this.#soundAt(middle)) high = middle
      else low = middle + 1
    }
    return low
  }

  /** The first slot according to the trailer; null without a trailer. */
  async #saidFirst(last: number): Promise<number | null> {
    const position = await this.#positions.at(last)
    const { payloadSize } = await this.#header({ file: this.path, offset: position }, this.first + last)
    if (position + ENTRY_HEADER + payloadSize + ENTRY_SUFFIX + PRUNED_TRAILER !== this.size) return null
    const trailer = await this.#log.read(this.size - PRUNED_TRAILER, PRUNED_TRAILER)
    const slot = trailer.length < PRUNED_TRAILER ? -1 : last + 1 - readU32(trailer, 0)
    return slot >= 0 && slot <= last ? slot : null
  }

  /** Whether a slot's entry has the right number and a payload that ends within the file. */
  async #soundAt(slot: number): Promise<boolean> {
    const offset = await this.#positions.at(slot)
    if (offset + ENTRY_HEADER > this.size || (offset === 0 && slot > 0)) return false
    const bytes = await this.#log.read(offset, ENTRY_HEADER)
    if (bytes.length < ENTRY_HEADER) return false
    try {
      const { num, payloadSize } = readEntryHeader(bytes, 0, { anyMagic: slot === 0 })
      if (num !== this.first + slot || offset + ENTRY_HEADER + payloadSize > this.size) return false
    } catch (error) {
      if (error instanceof DecodeError && error.code === 'LOG_ENTRY') return false
      throw atPlaceOf(error, { file: this.path, offset, block: this.first + slot })
    }
    // In a pruned log, the first entry's header lies before the hole.
    if (!this.isPruned || slot > 0) return true
    return (await this.#log.read(offset + ENTRY_HEADER, HOLE_SAMPLE)).some((byte) => byte !== 0)
  }

  async #position(slot: number, block: number): Promise<number> {
    try {
      return await this.#positions.at(slot)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw await this.#short({ file: this.path, offset: 0, block })
    }
  }

  async #header(place: LogPlace, num: number): Promise<EntryHeader> {
    const { offset } = place
    const bytes = await this.#log.read(offset, ENTRY_HEADER)
    if (bytes.length < ENTRY_HEADER) throw await this.#short(place)
    let header: EntryHeader
    try {
      header = readEntryHeader(bytes, 0, { anyMagic: offset === 0 })
    } catch (error) {
      if (error instanceof DecodeError && error.code === 'LOG_ENTRY') throw changed(place, error.message)
      throw atPlaceOf(error, place)
    }
    if (header.num !== num) throw changed(place, `the entry is of block ${header.num}`)
    if (offset + ENTRY_HEADER + header.payloadSize > this.size) throw changed(place, 'its payload ends after the file')
    return header
  }

  /** The error for a file that has become shorter. */
  async #short(place: LogPlace): Promise<Error> {
    return (await this.#log.size()) === 0 ? cleared(place) : changed(place, 'the file ends before the entry does')
  }
}

function strictly(start: Uint8Array): DecodeError {
  try {
    readEntryHeader(start)
  } catch (error) {
    if (error instanceof DecodeError) return error
  }
  return new DecodeError('LOG_ENTRY', 'the second entry is not sound')
}

function atPlaceOf(error: unknown, place: LogPlace): unknown {
  return error instanceof DecodeError ? damaged(place, error) : error
}
