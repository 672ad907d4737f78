// Bytes received on many sockets, in order of arrival and with their times, to be parsed later.

/** The process stays awake for this long after the last arrival, nanoseconds. */
const AWAKE_NS = 20e6
/** Initial buffer size: more than one block sends. */
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

  /** @param now  returns nanoseconds */
  constructor(now: () => number) {
    this.now = now
  }

  /** Copies bytes that have just arrived. */
  put(to: T, bytes: Buffer): void {
    if (this.length + bytes.length > this.bytes.length)
      this.bytes = Buffer.concat([this.bytes, Buffer.alloc(Math.max(ROOM, bytes.length))])
    bytes.copy(this.bytes, this.length)
    this.length += bytes.length
    this.wake()
    this.list.push({ to, end: this.length, time: this.last })
  }

  /** Call on or shortly before an arrival. */
  wake(): void {
    this.last = this.now()
    if (this.isAwake) return
    this.isAwake = true
    this.stayAwake()
  }

  /**
   * Waking a process for each message would cost the server's processor as much as sending the message, and the
   * scheduler may place a woken process on the server's processor for some milliseconds. Readers on other machines have
   * no such effect on a server.
   */
  private stayAwake(): void {
    this.isAwake = this.now() - this.last < AWAKE_NS
    if (this.isAwake) setImmediate(() => this.stayAwake())
  }

  /** Passes all arrivals to `look` in order, then drops them. */
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
