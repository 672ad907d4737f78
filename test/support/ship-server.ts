// A scripted state-history server. It follows the protocol's rules itself (handshake, credits, one current request) and
// records what the client did. A test's script decides what it sends, and when it misbehaves.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import { Reader } from '../../core/antelope/reader.ts'
import { Writer } from '../../core/antelope/writer.ts'
import { type BlocksResult, type NodeStatus, packBlocksResult } from '../../indexer/source/ship/protocol.ts'
import type { BlockPosition, PackedBlock } from '../../indexer/source/source.ts'

export interface ReceivedRequest {
  version: 0 | 1
  start: number
  end: number
  credits: number
  have: BlockPosition[]
  irreversibleOnly: boolean
  deltas: boolean
  finality: boolean
}

/** The server's next step: send a block or bytes, wait, or end the connection (`close` cleanly, `cut` abruptly). */
export type Step = PackedBlock | { raw: Uint8Array } | { wait: number } | 'empty' | 'close' | 'cut' | 'cut in frame'

export interface ShipScript {
  /** First message; default: an ABI with only a version and struct names. */
  abi?: string
  version?: 0 | 1
  /** Pings are not answered, as on a dead connection. */
  mute?: boolean
  /** Null for no answer. `nth` counts the status requests on all connections, from 0. */
  status?(nth: number): Partial<NodeStatus> | null
  /** Steps that answer a request. `nth` counts the requests on all connections, from 0. */
  blocks(request: ReceivedRequest, nth: number): Iterable<Step> | AsyncIterable<Step>
}

const CHAIN_ID = 'c4'.repeat(32)

export class ShipServer {
  readonly requests: ReceivedRequest[] = []
  connections = 0
  acks = 0
  pings = 0
  /** Maximum of unused credits. */
  mostCredits = 0
  /** Bytes sent in blocks. */
  sent = 0
  readonly #script: ShipScript
  readonly #server: WebSocketServer
  #statuses = 0

  private constructor(script: ShipScript, server: WebSocketServer) {
    this.#script = script
    this.#server = server
    server.on('connection', (socket) => new Session(this, script, socket))
  }

  static async start(script: ShipScript): Promise<ShipServer> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false, autoPong: !script.mute })
    await once(server, 'listening')
    return new ShipServer(script, server)
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  nextStatus(): NodeStatus | null {
    const position = { num: 1000, id: 'ab'.repeat(32) }
    const range = { begin: 2, end: 1001 }
    const script = this.#script.status ? this.#script.status(this.#statuses++) : {}
    if (script === null) return null
    return {
      head: position,
      lib: position,
      traces: range,
      deltas: range,
      finality: range,
      chainId: CHAIN_ID,
      ...script,
    }
  }

  async stop(): Promise<void> {
    for (const client of this.#server.clients) client.terminate()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

class Session {
  readonly #server: ShipServer
  readonly #script: ShipScript
  readonly #socket: WebSocket
  #credits = 0
  #request = 0
  #wake: (() => void) | undefined

  constructor(server: ShipServer, script: ShipScript, socket: WebSocket) {
    this.#server = server
    this.#script = script
    this.#socket = socket
    server.connections++
    socket.on('message', (data: Buffer) => this.#onMessage(data))
    socket.on('ping', () => server.pings++)
    socket.on('error', () => {})
    socket.send(script.abi ?? abiOf(script.version ?? 1))
  }

  #onMessage(data: Buffer): void {
    const reader = new Reader(data)
    const kind = reader.varuint32()
    if (kind === 0 || kind === 4) this.#onStatus(kind === 4 ? 1 : 0)
    else if (kind === 1 || kind === 3) this.#onRequest(readRequest(reader, kind === 3 ? 1 : 0))
    else if (kind === 2) this.#onAck(reader.u32())
    if (reader.remaining > 0) throw new Error('bytes follow the request')
  }

  #onStatus(version: 0 | 1): void {
    const status = this.#server.nextStatus()
    if (status) this.#socket.send(packStatus(version, status))
  }

  #onAck(messages: number): void {
    this.#server.acks++
    this.#credits += messages
    this.#server.mostCredits = Math.max(this.#server.mostCredits, this.#credits)
    this.#wake?.()
  }

  #onRequest(request: ReceivedRequest): void {
    const nth = this.#server.requests.push(request) - 1
    this.#credits = request.credits
    this.#server.mostCredits = Math.max(this.#server.mostCredits, this.#credits)
    void this.#play(this.#script.blocks(request, nth), ++this.#request, request)
  }

  async #play(steps: Iterable<Step> | AsyncIterable<Step>, turn: number, request: ReceivedRequest): Promise<void> {
    for await (const step of steps) {
      if (turn !== this.#request || this.#socket.readyState !== this.#socket.OPEN) return
      if (step === 'close') this.#socket.close(1000)
      else if (step === 'cut') this.#socket.terminate()
      else if (step === 'cut in frame') this.#cutInFrame()
      else if (step === 'empty') await this.#send(packResult(request, null))
      else if ('wait' in step) await delay(step.wait, undefined, { ref: false })
      else await this.#send('raw' in step ? step.raw : packResult(request, step))
    }
  }

  /** Sends once there is a credit and the socket has drained. */
  async #send(frame: Uint8Array): Promise<void> {
    while (this.#credits === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    this.#credits--
    this.#server.sent += frame.length
    await new Promise<void>((resolve) => this.#socket.send(frame, () => resolve()))
  }

  #cutInFrame(): void {
    const { _socket } = this.#socket as unknown as { _socket: { write(data: Uint8Array): void; destroySoon(): void } }
    _socket.write(Uint8Array.of(0x82, 126, 0x10, 0x00, 1, 2, 3)) // header of a frame of 4096 bytes, three of them
    _socket.destroySoon()
  }
}

function abiOf(version: 0 | 1): string {
  const structs = ['get_status_request_v0', 'get_blocks_request_v0', 'get_blocks_ack_request_v0']
  if (version === 1) structs.push('get_blocks_request_v1', 'get_status_request_v1')
  return JSON.stringify({ version: 'eosio::abi/1.1', structs: structs.map((name) => ({ name, fields: [] })) })
}

function readRequest(reader: Reader, version: 0 | 1): ReceivedRequest {
  const [start, end, credits] = [reader.u32(), reader.u32(), reader.u32()]
  const have = Array.from({ length: reader.varuint32() }, () => ({ num: reader.u32(), id: reader.checksum256() }))
  const [irreversibleOnly, block, traces, deltas] = [reader.flag(), reader.flag(), reader.flag(), reader.flag()]
  if (!block || !traces) throw new Error('a request without blocks or traces')
  return { version, start, end, credits, have, irreversibleOnly, deltas, finality: version === 1 && reader.flag() }
}

function packResult(request: ReceivedRequest, block: PackedBlock | null): Uint8Array {
  const nowhere = { num: 1000, id: 'ab'.repeat(32) }
  const result: BlocksResult = block
    ? {
        ...block,
        deltas: request.deltas ? block.deltas : null,
        position: { num: block.num, id: block.id },
        previous: { num: block.num - 1, id: block.prevId },
      }
    : {
        head: nowhere,
        lib: nowhere,
        position: null,
        previous: null,
        block: null,
        traces: null,
        deltas: null,
        finality: null,
      }
  const frame = packBlocksResult(result)
  if (request.version === 1) return frame
  frame[0] = 1 // version 0 ends before the finality data
  return frame.subarray(0, frame.length - 1)
}

function packStatus(version: 0 | 1, status: NodeStatus): Uint8Array {
  const out = new Writer()
  out.varuint32(version === 1 ? 3 : 0)
  for (const { num, id } of [status.head, status.lib]) {
    out.u32(num)
    out.checksum256(id)
  }
  for (const { begin, end } of [status.traces, status.deltas]) {
    out.u32(begin)
    out.u32(end)
  }
  if (status.chainId) out.checksum256(status.chainId)
  if (version === 1) {
    out.u32(status.finality?.begin ?? 0)
    out.u32(status.finality?.end ?? 0)
  }
  return out.finish()
}
