// A stream client as an application would write it. Stores messages in the order of arrival.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { WebSocket } from 'ws'
import { until } from '../../../support/until.ts'

// biome-ignore lint/suspicious/noExplicitAny: messages have many shapes
type Message = any

export class StreamClient {
  readonly messages: Message[] = []
  readonly ws: WebSocket
  pings = 0
  closed: number | null = null
  private taken = 0

  private constructor(ws: WebSocket) {
    this.ws = ws
    ws.on('message', (data) => this.messages.push(JSON.parse(data.toString())))
    ws.on('ping', () => this.pings++)
    ws.on('error', () => {})
    ws.on('close', (code) => {
      this.closed = code
    })
  }

  static async open(
    t: { teardown(work: () => void): void },
    port: number,
    options: { host?: string; autoPong?: boolean; origin?: string } = {},
  ): Promise<StreamClient> {
    const { host = 'wax.localhost', ...more } = options
    const ws = new WebSocket(`ws://127.0.0.1:${port}/api/v3/market/stream`, { headers: { host }, ...more })
    t.teardown(() => ws.terminate())
    const client = new StreamClient(ws)
    await once(ws, 'open')
    return client
  }

  send(message: unknown): void {
    this.ws.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  subscribe(channel: string, more: object = {}): void {
    this.send({ op: 'subscribe', channel, ...more })
  }

  unsubscribe(channel: string, more: object = {}): void {
    this.send({ op: 'unsubscribe', channel, ...more })
  }

  /** The next message that the test has not read. */
  async next(): Promise<Message> {
    const hasMore = () => this.messages.length > this.taken
    await until(() => `a message after ${JSON.stringify(this.messages.at(-1))}`, hasMore)
    return this.messages[this.taken++]
  }

  async take(count: number): Promise<Message[]> {
    const taken: Message[] = []
    while (taken.length < count) taken.push(await this.next())
    return taken
  }

  /** Sends an invalid request and waits for its error. @returns all messages that arrived before the error */
  async rest(): Promise<Message[]> {
    const mark = `mark ${this.messages.length}`
    this.send({ op: mark })
    const rest: Message[] = []
    for (;;) {
      const message = await this.next()
      if (message.request?.op === mark) return rest
      rest.push(message)
    }
  }

  async ended(): Promise<number> {
    await until('the connection ends', () => this.closed !== null)
    return this.closed ?? Number.NaN
  }
}

/** The raw socket of a connection after its handshake. Nothing is read until the test reads it. */
export async function rawSocket(t: { teardown(work: () => void): void }, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.on('error', () => {})
  const lines = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Host: wax.localhost']
  const head = ['GET /api/v3/market/stream HTTP/1.1', ...lines, 'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==']
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  if (!String(answer).startsWith('HTTP/1.1 101')) throw new Error(String(answer))
  socket.pause()
  return socket
}

/** A client's frame, masked with zeros. @param first  its first byte: flags and operation */
export function clientFrame(payload: string | Buffer, first = 0x81): Buffer {
  const bytes = Buffer.from(payload)
  const length = bytes.length < 126 ? [bytes.length] : [126, bytes.length >> 8, bytes.length & 255]
  return Buffer.concat([Buffer.from([first, 0x80 | (length[0] as number), ...length.slice(1), 0, 0, 0, 0]), bytes])
}
