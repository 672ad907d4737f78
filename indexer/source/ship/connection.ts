// One WebSocket connection to a state-history node: handshake, statuses, and the stream of result frames with credits
// and a byte-limited queue. Does not check forks or continuity. Every failure is a coded error of `next` or `open`.
import { WebSocket } from 'ws'
import { RetryableError, UserError } from '../../../core/errors.ts'
import { ByteQueue } from '../byte-queue.ts'
import { within } from '../deadline.ts'
import type { BlockPosition } from '../source.ts'
import type { SourceStats } from '../stats.ts'
import { Credits } from './credits.ts'
import { connectionLost, describeFailure } from './failure.ts'
import type { ShipSettings } from './options.ts'
import {
  type BlocksRequest,
  isBlocksResult,
  type NodeStatus,
  type ProtocolVersions,
  packAck,
  packBlocksRequest,
  packStatusRequest,
  unpackMessage,
  versionsOf,
} from './protocol.ts'

/** Credits of the first request, while frame sizes are unknown. */
const FIRST_CREDITS = 4

/** The consumer's chain: distinguishes a silent node from a chain without new blocks. */
export interface HeldChain {
  /** Number of the next block. */
  readonly next: number
  contradicts(position: BlockPosition): boolean
}

interface StatusWaiter {
  resolve(status: NodeStatus): void
  reject(error: Error): void
}

export class ShipConnection {
  readonly url: string
  /** The ABI text that the node sent first. */
  abi = ''
  readonly #settings: ShipSettings
  readonly #stats: SourceStats
  readonly #signal: AbortSignal
  readonly #socket: WebSocket
  readonly #queue = new ByteQueue<Uint8Array>()
  #versions: ProtocolVersions = { status: 0, blocks: 0 }
  #credits: Credits | undefined
  #statusWaiters: StatusWaiter[] = []
  #opened: ((error?: Error) => void) | undefined
  #failure: Error | undefined
  #ponged = false
  /** This queue's bytes in the shared counters, which other connections change too. */
  #counted = 0

  private constructor(url: string, settings: ShipSettings, stats: SourceStats, signal: AbortSignal) {
    this.url = url
    this.#settings = settings
    this.#stats = stats
    this.#signal = signal
    this.#socket = new WebSocket(url, {
      perMessageDeflate: false,
      maxPayload: settings.maxFrameBytes,
      handshakeTimeout: settings.connectMs,
      skipUTF8Validation: true,
    })
    this.#socket.binaryType = 'nodebuffer'
    this.#socket.on('message', (data: Buffer, binary: boolean) => this.#onMessage(data, binary))
    this.#socket.on('error', (error: Error & { code?: string }) =>
      this.fail(describeFailure(this.#socket, error, this.#settings)),
    )
    this.#socket.on('close', (code: number) => this.fail(this.#lost(`the node closed the connection (${code})`)))
    this.#socket.on('pong', () => {
      this.#ponged = true
    })
    signal.addEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = () => this.fail(this.#lost('stopped'))

  /**
   * Connects and waits for the ABI. An abort fails the connection at any time.
   *
   * @throws RetryableError SHIP_CONNECTION, UserError NOT_STATE_HISTORY when another service answers at that address
   */
  static async open(
    url: string,
    settings: ShipSettings,
    stats: SourceStats,
    signal: AbortSignal,
  ): Promise<ShipConnection> {
    const connection = new ShipConnection(url, settings, stats, signal)
    try {
      await within(
        settings.connectMs,
        new Promise<void>((resolve, reject) => {
          connection.#opened = (error) => (error ? reject(error) : resolve())
        }),
        () => connection.#lost(`no ABI within ${settings.connectMs} ms`),
      )
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  }

  /** Requests the node's status; other messages continue meanwhile. */
  async status(timeoutMs = this.#settings.connectMs): Promise<NodeStatus> {
    if (this.#failure) throw this.#failure
    const answer = new Promise<NodeStatus>((resolve, reject) => this.#statusWaiters.push({ resolve, reject }))
    this.#socket.send(packStatusRequest(this.#versions.status))
    return await within(timeoutMs, answer, () => this.#lost(`no status within ${timeoutMs} ms`))
  }

  /** Starts the stream of blocks. Call once for each connection. */
  request(request: Omit<BlocksRequest, 'credits'>): void {
    const credits = Math.min(FIRST_CREDITS, this.#settings.maxCredits)
    this.#credits = new Credits(this.#settings.maxQueueBytes, credits, this.#settings.maxCredits)
    this.#socket.send(packBlocksRequest(this.#versions.blocks, { ...request, credits }))
  }

  /** The next result frame. Queued frames are returned first, also after a failure. */
  async next(held: HeldChain): Promise<Uint8Array> {
    const taken = this.#queue.take()
    const frame = taken instanceof Promise ? await this.#awaited(taken, held) : taken
    this.#countQueue(this.#queue.bytes)
    if (this.#socket.isPaused && this.#queue.bytes <= this.#settings.maxQueueBytes / 2) this.#socket.resume()
    this.#topUp()
    return frame
  }

  /** Ends the stream with `error`; queued frames can still be taken. */
  fail(error: Error): void {
    this.#failure ??= error
    this.#queue.fail(this.#failure)
    this.#opened?.(this.#failure)
    for (const waiter of this.#statusWaiters.splice(0)) waiter.reject(this.#failure)
  }

  /** Closes the connection and drops the queue. */
  close(): void {
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.fail(this.#lost('closed'))
    this.#countQueue(0)
    this.#socket.terminate()
  }

  #onMessage(data: Buffer, binary: boolean): void {
    if (this.abi === '') this.#onAbi(data, binary)
    else if (isBlocksResult(data)) this.#onBlocks(data)
    else this.#onStatus(data)
  }

  #onBlocks(data: Uint8Array): void {
    this.#stats.frames++
    this.#stats.bytes += data.byteLength
    this.#credits?.received(data.byteLength)
    this.#queue.push(data)
    this.#countQueue(this.#queue.bytes)
    if (this.#queue.bytes >= this.#settings.maxQueueBytes) this.#socket.pause()
    this.#topUp()
  }

  #onAbi(data: Buffer, binary: boolean): void {
    const abi = data.toString()
    const versions = versionsOf(abi)
    if (binary || !versions) {
      const message = `${this.#settings.chain}: ${this.url} does not speak state history`
      this.fail(new UserError('NOT_STATE_HISTORY', message, { hint: 'give the address of state-history-endpoint' }))
      return
    }
    this.abi = abi
    this.#versions = versions
    this.#opened?.()
  }

  #onStatus(frame: Uint8Array): void {
    try {
      const message = unpackMessage(frame)
      if (message.kind === 'status') this.#statusWaiters.shift()?.resolve(message.status)
    } catch (error) {
      this.fail(error as Error)
    }
  }

  #topUp(): void {
    const messages = this.#credits?.grant(this.#queue.bytes) ?? 0
    if (messages > 0 && this.#socket.readyState === WebSocket.OPEN) this.#socket.send(packAck(messages))
  }

  #countQueue(bytes: number): void {
    this.#stats.queueBytes += bytes - this.#counted
    this.#counted = bytes
  }

  #awaited(frame: Promise<Uint8Array>, held: HeldChain): Promise<Uint8Array> {
    const watched = this.#watched(frame, held)
    return this.#settings.readsAhead ? watched : this.#stats.waiting(watched)
  }

  /** Awaits a frame. When none arrives, finds the cause and fails with it. */
  async #watched(frame: Promise<Uint8Array>, held: HeldChain): Promise<Uint8Array> {
    const timer = setInterval(() => {
      this.#diagnose(held).catch((error: Error) => this.fail(error))
    }, this.#settings.silenceMs)
    try {
      return await frame
    } finally {
      clearInterval(timer)
    }
  }

  async #diagnose(held: HeldChain): Promise<void> {
    const { chain, silenceMs, answerMs, urls } = this.#settings
    const silent = (cause: string) =>
      new RetryableError('SHIP_SILENT', `${chain}: ${this.url} has sent nothing for ${silenceMs} ms: ${cause}`, {
        hint: 'restart the node, or give several addresses',
        place: { chain, block: held.next },
      })
    this.#ponged = false
    this.#socket.ping()
    const status = await this.status(answerMs).catch((error: Error) => error)
    if (!this.#queue.awaited) return
    if (status instanceof Error) {
      throw silent(
        this.#ponged ? 'it answers pings but no status' : 'the connection is dead, not even a ping comes back',
      )
    }
    const { num } = status.head
    if (num >= held.next) throw silent(`its head is ${num}, block ${held.next} does not come`)
    if (held.contradicts(status.head)) throw silent(`its head ${num} is on another branch, which does not come`)
    const message = `${chain}: the head of ${this.url} stands still at ${num}`
    const stalled = new RetryableError('SHIP_HEAD_STALLED', message, {
      hint: 'look at the producers or the peers of the node',
    })
    if (urls.length > 1) throw stalled
    this.#stats.anomaly(stalled.code, stalled.message)
  }

  #lost(cause: string): RetryableError {
    return connectionLost(this.url, cause, this.#settings)
  }
}
