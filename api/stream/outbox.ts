// What goes out on one socket: one write at a time, nothing queued behind it. What comes up meanwhile is for the owner to
// remember, so that a slow reader gets the newest state and not all that came before.
import type { Duplex } from 'node:stream'
import { COPIED_UP_TO, FRAGMENT } from './frame.ts'

/** Where frames are put together that the system takes at once: most writes need no memory of their own. */
let scratch = Buffer.allocUnsafeSlow(COPIED_UP_TO)

export class Outbox {
  private readonly socket: Duplex
  private readonly onFree: () => void
  /** Writes that are left of what was sent last. */
  private rest: Buffer[] = []
  /** When the write under way began, milliseconds of the process; 0: none is. */
  private since = 0

  /** @param onFree  called when all has been taken over by the system, never inside of `send` */
  constructor(socket: Duplex, onFree: () => void) {
    this.socket = socket
    this.onFree = onFree
  }

  get isFree(): boolean {
    return this.since === 0
  }

  /** How long the reader has taken nothing, milliseconds. */
  stalledFor(now: number): number {
    return this.since === 0 ? 0 : now - this.since
  }

  /** Sends whole frames in few writes. Only when free. */
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
    // What the system has not taken at once stays where it is until it has.
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
    // The socket's end is told elsewhere.
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
