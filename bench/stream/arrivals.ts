// What came on many sockets, in the order in which it came and with its time, to be looked at later.

/** After something has come, the process does not sleep for so long; nanoseconds. */
const AWAKE = 20e6
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
  private last = 0
  private isAwake = false
  private readonly now: () => number

  /** @param now  nanoseconds */
  constructor(now: () => number) {
    this.now = now
  }

  /** Copies bytes that have just come. */
  put(to: T, bytes: Buffer): void {
    if (this.length + bytes.length > this.bytes.length)
      this.bytes = Buffer.concat([this.bytes, Buffer.alloc(Math.max(ROOM, bytes.length))])
    bytes.copy(this.bytes, this.length)
    this.length += bytes.length
    this.wake()
    this.list.push({ to, end: this.length, time: this.last })
  }

  /** Something has come, or will at once. */
  wake(): void {
    this.last = this.now()
    if (this.isAwake) return
    this.isAwake = true
    this.stayAwake()
  }

  /**
   * To wake a process up for each message would cost the processor that the server runs on as much again as to send it,
   * and one that the first message wakes may be put on the server's processor, beside it, for some milliseconds.
   * No reader on another machine does that to a server.
   */
  private stayAwake(): void {
    this.isAwake = this.now() - this.last < AWAKE
    if (this.isAwake) setImmediate(() => this.stayAwake())
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
