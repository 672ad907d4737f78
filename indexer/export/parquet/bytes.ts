// Columns of texts and bytes: with a dictionary while values repeat, else the lengths of a page and then its values, which
// compress better than each value after its length.
import { ColumnWriter, type Encoded, type Statistics } from './column.ts'
import { encodeDeltas } from './delta.ts'
import { enlarged, FIRST_ROWS } from './enlarged.ts'
import { encodeIndices } from './hybrid.ts'
import { DELTA_LENGTH_BYTE_ARRAY, PLAIN, RLE_DICTIONARY } from './page.ts'
import type { Fields } from './tuples.ts'

/** Size limits of a dictionary, checked after each page. */
const MAX_ENTRIES = 16_384
const MAX_BYTES = 1_048_576
/** Share of different values in the first page above which the column gets no dictionary. */
const MAX_DISTINCT = 15 / 16
/** Slots of the hash table for each entry, at least: values that share a slot are looked for one by one. */
const SLOTS_PER_ENTRY = 4
/** First number of slots: always a power of two. */
const FIRST_SLOTS = 1024
/** First size of values, bytes. */
const FIRST_BYTES = 1024

/** Values one after the other, with their lengths. */
class Values {
  bytes = Buffer.allocUnsafe(FIRST_BYTES)
  used = 0
  count = 0
  lengths = new Float64Array(FIRST_ROWS)

  add(source: Uint8Array, at: number, length: number): void {
    if (this.used + length > this.bytes.length) {
      const larger = Buffer.allocUnsafe(2 * (this.used + length))
      this.bytes.copy(larger, 0, 0, this.used)
      this.bytes = larger
    }
    // For short values a loop is faster than `set`.
    if (length < 48) for (let i = 0; i < length; i++) this.bytes[this.used + i] = source[at + i] as number
    else this.bytes.set(source.subarray(at, at + length), this.used)
    this.used += length
    if (this.count === this.lengths.length) this.lengths = enlarged(this.lengths, this.count + 1)
    this.lengths[this.count++] = length
  }

  /** Each value after its length. */
  takePlain(): Buffer {
    const found = Buffer.allocUnsafe(this.used + 4 * this.count)
    let [from, to] = [0, 0]
    for (let i = 0; i < this.count; i++) {
      const length = this.lengths[i] as number
      to = found.writeUInt32LE(length, to)
      to += this.bytes.copy(found, to, from, from + length)
      from += length
    }
    this.clear()
    return found
  }

  /** All lengths, then all values. */
  takeApart(): Encoded {
    if (this.count === 0) return { bytes: Buffer.alloc(0), encoding: PLAIN }
    const lengths = encodeDeltas(this.lengths, this.count)
    const bytes = Buffer.concat([lengths, this.bytes.subarray(0, this.used)])
    this.clear()
    return { bytes, encoding: DELTA_LENGTH_BYTE_ARRAY }
  }

  private clear(): void {
    this.used = 0
    this.count = 0
  }
}

export class BytesColumn extends ColumnWriter {
  /** Values of the page, without a dictionary. */
  private readonly plain = new Values()
  private readonly dictionary = new Values()
  private indices = new Int32Array(FIRST_ROWS)
  /** Number of the entry in a slot, plus one; 0 in an empty slot. */
  private slots = new Int32Array(FIRST_SLOTS)
  /** Offset of each entry in the dictionary. */
  private starts = new Int32Array(FIRST_ROWS)
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

  protected reserve(values: number): void {
    if (!this.usesDictionary) return
    this.indices = enlarged(this.indices, this.pageValues + values)
    this.starts = enlarged(this.starts, this.entries + values)
  }

  protected takeAll({ bytes, starts, lengths }: Fields, first: number, end: number): void {
    for (let i = first; i < end; i++)
      if ((lengths[i] as number) >= 0) this.take(bytes, starts[i] as number, lengths[i] as number)
  }

  private take(bytes: Buffer, at: number, length: number): void {
    if (this.usesDictionary) {
      this.indices[this.pageValues++] = this.entryOf(bytes, at, length)
      return
    }
    this.plain.add(bytes, at, length)
    this.bound(bytes, at, length)
  }

  protected takeValues(count: number): Encoded {
    if (!this.usesDictionary) return this.plain.takeApart()
    if (this.values === 0 && this.entries > count * MAX_DISTINCT) {
      this.usesDictionary = false
      this.isDistinct = true
      return this.pageAlone()
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
    const content = this.dictionary.takePlain()
    return isInUse ? { content, values: entries } : null
  }

  /** Takes the values of the page out of the dictionary, which has no others. */
  private pageAlone(): Encoded {
    const { dictionary, pageValues } = this
    // Without a repeated value the entries are the values, in their order.
    if (this.entries < pageValues)
      for (let i = 0; i < pageValues; i++) {
        const entry = this.indices[i] as number
        this.plain.add(dictionary.bytes, this.starts[entry] as number, dictionary.lengths[entry] as number)
      }
    this.pageValues = 0
    return (this.plain.count > 0 ? this.plain : dictionary).takeApart()
  }

  /** The entry of a value; adds it when missing. */
  private entryOf(bytes: Buffer, at: number, length: number): number {
    const mask = this.slots.length - 1
    let slot = hashOf(bytes, at, length) & mask
    for (; this.slots[slot] !== 0; slot = (slot + 1) & mask) {
      const entry = (this.slots[slot] as number) - 1
      if (this.isEntry(entry, bytes, at, length)) return entry
    }
    const entry = this.entries++
    this.slots[slot] = entry + 1
    this.starts[entry] = this.dictionary.used
    this.dictionary.add(bytes, at, length)
    this.bound(bytes, at, length)
    if (SLOTS_PER_ENTRY * this.entries > this.slots.length) this.spread()
    return entry
  }

  /** Makes four times as many slots. */
  private spread(): void {
    const { bytes, lengths } = this.dictionary
    const mask = 4 * this.slots.length - 1
    this.slots = new Int32Array(mask + 1)
    for (let entry = 0; entry < this.entries; entry++) {
      let slot = hashOf(bytes, this.starts[entry] as number, lengths[entry] as number) & mask
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask
      this.slots[slot] = entry + 1
    }
  }

  private isEntry(entry: number, bytes: Buffer, at: number, length: number): boolean {
    const start = this.starts[entry] as number
    if (this.dictionary.lengths[entry] !== length) return false
    const known = this.dictionary.bytes
    for (let i = 0; i < length; i++) if (known[start + i] !== bytes[at + i]) return false
    return true
  }

  private bound(bytes: Buffer, at: number, length: number): void {
    if (this.min === null || compare(bytes, at, length, this.min) < 0)
      this.min = Buffer.from(bytes.subarray(at, at + length))
    if (this.max === null || compare(bytes, at, length, this.max) > 0)
      this.max = Buffer.from(bytes.subarray(at, at + length))
  }
}

function hashOf(bytes: Uint8Array, at: number, length: number): number {
  let hash = length
  for (let i = at; i < at + length; i++) hash = (Math.imul(hash, 16_777_619) ^ (bytes[i] as number)) >>> 0
  // Spreads values that differ in their last bytes only.
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return hash ^ (hash >>> 13)
}

function compare(bytes: Uint8Array, at: number, length: number, other: Uint8Array): number {
  const end = Math.min(length, other.length)
  for (let i = 0; i < end; i++) {
    const difference = (bytes[at + i] as number) - (other[i] as number)
    if (difference !== 0) return difference
  }
  return length - other.length
}
