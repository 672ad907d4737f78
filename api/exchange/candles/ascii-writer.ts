// Text of ASCII characters, written byte by byte where thousands of small strings would be joined and thrown away.

const ZERO = 48
const POINT = 46
const FIRST_SIZE = 65_536
/** Eight digits at a time stay within 32 bits, where a division is quick. */
const HALF = 8
const HALF_ONE = 10 ** HALF

export class AsciiWriter {
  private bytes: Buffer = Buffer.allocUnsafe(FIRST_SIZE)
  private end = 0

  get length(): number {
    return this.end
  }

  /** Makes room: nothing else may write more than that in all until the next call. */
  reserve(bytes: number): void {
    if (this.end + bytes <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(2 * this.bytes.length + bytes)
    this.bytes.copy(larger, 0, 0, this.end)
    this.bytes = larger
  }

  /** ASCII. */
  text(text: string): void {
    for (let i = 0; i < text.length; i++) this.bytes[this.end++] = text.charCodeAt(i)
  }

  /** What has been written between two lengths, once more. */
  again(from: number, to: number): void {
    for (let i = from; i < to; i++) this.bytes[this.end++] = this.bytes[i] as number
  }

  zeros(count: number): void {
    for (let i = 0; i < count; i++) this.bytes[this.end++] = ZERO
  }

  /** A whole number with leading zeros: below 10^`count`, 16 digits at most. */
  digits(value: number, count: number): void {
    const head = Math.floor(value / HALF_ONE)
    if (count > HALF) this.put(head, count - HALF)
    this.put(value - head * HALF_ONE, Math.min(count, HALF))
  }

  /** A whole number from 0 to 10^15. */
  whole(value: number): void {
    let count = 1
    for (let power = 10; power <= value; power *= 10) count++
    this.digits(value, count)
  }

  /** Puts a point before the last `places` digits, which are at least one, and drops the zeros at the end. */
  point(places: number): void {
    const { bytes } = this
    const at = this.end - places
    bytes.copyWithin(at + 1, at, this.end)
    bytes[at] = POINT
    this.end++
    while (bytes[this.end - 1] === ZERO) this.end--
    if (bytes[this.end - 1] === POINT) this.end--
  }

  toBuffer(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.end))
  }

  private put(value: number, count: number): void {
    let rest = value | 0
    for (let i = this.end + count - 1; i >= this.end; i--) {
      const next = (rest / 10) | 0
      this.bytes[i] = ZERO + rest - next * 10
      rest = next
    }
    this.end += count
  }
}
