// Columns of texts and bytes: dictionary-encoded while values repeat, else plain.
import { ColumnWriter, type Encoded, PAGE_ROWS, type Statistics } from './column.ts'
import { encodeIndices } from './hybrid.ts'
import { PLAIN, RLE_DICTIONARY } from './page.ts'

/** Size limits of a dictionary, checked after each page. */
const MAX_ENTRIES = 16_384
const MAX_BYTES = 1_048_576
/** Share of different values in the first page above which the column is written plain. */
const MAX_DISTINCT = 15 / 16
/** Slots of the hash table: a power of two, well above MAX_ENTRIES. */
const SLOTS = 65_536

/** Values in plain encoding, each after its length. */
class PlainValues {
  bytes = Buffer.allocUnsafe(65_536)
  used = 0

  add(source: Uint8Array, at: number, length: number): void {
    if (this.used + length + 4 > this.bytes.length) {
      const larger = Buffer.allocUnsafe(2 * (this.used + length + 4))
      this.bytes.copy(larger, 0, 0, this.used)
      this.bytes = larger
    }
    this.bytes.writeUInt32LE(length, this.used)
    this.used += 4
    // For short values a loop is faster than `set`.
    if (length < 48) for (let i = 0; i < length; i++) this.bytes[this.used + i] = source[at + i] as number
    else this.bytes.set(source.subarray(at, at + length), this.used)
    this.used += length
  }

  take(): Buffer {
    const found = Buffer.from(this.bytes.subarray(0, this.used))
    this.used = 0
    return found
  }
}

export class BytesColumn extends ColumnWriter {
  private readonly plain = new PlainValues()
  private readonly dictionary = new PlainValues()
  private readonly indices = new Int32Array(PAGE_ROWS)
  /** Number of the entry in a slot, plus one; 0 in an empty slot. */
  private readonly slots = new Int32Array(SLOTS)
  /** Offset of each entry in the dictionary. */
  private readonly starts = new Int32Array(MAX_ENTRIES + PAGE_ROWS)
  private entries = 0
  private pageValues = 0
  private values = 0
  private usesDictionary = true
  /** Whether few values of the first page repeated: no row group tries a dictionary again. */
  private isDistinct = false
  /** Whether a page of this row group uses the dictionary. */
  private isInUse = false
  private min: Buffer | null = null
  private max: Buffer | null = null

  protected take(bytes: Buffer, at: number, length: number): void {
    if (this.usesDictionary) {
      this.indices[this.pageValues++] = this.entryOf(bytes, at, length)
      return
    }
    this.plain.add(bytes, at, length)
    this.bound(bytes, at, length)
  }

  protected takeValues(count: number): Encoded {
    if (!this.usesDictionary) return { bytes: this.plain.take(), encoding: PLAIN }
    if (this.values === 0 && this.entries > count * MAX_DISTINCT) {
      this.usesDictionary = false
      this.isDistinct = true
      return { bytes: this.pageAsPlain(), encoding: PLAIN }
    }
    this.isInUse = true
    this.values += count
    const bytes = encodeIndices(this.indices, this.pageValues, this.entries)
    this.pageValues = 0
    const isFull = this.entries > MAX_ENTRIES || this.dictionary.used > MAX_BYTES
    if (isFull || this.entries > this.values / 2) this.usesDictionary = false
    return { bytes, encoding: RLE_DICTIONARY }
  }

  protected takeBounds(): Pick<Statistics, 'min' | 'max'> {
    const { min, max } = this
    this.min = null
    this.max = null
    return { min, max }
  }

  protected override takeDictionary(): { content: Buffer; values: number } | null {
    const { entries, isInUse } = this
    // After a full dictionary, the next row group tries one again, unless few values repeated.
    this.usesDictionary = this.usesDictionary || (!this.isDistinct && entries <= this.values / 2)
    this.entries = 0
    this.values = 0
    this.isInUse = false
    this.slots.fill(0)
    const content = this.dictionary.take()
    return isInUse ? { content, values: entries } : null
  }

  /** Takes the values of the page out of the dictionary, which has no others. */
  private pageAsPlain(): Buffer {
    const { dictionary, pageValues } = this
    // Without a repeated value the entries are the values, in their order.
    if (this.entries < pageValues)
      for (let i = 0; i < pageValues; i++) {
        const start = this.starts[this.indices[i] as number] as number
        this.plain.add(dictionary.bytes, start + 4, dictionary.bytes.readUInt32LE(start))
      }
    this.pageValues = 0
    return (this.plain.used > 0 ? this.plain : dictionary).take()
  }

  /** The entry of a value; adds it when missing. */
  private entryOf(bytes: Buffer, at: number, length: number): number {
    let hash = length
    for (let i = at; i < at + length; i++) hash = (Math.imul(hash, 16_777_619) ^ (bytes[i] as number)) >>> 0
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
    for (; this.slots[slot] !== 0; slot = (slot + 1) & (SLOTS - 1)) {
      const entry = (this.slots[slot] as number) - 1
      if (this.isEntry(entry, bytes, at, length)) return entry
    }
    const entry = this.entries++
    this.slots[slot] = entry + 1
    this.starts[entry] = this.dictionary.used
    this.dictionary.add(bytes, at, length)
    this.bound(bytes, at, length)
    return entry
  }

  private isEntry(entry: number, bytes: Buffer, at: number, length: number): boolean {
    const start = this.starts[entry] as number
    const known = this.dictionary.bytes
    if (known.readUInt32LE(start) !== length) return false
    for (let i = 0; i < length; i++) if (known[start + 4 + i] !== bytes[at + i]) return false
    return true
  }

  private bound(bytes: Buffer, at: number, length: number): void {
    if (this.min === null || compare(bytes, at, length, this.min) < 0)
      this.min = Buffer.from(bytes.subarray(at, at + length))
    if (this.max === null || compare(bytes, at, length, this.max) > 0)
      this.max = Buffer.from(bytes.subarray(at, at + length))
  }
}

function compare(bytes: Uint8Array, at: number, length: number, other: Uint8Array): number {
  const end = Math.min(length, other.length)
  for (let i = 0; i < end; i++) {
    const difference = (bytes[at + i] as number) - (other[i] as number)
    if (difference !== 0) return difference
  }
  return length - other.length
}
