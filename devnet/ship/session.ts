// One client of the state-history server: its current request, its credits, its cursor.
// A block applied below the cursor sets the cursor back. A client gets no other sign of a fork.

import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { required } from '../../core/required.ts'
import type { BlockPosition, Chain } from '../chain/chain.ts'
import type { StoredBlock } from '../chain/frame-store.ts'
import type { Faults } from './faults.ts'
import {
  type BlocksRequest,
  type BlocksResult,
  packBlocksResult,
  packStatus,
  readRequest,
  type Status,
} from './protocol.ts'
import type { ServingThread } from './serving-thread.ts'

/** A log that starts after the chain's first block: its first delta is the full delta. */
export interface LogStart {
  num: number
  /** `chain.fullDeltas()` as of that block. */
  deltas: Uint8Array
  /**
   * True: the node was started from its snapshot of that block. The first entry then has no block, no traces and no
   * previous block, and the logs of traces and finality data begin one block later. False: the log was enabled there.
   */
  isSnapshot?: boolean
}

/** Ranges of the logs that differ from the log of deltas. nodeos may clear the log of finality data. */
export interface KeptLogs {
  /** First block of the log of traces. */
  traces?: number
  /** First and last block of the log of finality data; null: the log is empty. */
  finality?: { from: number; to?: number } | null
}

interface Serving {
  faults: Faults
  kept: KeptLogs
  thread: ServingThread
  logStart: LogStart | null
}

/** The part of a chain that a session reads. */
export type ServedChain = Pick<
  Chain,
  'chainId' | 'firstBlock' | 'head' | 'lib' | 'savanna' | 'idOf' | 'block' | 'onBlock'
>

const NOTHING = { begin: 0, end: 0 }
const MAX_BUFFERED_BYTES = 8 << 20

export class Session {
  private readonly socket: WebSocket
  private readonly raw: Duplex
  private readonly chain: ServedChain
  private readonly faults: Faults
  private readonly logStart: LogStart | null
  private readonly kept: KeptLogs
  private readonly thread: ServingThread
  private request: BlocksRequest | null = null
  private cursor = 0
  private credits = 0
  private silent = false
  private pumping = false

  constructor(socket: WebSocket, raw: Duplex, chain: ServedChain, { faults, kept, thread, logStart }: Serving) {
    this.socket = socket
    this.raw = raw
    this.chain = chain
    this.faults = faults
    this.logStart = logStart
    this.kept = kept
    this.thread = thread
    socket.on('message', (data: Buffer) => this.receive(data))
    socket.on(
      'close',
      chain.onBlock((block) => this.applied(block)),
    )
  }

  private get begin(): number {
    return this.logStart?.num ?? this.chain.firstBlock
  }

  private receive(data: Buffer): void {
    try {
      const request = readRequest(data)
      if (request.kind === 'status') this.socket.send(packStatus(this.status(), request.version))
      else if (request.kind === 'ack') this.credits += request.messages
      else this.startBlocks(request)
    } catch {
      this.socket.close(1008)
      return
    }
    void this.pump()
  }

  private status(): Status {
    const { head, lib, chainId, savanna } = this.chain
    const state = { begin: this.begin, end: head.num + 1 }
    const range = this.logStart?.isSnapshot ? this.after(this.logStart.num) : state
    const traces = { begin: Math.max(range.begin, this.kept.traces ?? 0), end: range.end }
    const finality = savanna ? this.finalityRange(range) : NOTHING
    return { head, lib, traces, state, finality, chainId: this.faults.chainId ?? chainId }
  }

  private finalityRange({ begin, end }: { begin: number; end: number }): { begin: number; end: number } {
    const { finality } = this.kept
    if (finality === null) return NOTHING
    return { begin: Math.max(begin, finality?.from ?? 0), end: Math.min(end, (finality?.to ?? end) + 1) }
  }

  /** Range of a log that begins after a block. */
  private after(num: number): { begin: number; end: number } {
    const { head } = this.chain
    return head.num > num ? { begin: num + 1, end: head.num + 1 } : NOTHING
  }

  private startBlocks(request: BlocksRequest): void {
    this.request = request
    this.credits = request.maxMessagesInFlight
    this.cursor = request.start
    for (const { num, id } of request.havePositions) {
      if (num < this.cursor && this.chain.idOf(num) !== id) this.cursor = num
    }
  }

  private applied({ num }: BlockPosition): void {
    if (this.request && num < this.cursor) this.cursor = num
    void this.pump()
  }

  /** Number of the next block that can be sent now; undefined without credits or blocks. */
  private next(): number | undefined {
    if (!this.request || this.silent || this.credits <= 0 || this.socket.readyState !== this.socket.OPEN)
      return undefined
    const last = this.request.irreversibleOnly ? this.chain.lib.num : this.chain.head.num
    return this.cursor <= last && this.cursor < this.request.end ? this.cursor : undefined
  }

  private async pump(): Promise<void> {
    if (this.pumping) return
    this.pumping = true
    for (let num = this.next(); num !== undefined; num = this.next()) {
      this.cursor = num + 1
      await this.thread.serve()
      if (!this.sendBlock(num)) break
      if (this.socket.bufferedAmount > MAX_BUFFERED_BYTES) await this.drained()
      else if (num % 16 === 0) await new Promise(setImmediate)
    }
    this.pumping = false
  }

  private async drained(): Promise<void> {
    while (this.socket.bufferedAmount > MAX_BUFFERED_BYTES / 2) await new Promise((resolve) => setTimeout(resolve, 2))
  }

  /** @returns false when no more may be sent */
  private sendBlock(num: number): boolean {
    const { faults } = this
    if (faults.gap.delete(num)) return true
    if (faults.silence.delete(num)) {
      this.silent = true
      return false
    }
    if (faults.disconnect.delete(num)) {
      this.socket.terminate()
      return false
    }
    const frame = this.frame(num)
    if (faults.cut.delete(num)) {
      this.cut(frame)
      return false
    }
    for (let copies = faults.duplicate.delete(num) ? 2 : 1; copies > 0; copies--) {
      this.credits--
      this.socket.send(frame)
    }
    return true
  }

  private frame(num: number): Uint8Array {
    const { head, lib } = this.chain
    const { version } = required(this.request, 'request')
    const stored = num < this.begin || this.faults.empty.delete(num) ? undefined : this.chain.block(num)
    const frame = packBlocksResult({ head, lib, ...(stored ? this.content(stored) : EMPTY) }, version)
    if (this.faults.lyingLength.delete(num)) return frame.subarray(0, frame.length - 3)
    return frame
  }

  private content(stored: StoredBlock): typeof EMPTY {
    const request = required(this.request, 'request')
    const { num, id } = stored
    const prevId = this.faults.wrongPrev.delete(num)
      ? flipped(required(stored.prevId, 'previous block'))
      : stored.prevId
    const short = this.faults.truncated.delete(num) ? 1 : 0
    const cut = (part: Uint8Array) => part.subarray(0, part.length - short)
    if (this.logStart?.isSnapshot && num === this.logStart.num)
      return { ...EMPTY, thisBlock: { num, id }, deltas: request.fetchDeltas ? cut(this.deltas(stored)) : null }
    return {
      thisBlock: { num, id },
      prevBlock: prevId === null || num === this.begin ? null : { num: num - 1, id: prevId },
      block: request.fetchBlock ? stored.block : null,
      traces: request.fetchTraces && num >= (this.kept.traces ?? 0) ? cut(stored.traces) : null,
      deltas: request.fetchDeltas ? cut(this.deltas(stored)) : null,
      finality: request.fetchFinality && this.keepsFinality(num) ? stored.finality : null,
    }
  }

  private keepsFinality(num: number): boolean {
    const { finality } = this.kept
    return finality !== null && num >= (finality?.from ?? 0) && num <= (finality?.to ?? num)
  }

  private deltas({ num, deltas }: StoredBlock): Uint8Array {
    const size = this.faults.giant.get(num)
    if (size !== undefined) {
      this.faults.giant.delete(num)
      return new Uint8Array(size)
    }
    return num === this.logStart?.num ? this.logStart.deltas : deltas
  }

  /** Sends half of a WebSocket frame and closes the connection. */
  private cut(payload: Uint8Array): void {
    const header = Buffer.alloc(10)
    header[0] = 0x82
    header[1] = 127
    header.writeBigUInt64BE(BigInt(payload.length), 2)
    this.raw.write(Buffer.concat([header, payload.subarray(0, payload.length >> 1)]), () => this.raw.destroy())
  }
}

const EMPTY: Omit<BlocksResult, 'head' | 'lib'> = {
  thisBlock: null,
  prevBlock: null,
  block: null,
  traces: null,
  deltas: null,
  finality: null,
}

function flipped(id: string): string {
  return id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')
}
