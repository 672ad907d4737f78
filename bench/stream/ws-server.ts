// The rival of the benchmark: the same channels, sent by `ws` as its documentation broadcasts. A message is one Buffer
// for all subscribers, and each subscriber gets it by a `send` of its own. A slow reader gets the newest state once the
// messages before are sent, as in the stream itself: otherwise memory has no bound.
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { ChainContext } from '../../api/chain-context.ts'
import type { MarketState } from '../../api/live-market/model.ts'
import { type Channel, NOTHING, type Subscriber } from '../../api/market/stream/channel.ts'
import { Hub } from '../../api/market/stream/hub.ts'
import { parseMessage, requestOf } from '../../api/market/stream/topic.ts'
import type { StreamServer } from './contender.ts'

export async function startWsServer(context: ChainContext): Promise<Omit<StreamServer, 'market'>> {
  const hub = new Hub(context)
  const messages = new Messages(hub)
  const server = createServer()
  const sockets = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false })
  server.on('upgrade', (request, socket: Socket, head) => {
    socket.setNoDelay(true)
    sockets.handleUpgrade(request, socket, head, (ws) => new WsConnection(ws, hub, messages))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
    close: async () => {
      hub.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Payloads of the newest messages, each made once. */
class Messages {
  private readonly hub: Hub
  private readonly made = new Map<Channel, { version: number; payload: Buffer }>()

  constructor(hub: Hub) {
    this.hub = hub
  }

  of(channel: Channel, seen: number): Buffer {
    const { version } = channel
    const known = this.made.get(channel)
    if (known?.version === version && channel.topic.channel !== 'tokens') return known.payload
    const frames = channel.frames(this.hub.state as MarketState, seen)
    const payload = Buffer.concat(frames.map(payloadOf))
    this.made.set(channel, { version, payload })
    return payload
  }
}

/** A frame without its header (RFC 6455, 5.2); servers do not mask. */
function payloadOf(frame: Buffer): Buffer {
  const length = frame[1] as number
  return frame.subarray(length < 126 ? 2 : length === 126 ? 4 : 10)
}

class WsConnection implements Subscriber {
  private readonly ws: WebSocket
  private readonly hub: Hub
  private readonly messages: Messages
  private readonly seen = new Map<Channel, number>()
  private readonly newer = new Set<Channel>()
  private isScheduled = false
  private pending = 0

  constructor(ws: WebSocket, hub: Hub, messages: Messages) {
    this.ws = ws
    this.hub = hub
    this.messages = messages
    ws.on('message', (data) => this.subscribe(data.toString()))
    ws.on('close', () => {
      for (const channel of this.seen.keys()) {
        channel.subscribers.delete(this)
        this.hub.release(channel)
      }
    })
  }

  markChanged(channel: Channel): void {
    this.newer.add(channel)
    this.schedule()
  }

  private subscribe(text: string): void {
    const { topic } = requestOf(parseMessage(text))
    const channel = this.hub.open(topic, this.hub.state as MarketState)
    channel.subscribers.add(this)
    this.seen.set(channel, NOTHING)
    this.markChanged(channel)
  }

  /** After the listeners of the block have run. */
  private schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    setImmediate(() => {
      this.isScheduled = false
      this.deliver()
    })
  }

  private deliver(): void {
    if (this.pending > 0) return
    for (const channel of this.newer) {
      const seen = this.seen.get(channel) as number
      if (seen === channel.version) continue
      this.seen.set(channel, channel.version)
      this.pending++
      this.ws.send(this.messages.of(channel, seen), { binary: false }, () => this.sent())
    }
    this.newer.clear()
  }

  private sent(): void {
    this.pending--
    if (this.pending === 0 && this.newer.size > 0) this.deliver()
  }
}
