// A server of Hyperion's streaming protocol (socket.io at /stream, and get_info), as far as our client uses it:
// a request is acknowledged at once, then its history follows in batches, then live messages one by one.

import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Server, type Socket } from 'socket.io'

export interface Document {
  block_num: number
  [member: string]: unknown
}

export interface StreamRequest {
  kind: 'action' | 'delta'
  contract: string
  start_from: number
}

const BATCH = 20

export class HyperionServer {
  chainId = 'c4'.repeat(32)
  head = 1
  lib = 1
  readonly actions: Document[] = []
  readonly rows: Document[] = []
  readonly requests: StreamRequest[] = []
  connections = 0
  refuse: string | undefined
  /** Called when a client has connected, before its first request. */
  onConnected: (() => void) | undefined
  /** Called after a request is acknowledged, before its history is sent. */
  onAnswered: (() => void) | undefined
  /** Milliseconds before each batch of a history. */
  batchMs = 5
  readonly #http: HttpServer
  readonly #io: Server

  private constructor() {
    this.#http = createServer((request, response) => {
      if (request.url !== '/v1/chain/get_info') return
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(this.#info()))
    })
    this.#io = new Server(this.#http, { path: '/stream', transports: ['websocket'] })
    this.#io.on('connection', (socket) => this.#onConnection(socket))
  }

  static async start(): Promise<HyperionServer> {
    const server = new HyperionServer()
    server.#http.listen(0, '127.0.0.1')
    await once(server.#http, 'listening')
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  /** Sends documents as live messages to the connections that requested them, and keeps them for later histories. */
  live(kind: 'action' | 'delta', ...documents: Document[]): void {
    this.#store(kind).push(...documents)
    for (const document of documents) {
      const room = roomOf(kind, contractOf(document))
      this.#io.to(room).emit('message', { type: `${kind}_trace`, mode: 'live', message: JSON.stringify(document) })
    }
  }

  /** Replaces the blocks from `num` up. */
  fork(num: number, newId: string): void {
    for (const store of [this.actions, this.rows]) {
      store.splice(0, store.length, ...store.filter((document) => document.block_num < num))
    }
    this.#io.emit('fork_event', { chain_id: this.chainId, starting_block: num, ending_block: this.head, new_id: newId })
  }

  advance(head: number, lib: number): void {
    this.head = head
    this.lib = lib
    this.#io.emit('lib_update', { chain_id: this.chainId, block_num: lib, block_id: idOf(lib) })
  }

  /** Cuts all connections. */
  cut(): void {
    this.#io.disconnectSockets(true)
  }

  async stop(): Promise<void> {
    await this.#io.close()
  }

  #store(kind: 'action' | 'delta'): Document[] {
    return kind === 'action' ? this.actions : this.rows
  }

  #onConnection(socket: Socket): void {
    this.connections++
    socket.on('action_stream_request', (data, answer) => this.#onRequest(socket, 'action', data.contract, data, answer))
    socket.on('delta_stream_request', (data, answer) => this.#onRequest(socket, 'delta', data.code, data, answer))
    this.onConnected?.()
  }

  async #onRequest(
    socket: Socket,
    kind: 'action' | 'delta',
    contract: string,
    data: { start_from: number },
    answer: (response: object) => void,
  ): Promise<void> {
    this.requests.push({ kind, contract, start_from: data.start_from })
    if (this.refuse) return answer({ status: 'FAIL', error: this.refuse })
    answer({ status: 'OK', currentBlockNum: this.head })
    this.onAnswered?.()
    await socket.join(roomOf(kind, contract))
    const history = this.#store(kind).filter(
      (document) => document.block_num >= data.start_from && contractOf(document) === contract,
    )
    for (let at = 0; at < history.length; at += BATCH) {
      await delay(this.batchMs)
      socket.emit('message', { type: `${kind}_trace`, mode: 'history', messages: history.slice(at, at + BATCH) })
    }
  }

  #info(): object {
    return {
      chain_id: this.chainId,
      head_block_num: this.head,
      head_block_id: idOf(this.head),
      head_block_time: timeOf(this.head),
      last_irreversible_block_num: this.lib,
      last_irreversible_block_id: idOf(this.lib),
    }
  }
}

/** Block time in the format of nodes and Hyperion: UTC without a zone. */
export function timeOf(num: number): string {
  return new Date(Date.UTC(2026, 0, 1) + num * 500).toISOString().slice(0, -1)
}

/** A valid block id for a number. */
export function idOf(num: number, branch = 'aa'): string {
  return num.toString(16).padStart(8, '0') + branch.repeat(28)
}

function contractOf(document: Document): string {
  return (document.code as string | undefined) ?? (document.act as { account: string }).account
}

function roomOf(kind: 'action' | 'delta', contract: string): string {
  return `${kind} ${contract}`
}
