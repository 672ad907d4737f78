// One client of the stream: handles its messages, and sends channels and answers when the socket can take them.
import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import { LIMITS } from '../../kit/limits.ts'
import type { MarketState } from '../../live-market/model.ts'
import { MarketRequestError } from '../find.ts'
import { type Channel, NOTHING, type Subscriber } from './channel.ts'
import { pongFrame, textFrames } from './frame.ts'
import type { Hub } from './hub.ts'
import type { StreamCounts } from './metrics.ts'
import { Outbox } from './outbox.ts'
import { parseMessage, requestOf, type StreamRequest } from './topic.ts'

/** Waiting answers above which no further messages of the client are read. */
const MAX_ANSWERS = 100
/** Longest message that an error repeats, characters. */
const MAX_REPEATED = 500

/** Close code (RFC 6455, 7.4.1). */
const GOING_AWAY = 1001

export class Connection implements Subscriber {
  /** Whether the client has sent anything since the last ping. */
  answered = true
  readonly address: string
  private readonly ws: WebSocket
  private readonly hub: Hub
  private readonly counts: StreamCounts
  private readonly outbox: Outbox
  /** Version of each subscribed channel that was sent to the client. */
  private readonly seen = new Map<Channel, number>()
  /** Channels that may have a newer version. */
  private readonly newer = new Set<Channel>()
  /** Waiting answers to errors and pings, and new subscriptions, in order of the requests. */
  private answers: (Buffer | Channel)[] = []
  private readonly schedule: (connection: Connection) => void

  /**
   * @param socket    the socket of `ws`: ready-made frames are written to it directly
   * @param schedule  schedules a call of `deliver`
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
    // An error of the client's protocol. The close that follows reports it to the client.
    ws.on('error', () => {})
    ws.once('close', () => this.leaveAll())
  }

  get subscriptions(): number {
    return this.seen.size
  }

  /** Milliseconds since which the client has read nothing, 0 if nothing waits. */
  stalledFor(now: number): number {
    return this.outbox.stalledFor(now)
  }

  markChanged(channel: Channel): void {
    if (this.newer.size === 0) this.schedule(this)
    this.newer.add(channel)
  }

  ping(): void {
    this.answered = false
    // While data waits for a slow reader, a ping would wait too. Stalls are detected by `stalledFor`.
    if (this.outbox.isFree) this.ws.ping()
    else this.answered = true
  }

  /** Sends new versions and answers if the socket is free; otherwise they are sent when it becomes free. */
  deliver(): void {
    if (!this.outbox.isFree || this.ws.readyState !== this.ws.OPEN) return
    const frames: Buffer[] = []
    for (const channel of this.newer) {
      const seen = this.seen.get(channel) as number
      if (seen !== channel.version && seen !== NOTHING) this.addFrames(channel, seen, frames)
    }
    this.newer.clear()
    for (const answer of this.answers) {
      if (Buffer.isBuffer(answer)) frames.push(answer)
      else if (this.seen.get(answer) === NOTHING) this.addFrames(answer, NOTHING, frames)
    }
    this.answers = []
    if (this.ws.isPaused) this.ws.resume()
    if (frames.length > 0) this.outbox.send(frames)
  }

  /** Closes the connection with code 1001. */
  goAway(): void {
    this.ws.close(GOING_AWAY, 'the server ends')
  }

  /** Closes the connection at once and discards waiting data. */
  drop(): void {
    this.ws.terminate()
  }

  private receive(data: RawData, isBinary: boolean): void {
    this.answered = true
    const text = isBinary ? '' : data.toString()
    let message: Record<string, unknown> | undefined
    try {
      if (isBinary) throw new MarketRequestError(400, 'Binary message', 'Messages are JSON text.')
      message = parseMessage(text)
      this.handle(requestOf(message))
    } catch (error) {
      if (!(error instanceof MarketRequestError)) throw error
      const request = message !== undefined && text.length <= MAX_REPEATED ? { request: message } : {}
      this.sendError({ error: error.error, message: error.message, ...request })
    }
  }

  private handle({ op, topic }: StreamRequest): void {
    const { state } = this.hub
    if (op === 'unsubscribe') {
      const channel = this.hub.find(topic)
      if (channel === undefined || !this.seen.has(channel))
        throw new MarketRequestError(404, 'Not subscribed', 'There is no subscription with these arguments.')
      this.leave(channel)
      return
    }
    if (state === null) throw new MarketRequestError(404, 'Not ready', 'Data is being loaded. Try again in a moment.')
    const known = this.hub.find(topic)
    if ((known === undefined || !this.seen.has(known)) && this.seen.size >= LIMITS.streamSubscriptions)
      throw new MarketRequestError(
        400,
        'Too many subscriptions',
        `A connection has at most ${LIMITS.streamSubscriptions}.`,
      )
    const channel = this.hub.open(topic, state)
    channel.subscribers.add(this)
    // A repeated subscription before the first answer is answered once.
    if (this.seen.get(channel) === NOTHING) return
    this.seen.set(channel, NOTHING)
    this.answer([channel])
  }

  /** Appends the frames of a channel's newest state to `frames`. */
  private addFrames(channel: Channel, seen: number, frames: Buffer[]): void {
    const own = channel.frames(this.hub.state as MarketState, seen)
    this.seen.set(channel, channel.version)
    if (own.length === 0) return
    for (const frame of own) frames.push(frame)
    this.counts.sent(channel.topic.channel)
  }

  private sendError(answer: object): void {
    this.counts.sent('error')
    this.answer(textFrames(JSON.stringify(answer)))
  }

  /** Queues answers. A client that sends faster than it reads is paused until the answers are sent. */
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
