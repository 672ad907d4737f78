// The market stream of all chains: takes connections within limits, pings them, ends those that nobody reads.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { WebSocketServer } from 'ws'
import type { ChainContext } from '../chain-context.ts'
import { LIMITS } from '../exchange/meta.ts'
import { Connection } from './connection.ts'
import { Hub } from './hub.ts'
import { type DropReason, type StreamCounts, StreamMetrics } from './metrics.ts'

export interface StreamOptions {
  /** Most connections at once. */
  connections: number
  /** Most of one address; 0: no limit. */
  connectionsPerAddress: number
  /** Longest message of a client, bytes; a longer one ends the connection with code 1009. */
  messageBytes: number
  /** A reader that takes nothing for so long is dropped, seconds. */
  stallSeconds: number
  /** Every connection is pinged so often; one that has not answered by the next time is dropped. */
  pingSeconds: number
}

export const STREAM_DEFAULTS: StreamOptions = {
  connections: 10_000,
  connectionsPerAddress: 0,
  messageBytes: 4096,
  stallSeconds: 30,
  pingSeconds: LIMITS.streamPingSeconds,
}

/** Connections are pinged in so many groups, spread over the time between two pings. */
const GROUPS = 30
/** Connections that are written to before others have their turn. */
const TURN = 1000
/** How long clients have to take leave when the server ends. */
const FAREWELL_MS = 500

interface Line {
  hub: Hub
  counts: StreamCounts
  connections: Set<Connection>
}

export class MarketStream {
  readonly metrics: StreamMetrics
  private readonly options: StreamOptions
  private readonly sockets: WebSocketServer
  private readonly lines: Map<ChainContext, Line>
  /** Who is pinged together. */
  private readonly groups = Array.from({ length: GROUPS }, () => new Set<Connection>())
  private readonly lineOf = new Map<Connection, Line>()
  private readonly addresses = new Map<string, number>()
  /** Connections with something to send. */
  private readonly waiting = new Set<Connection>()
  private readonly timer: NodeJS.Timeout
  private isScheduled = false
  private tick = 0
  private accepted = 0

  constructor(contexts: readonly ChainContext[], options: Partial<StreamOptions> = {}) {
    this.options = { ...STREAM_DEFAULTS, ...options }
    const hubs = contexts.map((context) => new Hub(context))
    const connectionsOf = (hub: Hub) => [...this.lines.values()].find((line) => line.hub === hub)?.connections.size ?? 0
    this.metrics = new StreamMetrics({ hubs, connectionsOf })
    this.lines = new Map(
      contexts.map((context, i) => {
        const counts = this.metrics.countsOf(context.chain)
        return [context, { hub: hubs[i] as Hub, counts, connections: new Set() }]
      }),
    )
    this.sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      // A connection answers pings in turn with all else that it sends.
      autoPong: false,
      perMessageDeflate: false,
      maxPayload: this.options.messageBytes,
    })
    this.timer = setInterval(() => this.watch(), (this.options.pingSeconds * 1000) / GROUPS)
    this.timer.unref()
  }

  get registry(): Registry {
    return this.metrics.registry
  }

  /** Whether there is room for one more; counted when there is not. */
  refuses(context: ChainContext, address: string): 'all' | 'address' | null {
    const { connections, connectionsPerAddress } = this.options
    const isFull = this.lineOf.size >= connections
    const hasMany = connectionsPerAddress > 0 && (this.addresses.get(address) ?? 0) >= connectionsPerAddress
    if (!isFull && !hasMany) return null
    this.metrics.refuse(context.chain)
    return isFull ? 'all' : 'address'
  }

  /** Takes over a socket that asks for the stream of a chain. */
  accept(context: ChainContext, request: IncomingMessage, socket: Duplex, head: Buffer, address: string): void {
    const line = this.lines.get(context) as Line
    this.sockets.handleUpgrade(request, socket, head, (ws) => {
      const schedule = (one: Connection) => this.schedule(one)
      const connection = new Connection(ws, socket, line.hub, address, line.counts, schedule)
      const group = this.groups[this.accepted++ % GROUPS] as Set<Connection>
      this.lineOf.set(connection, line)
      this.addresses.set(address, (this.addresses.get(address) ?? 0) + 1)
      line.connections.add(connection)
      group.add(connection)
      ws.once('close', () => {
        group.delete(connection)
        line.connections.delete(connection)
        this.lineOf.delete(connection)
        this.waiting.delete(connection)
        const left = (this.addresses.get(address) as number) - 1
        if (left === 0) this.addresses.delete(address)
        else this.addresses.set(address, left)
      })
    })
  }

  /** Tells all clients that the server ends, and ends. */
  async close(): Promise<void> {
    clearInterval(this.timer)
    for (const { hub } of this.lines.values()) hub.close()
    for (const connection of this.lineOf.keys()) connection.goAway()
    const until = performance.now() + FAREWELL_MS
    while (this.lineOf.size > 0 && performance.now() < until) await delay(10)
    for (const connection of this.lineOf.keys()) connection.drop()
    this.sockets.close()
  }

  /**
   * A block tells thousands of connections: they are written to when it is done with, a thousand at a time. The first
   * ones have their turn before all that the block makes others do.
   */
  private schedule(connection: Connection): void {
    this.waiting.add(connection)
    if (this.isScheduled) return
    this.isScheduled = true
    process.nextTick(() => this.deliver())
  }

  private deliver(): void {
    let left = TURN
    for (const connection of this.waiting) {
      if (left-- === 0) break
      this.waiting.delete(connection)
      connection.deliver()
    }
    this.isScheduled = this.waiting.size > 0
    if (this.isScheduled) setImmediate(() => this.deliver())
  }

  /** Pings one group, and drops who has not answered since the last time or takes nothing. */
  private watch(): void {
    const now = performance.now()
    for (const connection of this.lineOf.keys())
      if (connection.stalledFor(now) > this.options.stallSeconds * 1000) this.drop(connection, 'slow')
    for (const connection of this.groups[this.tick++ % GROUPS] as Set<Connection>)
      if (connection.answered) connection.ping()
      else this.drop(connection, 'silent')
  }

  private drop(connection: Connection, reason: DropReason): void {
    this.lineOf.get(connection)?.counts.dropped(reason)
    connection.drop()
  }
}
