// What goes out on one socket: one write at a time, nothing queued behind it. What comes up meanwhile is for the owner to
// remember, so that a slow reader gets the newest state and not all that came before.
import type { Duplex } from 'node:stream'
import { FRAGMENT } from './frame.ts'

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
    this.rest = packed(frames)
    this.next()
  }

  private next(): void {
    const write = this.rest.shift()
    if (write === undefined) {
      this.since = 0
      this.onFree()
      return
    }
    this.since = performance.now()
    this.socket.write(write, this.written)
  }

  private readonly written = (error?: Error | null): void => {
    // The socket's end is told elsewhere.
    if (error === undefined || error === null) this.next()
  }
}

/** Joins frames into writes of about a fragment each. */
function packed(frames: readonly Buffer[]): Buffer[] {
  if (frames.length === 1) return [...frames]
  const writes: Buffer[] = []
  let part: Buffer[] = []
  let length = 0
  const flush = () => {
    if (part.length > 0) writes.push(part.length === 1 ? (part[0] as Buffer) : Buffer.concat(part, length))
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
