// State history over WebSocket, like a node's: the protocol's ABI as text, then binary messages.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { type Faults, noFaults } from './faults.ts'
import { ServingThread } from './serving-thread.ts'
import { type KeptLogs, type LogStart, type ServedChain, Session } from './session.ts'

const shipAbi = readFileSync(new URL('./ship-abi.json', import.meta.url), 'utf8').trim()

export interface ShipOptions {
  /** 0 for any free port. */
  port?: number
  faults?: Faults
  logStart?: LogStart
  /** Logs that begin at different blocks. */
  kept?: KeptLogs
  /** Milliseconds for which a block occupies the one thread that serves all sessions. Default: 0, no added time. */
  blockMs?: number
}

export interface ShipServer {
  /** `ws://127.0.0.1:…` */
  url: string
  /** May be changed at any time. */
  faults: Faults
  /** May be changed at any time. */
  kept: KeptLogs
  /** Closes all connections; new ones are accepted. */
  dropAll(): void
  stop(): Promise<void>
}

/** Serves a chain on the local interface. */
export async function startShip(chain: ServedChain, options: ShipOptions = {}): Promise<ShipServer> {
  const faults = options.faults ?? noFaults()
  const kept = options.kept ?? {}
  const thread = new ServingThread(options.blockMs ?? 0)
  const http = createServer((_, response) => response.writeHead(426).end())
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false })
  sockets.on('connection', (socket, request) => {
    socket.on('error', () => socket.terminate())
    socket.send(shipAbi)
    new Session(socket, request.socket, chain, { faults, kept, thread, logStart: options.logStart ?? null })
  })
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const dropAll = () => {
    for (const socket of sockets.clients) socket.terminate()
  }
  return {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}`,
    faults,
    kept,
    dropAll,
    stop() {
      dropAll()
      sockets.close()
      return new Promise((resolve) => http.close(() => resolve()))
    },
  }
}
