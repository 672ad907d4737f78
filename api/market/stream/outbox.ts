// Writes to one socket. It takes frames only when free and queues no later ones: the owner collects later changes, so
// that a slow reader gets the newest state and skips the states in between.
import type { Duplex } from 'node:stream'
import { COPIED_UP_TO, FRAGMENT } from './frame.ts'

/** Shared buffer that joins short frames. It is reused if the system takes the write at once, as it usually does. */
let scratch = Buffer.allocUnsafeSlow(COPIED_UP_TO)

export class Outbox {
  private readonly socket: Duplex
  private readonly onFree: () => void
  /** Remaining writes of the last `send`. */
  private rest: Buffer[] = []
  /** Start of the current write, milliseconds of `performance.now`; 0: none. */
  private since = 0

  /** @param onFree  called when the system has taken all writes; never called inside `send` */
  constructor(socket: Duplex, onFree: () => void) {
    this.socket = socket
    this.onFree = onFree
  }

  get isFree(): boolean {
    return this.since === 0
  }

  /** Duration of the current write, milliseconds; 0: none. */
  stalledFor(now: number): number {
    return this.since === 0 ? 0 : now - this.since
  }

  /** Sends whole frames in few writes. Call it only when free. */
  send(frames: readonly Buffer[]): void {
    const length = frames.reduce((sum, frame) => sum + frame.length, 0)
    if (length > COPIED_UP_TO) {
      this.rest = packed(frames)
      this.next()
      return
    }
    let end = 0
    for (const frame of frames) end += frame.copy(scratch, end)
    this.write(scratch.subarray(0, end))
    // The system has not taken the write yet, so the buffer must not be reused.
    if (this.socket.writableLength > 0) scratch = Buffer.allocUnsafeSlow(COPIED_UP_TO)
  }

  private next(): void {
    const write = this.rest.shift()
    if (write === undefined) {
      this.since = 0
      this.onFree()
      return
    }
    this.write(write)
  }

  private write(bytes: Buffer): void {
    this.since = performance.now()
    this.socket.write(bytes, this.written)
  }

  private readonly written = (error?: Error | null): void => {
    // On an error the socket closes, and its owner handles that.
    if (error === undefined || error === null) this.next()
  }
}

/** Joins frames into writes of about a fragment each. */
function packed(frames: readonly Buffer[]): Buffer[] {
  const writes: Buffer[] = []
  let part: Buffer[] = []
  let length = 0
  const flush = () => {
    if (part.length > 0)
      writes.push(length > COPIED_UP_TO && part.length === 1 ? (part[0] as Buffer) : Buffer.concat(part))
    part = []
    length = 0
  }
  for (const frame of frames) {
    if (length > 0 && length + frame.length > FRAGMENT) flush()
    part.push(frame)
    length += frame.length
  }
  flush()
  return writes
}
