// Synchronises two parts of a simulation in different threads, each with its own chains. A part may make a block once
// no more message can arrive for its time. Each part promises a time before which it sends nothing on its own. A
// message that it sends in response to another one is later than that one by at least the part's lag.

import type { Partner } from '../scenario.ts'

/** Messages and promise sent at once. */
interface Packet<M> {
  messages: M[]
  /** Unix milliseconds before which no other message arrives, except responses to messages that were not seen. */
  promise: number
  /** Number of messages that the sender has received. */
  seen: number
}

/** One end of an ordered channel. */
export interface Port {
  postMessage(value: unknown): void
  on(event: 'message', listener: (value: unknown) => void): void
}

export interface LinkOptions {
  /** Minimum milliseconds from a message to this part's response, and the same for the other part. */
  lag: number
  partnerLag: number
}

/**
 * Thresholds of a packet without messages: advance of the promise in milliseconds, and unreported received messages.
 */
const MIN_ADVANCE_MS = 10_000
const MAX_UNREPORTED = 64

export class Link<Out extends { at: number }, In extends { at: number }> implements Partner {
  private readonly port: Port
  private readonly lag: number
  private readonly partnerLag: number
  private readonly receive: (message: In) => void
  /** Arrival times of messages that the partner may not have seen. */
  private unseen: number[] = []
  private sent = 0
  private received = 0
  /** No other message is sent before this time. */
  private quietUntil = Number.NEGATIVE_INFINITY
  /** Promise and number of received messages that were last sent to the partner. */
  private reported = { promise: Number.NEGATIVE_INFINITY, seen: 0 }
  private partnerPromise = Number.NEGATIVE_INFINITY
  private wake: (() => void) | null = null

  /** @param receive  takes the partner's messages, possibly long before their arrival time */
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
    const { promise, seen } = this.reported
    const step = now ? 0 : MIN_ADVANCE_MS
    if (this.quietUntil > promise + step || this.received > seen) this.post([])
  }

  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve
    })
  }

  private post(messages: Out[]): void {
    this.reported = { promise: this.quietUntil, seen: this.received }
    this.port.postMessage({ messages, ...this.reported } satisfies Packet<Out>)
  }

  private read({ messages, promise, seen }: Packet<In>): void {
    this.partnerPromise = promise
    this.unseen = this.unseen.slice(this.unseen.length - (this.sent - seen))
    for (const message of messages) {
      this.received++
      this.quietUntil = Math.min(this.quietUntil, message.at + this.lag)
      this.receive(message)
    }
    if (this.received - this.reported.seen >= MAX_UNREPORTED) this.post([])
    const { wake } = this
    this.wake = null
    wake?.()
  }
}
