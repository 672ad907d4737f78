// A plain state-history client for tests: it sends the given requests and stores the frames.

import { WebSocket } from 'ws'
import { decodeResult, encodeShip, type Plain } from '../wharf.ts'

export class ShipClient {
  readonly messages: Uint8Array[] = []
  /** The protocol's ABI, which is the first message. */
  abiText = ''
  closed = false
  private readonly socket: WebSocket
  private wake: () => void = () => {}

  constructor(url: string) {
    this.socket = new WebSocket(url)
    this.socket.on('message', (data: Buffer, binary: boolean) => {
      if (binary) this.messages.push(new Uint8Array(data))
      else this.abiText = data.toString()
      this.wake()
    })
    for (const event of ['close', 'error']) {
      this.socket.on(event, () => {
        this.closed = true
        this.wake()
      })
    }
  }

  /** Resolves when the condition holds; rejects after four minutes. */
  async until(condition: () => boolean, what: string): Promise<void> {
    const deadline = Date.now() + 240_000
    while (!condition()) {
      if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 100)
        this.wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  async send(kind: string, body: object = {}): Promise<void> {
    await this.until(() => this.abiText !== '', 'the ABI')
    this.socket.send(encodeShip('request', [kind, body]))
  }

  /** Sends bytes unchanged. */
  async sendRaw(bytes: Uint8Array): Promise<void> {
    await this.until(() => this.abiText !== '', 'the ABI')
    this.socket.send(bytes)
  }

  async status(version: 0 | 1): Promise<Plain> {
    const before = this.messages.length
    await this.send(`get_status_request_v${version}`)
    await this.until(() => this.messages.length > before, 'status')
    return decodeResult(this.messages.at(-1)!)
  }

  blocks(start: number, options: Record<string, unknown> = {}, version: 0 | 1 = 1): Promise<void> {
    return this.send(`get_blocks_request_v${version}`, {
      start_block_num: start,
      end_block_num: 0xffffffff,
      max_messages_in_flight: 1000,
      have_positions: [],
      irreversible_only: false,
      fetch_block: true,
      fetch_traces: true,
      fetch_deltas: true,
      ...(version === 1 && { fetch_finality_data: true }),
      ...options,
    })
  }

  ack(messages: number): Promise<void> {
    return this.send('get_blocks_ack_request_v0', { num_messages: messages })
  }

  /** All results received; waits for at least `count`. */
  async results(count: number): Promise<Plain[]> {
    await this.until(() => this.messages.length >= count, `${count} messages, got ${this.messages.length}`)
    return this.messages.map(decodeResult)
  }

  close(): void {
    this.socket.terminate()
  }
}
