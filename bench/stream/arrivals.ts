// What came on many sockets, in the order in which it came and with its time, to be looked at later.

/** Room for what one block sends, and more. */
const ROOM = 64 * 1024 * 1024

interface Arrival<T> {
  to: T
  end: number
  time: number
}

export class Arrivals<T> {
  private bytes = Buffer.alloc(ROOM)
  private length = 0
  private list: Arrival<T>[] = []
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  /** Copies bytes that have just come. */
  put(to: T, bytes: Buffer): void {
    if (this.length + bytes.length > this.bytes.length)
      this.bytes = Buffer.concat([this.bytes, Buffer.alloc(Math.max(ROOM, bytes.length))])
    bytes.copy(this.bytes, this.length)
    this.length += bytes.length
    this.list.push({ to, end: this.length, time: this.now() })
  }

  /** Hands out everything, and forgets it. */
  take(look: (to: T, bytes: Buffer, time: number) => void): void {
    let from = 0
    for (const { to, end, time } of this.list) {
      look(to, this.bytes.subarray(from, end), time)
      from = end
    }
    this.list = []
    this.length = 0
  }
}
