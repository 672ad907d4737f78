// One client of the stream: reads what it asks for, remembers what it is to be sent, sends it when the socket takes it.
import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import { LIMITS } from '../exchange/meta.ts'
import type { MarketState } from '../market/model.ts'
import { MarketMistake } from '../market-api/find.ts'
import { type Channel, NOTHING, type Subscriber } from './channel.ts'
import { pongFrame, textFrames } from './frame.ts'
import type { Hub } from './hub.ts'
import type { StreamCounts } from './metrics.ts'
import { Outbox } from './outbox.ts'
import { parseMessage, requestOf, type StreamRequest } from './topic.ts'

/** Answers that may wait for a client before it is read no further. */
const MAX_ANSWERS = 100
/** A longer message is not repeated in an answer. */
const REPEAT_UP_TO = 500

/** Close code (RFC 6455, 7.4.1). */
const GOING_AWAY = 1001

export class Connection implements Subscriber {
  /** Whether it has answered since the last ping. */
  answered = true
  readonly address: string
  private readonly ws: WebSocket
  private readonly hub: Hub
  private readonly counts: StreamCounts
  private readonly outbox: Outbox
  /** Version of each channel that the client has been sent. */
  private readonly seen = new Map<Channel, number>()
  /** Channels that may have a newer one. */
  private readonly newer = new Set<Channel>()
  /** To mistakes and pings, and channels subscribed to of which nothing was sent yet, in the order of what was asked. */
  private answers: (Buffer | Channel)[] = []
  private readonly schedule: (connection: Connection) => void

  /**
   * @param socket    the one under `ws`: frames that are made are written to it directly
   * @param schedule  has `deliver` called soon
   */
  constructor(
    ws: WebSocket,
    socket: Duplex,
    hub: Hub,
    address: string,
    counts: StreamCounts,
    schedule: (connection: Connection) => void,
  ) {
    this.ws = ws
    this.hub = hub
    this.address = address
    this.counts = counts
    this.schedule = schedule
    this.outbox = new Outbox(socket, () => {
      if (this.newer.size > 0 || this.answers.length > 0) this.deliver()
    })
    ws.on('message', (data, isBinary) => this.receive(data, isBinary))
    ws.on('ping', (data) => this.answer([pongFrame(data)]))
    ws.on('pong', () => {
      this.answered = true
    })
    // What the client did wrong; the close that follows says so to it.
    ws.on('error', () => {})
    ws.once('close', () => this.leaveAll())
  }

  get subscriptions(): number {
    return this.seen.size
  }

  /** How long the client has not taken what was sent, milliseconds. */
  stalledFor(now: number): number {
    return this.outbox.stalledFor(now)
  }

  behind(channel: Channel): void {
    if (this.newer.size === 0) this.schedule(this)
    this.newer.add(channel)
  }

  ping(): void {
    this.answered = false
    // Behind what a slow reader has not yet taken, a ping says nothing: that it takes nothing is watched by itself.
    if (this.outbox.isFree) this.ws.ping()
    else this.answered = true
  }

  /** Sends what is new, if the socket takes it; else that is done as soon as it does. */
  deliver(): void {
    if (!this.outbox.isFree || this.ws.readyState !== this.ws.OPEN) return
    const frames: Buffer[] = []
    for (const channel of this.newer) {
      const seen = this.seen.get(channel) as number
      if (seen !== channel.version && seen !== NOTHING) this.show(channel, seen, frames)
    }
    this.newer.clear()
    for (const answer of this.answers) {
      if (Buffer.isBuffer(answer)) frames.push(answer)
      else if (this.seen.get(answer) === NOTHING) this.show(answer, NOTHING, frames)
    }
    this.answers = []
    if (this.ws.isPaused) this.ws.resume()
    if (frames.length > 0) this.outbox.send(frames)
  }

  /** Ends in order: the client is told that the server goes. */
  goAway(): void {
    this.ws.close(GOING_AWAY, 'the server ends')
  }

  /** Ends at once, with all that still waits. */
  drop(): void {
    this.ws.terminate()
  }

  private receive(data: RawData, isBinary: boolean): void {
    this.answered = true
    const text = isBinary ? '' : data.toString()
    let message: Record<string, unknown> | undefined
    try {
      if (isBinary) throw new MarketMistake(400, 'Binary message', 'Messages are JSON text.')
      message = parseMessage(text)
      this.handle(requestOf(message))
    } catch (error) {
      if (!(error instanceof MarketMistake)) throw error
      const request = message !== undefined && text.length <= REPEAT_UP_TO ? { request: message } : {}
      this.complain({ error: error.error, message: error.message, ...request })
    }
  }

  private handle({ op, topic }: StreamRequest): void {
    const { state } = this.hub
    if (op === 'unsubscribe') {
      const channel = this.hub.find(topic)
      if (channel === undefined || !this.seen.has(channel))
        throw new MarketMistake(404, 'Not subscribed', 'There is no subscription with these arguments.')
      this.leave(channel)
      return
    }
    if (state === null) throw new MarketMistake(404, 'Not ready', 'Data is being loaded. Try again in a moment.')
    const known = this.hub.find(topic)
    if ((known === undefined || !this.seen.has(known)) && this.seen.size >= LIMITS.streamSubscriptions)
      throw new MarketMistake(400, 'Too many subscriptions', `A connection has at most ${LIMITS.streamSubscriptions}.`)
    const channel = this.hub.open(topic, state)
    channel.subscribers.add(this)
    // Asked for once more before it was answered, it is answered once.
    if (this.seen.get(channel) === NOTHING) return
    this.seen.set(channel, NOTHING)
    this.answer([channel])
  }

  /** Adds the frames of a channel's newest state to others. */
  private show(channel: Channel, seen: number, frames: Buffer[]): void {
    const own = channel.frames(this.hub.state as MarketState, seen)
    this.seen.set(channel, channel.version)
    if (own.length === 0) return
    for (const frame of own) frames.push(frame)
    this.counts.sent(channel.topic.channel)
  }

  private complain(answer: object): void {
    this.counts.sent('error')
    this.answer(textFrames(JSON.stringify(answer)))
  }

  /** Who asks faster than it takes the answers is read on when it has taken them. */
  private answer(answers: readonly (Buffer | Channel)[]): void {
    this.answers.push(...answers)
    this.deliver()
    if (this.answers.length > MAX_ANSWERS) this.ws.pause()
  }

  private leave(channel: Channel): void {
    this.seen.delete(channel)
    this.newer.delete(channel)
    channel.subscribers.delete(this)
    this.hub.release(channel)
  }

  private leaveAll(): void {
    for (const channel of [...this.seen.keys()]) this.leave(channel)
    this.answers = []
  }
}
