// Writes ASCII text byte by byte. This avoids thousands of small strings that would be joined and then collected.

const ZERO = 48
const POINT = 46
/** Eight digits fit in 32 bits, where division is fast. */
const HALF = 8
const HALF_ONE = 10 ** HALF

/** Buffer shared by all writers: allocating a new one would take longer than the writing. */
let scratch = Buffer.allocUnsafe(65_536)

/** Uses the shared buffer: a writer must be finished before the next one is created. */
export class AsciiWriter {
  private bytes = scratch
  private end = 0

  get length(): number {
    return this.end
  }

  /** Ensures room for this many bytes. The writes until the next call must not exceed it in total. */
  reserve(bytes: number): void {
    if (this.end + bytes <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(2 * this.bytes.length + bytes)
    this.bytes.copy(larger, 0, 0, this.end)
    this.bytes = larger
    scratch = larger
  }

  /** @param text  ASCII only */
  text(text: string): void {
    const { bytes, end } = this
    for (let i = 0; i < text.length; i++) bytes[end + i] = text.charCodeAt(i)
    this.end = end + text.length
  }

  /** Writes again the bytes of the range [from, to). */
  again(from: number, to: number): void {
    const { bytes, end } = this
    for (let i = from; i < to; i++) bytes[end + i - from] = bytes[i] as number
    this.end = end + to - from
  }

  zeros(count: number): void {
    const { bytes, end } = this
    for (let i = 0; i < count; i++) bytes[end + i] = ZERO
    this.end = end + count
  }

  /** Writes a whole number with leading zeros; below 10^`count`, at most 16 digits. */
  digits(value: number, count: number): void {
    const head = Math.floor(value / HALF_ONE)
    if (count > HALF) this.put(head, count - HALF)
    this.put(value - head * HALF_ONE, Math.min(count, HALF))
  }

  /** Writes a whole number from 0 to 10^15. */
  whole(value: number): void {
    let count = 1
    for (let power = 10; power <= value; power *= 10) count++
    this.digits(value, count)
  }

  /** Inserts a decimal point before the last `places` digits, at least one, and drops trailing zeros. */
  point(places: number): void {
    const { bytes } = this
    const at = this.end - places
    let end = this.end
    while (end > at && bytes[end - 1] === ZERO) end--
    this.end = end
    if (end === at) return
    for (let i = end; i > at; i--) bytes[i] = bytes[i - 1] as number
    bytes[at] = POINT
    this.end = end + 1
  }

  toBuffer(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.end))
  }

  private put(value: number, count: number): void {
    const { bytes, end } = this
    let rest = value | 0
    for (let i = end + count - 1; i >= end; i--) {
      const next = (rest / 10) | 0
      bytes[i] = ZERO + rest - next * 10
      rest = next
    }
    this.end = end + count
  }
}
