// Keeps two parts of a world in step that run apart, each with chains of its own. A part may make a block once no message
// can arrive any more that is to be there by then. Each part promises until when it will send nothing by itself; what it
// sends because of a message comes later than that message by the part's lag at least.

import type { Partner } from '../scenario.ts'

/** What one part hears from the other at once. */
interface Packet<M> {
  messages: M[]
  /** Unix milliseconds before which nothing else will arrive, but because of messages that were not seen. */
  promise: number
  /** How many messages the sender has received. */
  seen: number
}

/** One end of a channel that keeps the order of what is sent. */
export interface Port {
  postMessage(value: unknown): void
  on(event: 'message', listener: (value: unknown) => void): void
}

export interface LinkOptions {
  /** Milliseconds by which what this part sends comes after its cause at least, and the same of the other part. */
  lag: number
  partnerLag: number
}

/** A promise that goes no further, milliseconds, is not worth a packet, nor are fewer messages that were received. */
const SMALLEST_STEP = 10_000
const MAX_UNTOLD = 64

export class Link<Out extends { at: number }, In extends { at: number }> implements Partner {
  private readonly port: Port
  private readonly lag: number
  private readonly partnerLag: number
  private readonly receive: (message: In) => void
  /** Arrival times of the messages that the partner may not have seen. */
  private unseen: number[] = []
  private sent = 0
  private received = 0
  /** Before this nothing else will be sent. */
  private quietUntil = Number.NEGATIVE_INFINITY
  /** What the partner knows of that, and of what has been received. */
  private told = { promise: Number.NEGATIVE_INFINITY, seen: 0 }
  private partnerPromise = Number.NEGATIVE_INFINITY
  private wake: (() => void) | null = null

  /** @param receive  is given the partner's messages, which may come long before they are to arrive */
  constructor(port: Port, { lag, partnerLag }: LinkOptions, receive: (message: In) => void) {
    this.port = port
    this.lag = lag
    this.partnerLag = partnerLag
    this.receive = receive
    port.on('message', (packet) => this.read(packet as Packet<In>))
  }

  get horizon(): number {
    const answer = Math.min(this.quietUntil, ...this.unseen) + this.partnerLag
    return Math.min(this.partnerPromise, answer)
  }

  send(message: Out): void {
    this.unseen.push(message.at)
    this.sent++
    this.post([message])
  }

  promise(quiet: number, now: boolean): void {
    this.quietUntil = Math.max(this.quietUntil, quiet + this.lag)
    const { promise, seen } = this.told
    const step = now ? 0 : SMALLEST_STEP
    if (this.quietUntil > promise + step || this.received > seen) this.post([])
  }

  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve
    })
  }

  private post(messages: Out[]): void {
    this.told = { promise: this.quietUntil, seen: this.received }
    this.port.postMessage({ messages, ...this.told } satisfies Packet<Out>)
  }

  private read({ messages, promise, seen }: Packet<In>): void {
    this.partnerPromise = promise
    this.unseen = this.unseen.slice(this.unseen.length - (this.sent - seen))
    for (const message of messages) {
      this.received++
      this.quietUntil = Math.min(this.quietUntil, message.at + this.lag)
      this.receive(message)
    }
    if (this.received - this.told.seen >= MAX_UNTOLD) this.post([])
    const { wake } = this
    this.wake = null
    wake?.()
  }
}
