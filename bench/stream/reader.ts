// A connection of the load generator: a socket and a parser of frames. While a block is measured, received bytes are
// only stored with their time (arrivals.ts), so that a thousand readers take little of the server's processor. Messages
// may be whole frames or fragmented.
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { crc32 } from 'node:zlib'
import type { Arrivals } from './arrivals.ts'

/** All sockets share this buffer: bytes are copied before the next read. */
const READ_BUFFER = Buffer.allocUnsafe(1024 * 1024)

export class Reader {
  readonly socket: Socket
  /** Resolves when the handshake is complete. */
  readonly open: Promise<void>
  private buffer: Buffer = Buffer.alloc(0)
  private message = 0
  private readonly onMessage: (hash: number, time: number) => void

  /** @param onMessage  called for each message with the CRC-32 of its bytes and the time when its last bytes arrived */
  constructor(port: number, arrivals: Arrivals<Reader>, onMessage: (hash: number, time: number) => void) {
    this.onMessage = onMessage
    let isOpen = false
    let [opened, failed] = [() => {}, (_: Error) => {}]
    this.open = new Promise((resolve, reject) => {
      ;[opened, failed] = [resolve, reject]
    })
    const callback = (length: number, into: Uint8Array) => {
      const bytes = (into as Buffer).subarray(0, length)
      const rest = isOpen ? bytes : this.afterHandshake(bytes)
      if (rest !== null && rest.length > 0) arrivals.put(this, rest)
      if (rest === null || isOpen) return true
      isOpen = true
      opened()
      return true
    }
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: READ_BUFFER, callback } })
    this.socket.once('error', (error) => failed(error))
    const key = randomBytes(16).toString('base64')
    const lines = ['Host: wax.localhost', 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13']
    const head = ['GET /api/v3/market/stream HTTP/1.1', ...lines, `Sec-WebSocket-Key: ${key}`]
    this.socket.write(`${head.join('\r\n')}\r\n\r\n`)
  }

  send(message: object): void {
    this.write(0x1, Buffer.from(JSON.stringify(message)))
  }

  /** Parses received bytes. Only the bytes of an incomplete frame are kept. */
  receive(chunk: Buffer, time: number): void {
    const data = this.buffer.length === 0 ? chunk : Buffer.concat([this.buffer, chunk])
    let at = 0
    while (data.length - at >= 2) {
      const short = (data[at + 1] ?? 0) & 0x7f
      const header = short < 126 ? 2 : short === 126 ? 4 : 10
      if (data.length - at < header) break
      const length =
        short < 126 ? short : short === 126 ? data.readUInt16BE(at + 2) : Number(data.readBigUInt64BE(at + 2))
      const end = at + header + length
      if (data.length < end) break
      this.frame(data[at] ?? 0, data.subarray(at + header, end), time)
      at = end
    }
    this.buffer = at === data.length ? Buffer.alloc(0) : Buffer.from(data.subarray(at))
  }

  /** Bytes after the answer to the handshake, such as a ping; null while the answer is incomplete. */
  private afterHandshake(bytes: Buffer): Buffer | null {
    const answer = Buffer.concat([this.buffer, bytes])
    const end = answer.indexOf('\r\n\r\n')
    this.buffer = end < 0 ? answer : Buffer.alloc(0)
    if (end < 0) return null
    if (!answer.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error(answer.toString())
    return answer.subarray(end + 4)
  }

  /** Clients must mask their frames; a mask of zeros changes nothing. */
  private write(code: number, payload: Buffer): void {
    const long = payload.length > 125
    const header = Buffer.alloc(long ? 8 : 6)
    header[0] = 0x80 | code
    header[1] = 0x80 | (long ? 126 : payload.length)
    if (long) header.writeUInt16BE(payload.length, 2)
    this.socket.write(Buffer.concat([header, payload]))
  }

  private frame(first: number, payload: Buffer, time: number): void {
    const code = first & 0x0f
    if (code === 0x9) this.write(0xa, payload)
    if (code > 0x2) return
    this.message = crc32(payload, code === 0 ? this.message : 0)
    if (first & 0x80) this.onMessage(this.message, time)
  }
}
