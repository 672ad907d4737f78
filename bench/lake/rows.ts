// Writes rows in the binary format of PostgreSQL's COPY: for a table, or as the export reads a view for a file.
import type { ViewColumn } from '../../indexer/export/view.ts'

/** PostgreSQL counts from here, in microseconds. */
const EPOCH_MS = Date.UTC(2000, 0, 1)
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const CHUNK_BYTES = 2 ** 20
const MAX_ROW_BYTES = 1024
const TWO_32 = 4_294_967_296
/** Code of the digit 0. */
const ZERO = 48

export function column(name: string, type: string, precision: number | null = null): ViewColumn {
  return { name, type, precision, scale: precision === null ? null : 0 }
}

export class RowWriter {
  readonly #bytes = Buffer.allocUnsafe(CHUNK_BYTES + MAX_ROW_BYTES)
  readonly #isForFile: boolean
  #used = 0

  /** @param isForFile  whether numbers without fixed digits are text, as the export selects them for a file */
  constructor({ isForFile }: { isForFile: boolean }) {
    this.#isForFile = isForFile
  }

  /** Begins the data of one COPY. */
  header(): void {
    this.#used += HEADER.copy(this.#bytes, this.#used)
  }

  /** Begins a row. */
  row(columns: number): void {
    this.#used = this.#bytes.writeInt16BE(columns, this.#used)
  }

  int8(value: number): void {
    this.#used = this.#bytes.writeInt32BE(8, this.#used)
    const high = Math.floor(value / TWO_32)
    this.#used = this.#bytes.writeInt32BE(high, this.#used)
    this.#used = this.#bytes.writeUInt32BE(value - high * TWO_32, this.#used)
  }

  int2(value: number): void {
    this.#used = this.#bytes.writeInt32BE(2, this.#used)
    this.#used = this.#bytes.writeInt16BE(value, this.#used)
  }

  int4(value: number): void {
    this.#used = this.#bytes.writeInt32BE(4, this.#used)
    this.#used = this.#bytes.writeInt32BE(value, this.#used)
  }

  /** @param ms  since 1970 */
  time(ms: number): void {
    this.int8((ms - EPOCH_MS) * 1000)
  }

  text(value: string): void {
    this.#used = this.#bytes.writeInt32BE(value.length, this.#used)
    this.#used += this.#bytes.write(value, this.#used, 'latin1')
  }

  /** The integer `value` over 10,000^`places`: a numeric of base 10,000. */
  numeric(value: number, places: number): void {
    const size = Math.abs(value)
    let digits = 0
    for (let rest = size; rest > 0; rest = Math.floor(rest / 10_000)) digits++
    const bytes = this.#bytes
    const at = bytes.writeInt32BE(8 + 2 * digits, this.#used)
    bytes.writeInt16BE(digits, at)
    bytes.writeInt16BE(digits === 0 ? 0 : digits - places - 1, at + 2)
    bytes.writeUInt16BE(value < 0 ? 0x4000 : 0, at + 4)
    bytes.writeUInt16BE(4 * Math.max(0, places), at + 6)
    let rest = size
    for (let digit = digits - 1; digit >= 0; digit--) {
      const next = Math.floor(rest / 10_000)
      bytes.writeUInt16BE(rest - next * 10_000, at + 8 + 2 * digit)
      rest = next
    }
    this.#used = at + 8 + 2 * digits
  }

  /**
   * A number of a column without fixed digits: `digits` over 10,000^`places`.
   *
   * @param digits  decimal digits of an integer from 0 on
   */
  unbounded(digits: string, places: number): void {
    const scale = 4 * places
    const text = digits.padStart(scale + 1, '0')
    if (this.#isForFile) {
      this.text(trimmed(text, scale))
      return
    }
    const whole = text.padStart(4 * Math.ceil(text.length / 4), '0')
    const words = whole.length / 4
    const bytes = this.#bytes
    let at = bytes.writeInt32BE(8 + 2 * words, this.#used)
    for (const field of [words, words - places - 1, 0, scale]) at = bytes.writeInt16BE(field, at)
    for (let word = 0; word < words; word++) at = bytes.writeUInt16BE(Number(whole.slice(4 * word, 4 * word + 4)), at)
    this.#used = at
  }

  /** Ends the data of one COPY. */
  end(): void {
    this.#used = this.#bytes.writeInt16BE(-1, this.#used)
  }

  /** Whether there is enough for a chunk. */
  get isFull(): boolean {
    return this.#used >= CHUNK_BYTES
  }

  /** A copy of the bytes since the last chunk. */
  take(): Buffer {
    const chunk = Buffer.from(this.#bytes.subarray(0, this.#used))
    this.#used = 0
    return chunk
  }
}

/** Text of a decimal without zeros at its end. @param digits  more than `scale` */
function trimmed(digits: string, scale: number): string {
  let end = digits.length
  const point = end - scale
  while (end > point && digits.charCodeAt(end - 1) === ZERO) end--
  const whole = digits.slice(0, point)
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`
}
