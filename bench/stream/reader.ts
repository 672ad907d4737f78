// A connection of the load generator: a socket and a parser of frames, nothing else, so that a thousand of them take
// little of the processor that the server is measured on. Messages are whole in one frame, or in fragments.
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { crc32 } from 'node:zlib'

export class Reader {
  readonly socket: Socket
  /** Resolves when the server has agreed to the protocol. */
  readonly open: Promise<void>
  private buffer: Buffer = Buffer.alloc(0)
  private message = 0
  private readonly onMessage: (hash: number) => void

  /** @param onMessage  told of each message with the CRC-32 of its bytes */
  constructor(port: number, onMessage: (hash: number) => void) {
    this.onMessage = onMessage
    this.socket = connect(port, '127.0.0.1')
    this.socket.setNoDelay(true)
    const key = randomBytes(16).toString('base64')
    const lines = ['Host: wax.localhost', 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13']
    const head = ['GET /api/v3/market/stream HTTP/1.1', ...lines, `Sec-WebSocket-Key: ${key}`]
    this.socket.write(`${head.join('\r\n')}\r\n\r\n`)
    this.open = new Promise((resolve, reject) => {
      this.socket.once('error', reject)
      this.socket.on('data', (chunk: Buffer) => {
        this.buffer = this.buffer.length === 0 ? chunk : Buffer.concat([this.buffer, chunk])
        const end = this.buffer.indexOf('\r\n\r\n')
        if (end === -1) return
        if (!this.buffer.toString('latin1', 0, 12).endsWith('101'))
          return reject(new Error(this.buffer.toString('latin1', 0, 200)))
        this.buffer = this.buffer.subarray(end + 4)
        this.socket.removeAllListeners('data')
        this.socket.on('data', (data: Buffer) => this.receive(data))
        this.receive(Buffer.alloc(0))
        resolve()
      })
    })
  }

  send(message: object): void {
    this.write(0x1, Buffer.from(JSON.stringify(message)))
  }

  /** Clients mask what they send; a mask of zeros leaves it as it is. */
  private write(code: number, payload: Buffer): void {
    const long = payload.length > 125
    const header = Buffer.alloc(long ? 8 : 6)
    header[0] = 0x80 | code
    header[1] = 0x80 | (long ? 126 : payload.length)
    if (long) header.writeUInt16BE(payload.length, 2)
    this.socket.write(Buffer.concat([header, payload]))
  }

  private receive(chunk: Buffer): void {
    const data = this.buffer.length === 0 ? chunk : Buffer.concat([this.buffer, chunk])
    let at = 0
    while (data.length - at >= 2) {
      const short = data[at + 1]! & 0x7f
      const header = short < 126 ? 2 : short === 126 ? 4 : 10
      if (data.length - at < header) break
      const length =
        short < 126 ? short : short === 126 ? data.readUInt16BE(at + 2) : Number(data.readBigUInt64BE(at + 2))
      const end = at + header + length
      if (data.length < end) break
      this.frame(data[at]!, data.subarray(at + header, end))
      at = end
    }
    this.buffer = at === data.length ? Buffer.alloc(0) : data.subarray(at)
  }

  private frame(first: number, payload: Buffer): void {
    const code = first & 0x0f
    if (code === 0x9) this.write(0xa, payload)
    if (code > 0x2) return
    this.message = crc32(payload, code === 0 ? this.message : 0)
    if (first & 0x80) this.onMessage(this.message)
  }
}
