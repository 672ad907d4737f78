// The market stream of all chains: accepts connections within limits, pings them, and drops stalled ones.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { WebSocketServer } from 'ws'
import type { ChainContext } from '../../chain-context.ts'
import { LIMITS } from '../../kit/limits.ts'
import { Connection } from './connection.ts'
import { Hub } from './hub.ts'
import { type DropReason, type StreamCounts, StreamMetrics } from './metrics.ts'

export interface StreamOptions {
  /** Limit of open connections. */
  connections: number
  /** Limit of open connections from one address; 0: no limit. */
  connectionsPerAddress: number
  /** Longest message of a client, bytes; a longer one ends the connection with code 1009. */
  messageBytes: number
  /** A client that reads nothing for this time is dropped, seconds. */
  stallSeconds: number
  /** Interval of pings, seconds. A client that has not answered by the next ping is dropped. */
  pingSeconds: number
}

export const STREAM_DEFAULTS: StreamOptions = {
  connections: 10_000,
  connectionsPerAddress: 0,
  messageBytes: 4096,
  stallSeconds: 30,
  pingSeconds: LIMITS.streamPingSeconds,
}

/** Connections are pinged in groups, spread evenly over the ping interval. */
const GROUPS = 30
/** Connections that are written to in one round of the event loop. */
const PER_ROUND = 1000
/** Time for clients to close their connections when the server stops. */
const FAREWELL_MS = 500

interface ChainState {
  hub: Hub
  counts: StreamCounts
  connections: Set<Connection>
}

export class MarketStream {
  readonly metrics: StreamMetrics
  private readonly options: StreamOptions
  private readonly sockets: WebSocketServer
  private readonly chains: Map<ChainContext, ChainState>
  /** Connections that are pinged together. */
  private readonly groups = Array.from({ length: GROUPS }, () => new Set<Connection>())
  private readonly chainOf = new Map<Connection, ChainState>()
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
    const connectionsOf = (hub: Hub) =>
      [...this.chains.values()].find((state) => state.hub === hub)?.connections.size ?? 0
    this.metrics = new StreamMetrics({ hubs, connectionsOf })
    this.chains = new Map(
      contexts.map((context, i) => {
        const counts = this.metrics.countsOf(context.chain)
        return [context, { hub: hubs[i] as Hub, counts, connections: new Set() }]
      }),
    )
    this.sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      // The connection answers pings itself, in order with its other messages.
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

  /** The limit that refuses another connection, null if there is room. Counts refusals. */
  refuses(context: ChainContext, address: string): 'all' | 'address' | null {
    const { connections, connectionsPerAddress } = this.options
    const isFull = this.chainOf.size >= connections
    const hasMany = connectionsPerAddress > 0 && (this.addresses.get(address) ?? 0) >= connectionsPerAddress
    if (!isFull && !hasMany) return null
    this.metrics.countRefused(context.chain)
    return isFull ? 'all' : 'address'
  }

  /** Accepts a WebSocket upgrade for the stream of a chain. */
  accept(context: ChainContext, request: IncomingMessage, socket: Duplex, head: Buffer, address: string): void {
    const state = this.chains.get(context) as ChainState
    this.sockets.handleUpgrade(request, socket, head, (ws) => {
      const schedule = (one: Connection) => this.schedule(one)
      const connection = new Connection(ws, socket, state.hub, address, state.counts, schedule)
      const group = this.groups[this.accepted++ % GROUPS] as Set<Connection>
      this.chainOf.set(connection, state)
      this.addresses.set(address, (this.addresses.get(address) ?? 0) + 1)
      state.connections.add(connection)
      group.add(connection)
      ws.once('close', () => {
        group.delete(connection)
        state.connections.delete(connection)
        this.chainOf.delete(connection)
        this.waiting.delete(connection)
        const left = (this.addresses.get(address) as number) - 1
        if (left === 0) this.addresses.delete(address)
        else this.addresses.set(address, left)
      })
    })
  }

  /** Closes all connections with code 1001. Drops connections that are still open after `FAREWELL_MS`. */
  async close(): Promise<void> {
    clearInterval(this.timer)
    for (const { hub } of this.chains.values()) hub.close()
    for (const connection of this.chainOf.keys()) connection.goAway()
    const until = performance.now() + FAREWELL_MS
    while (this.chainOf.size > 0 && performance.now() < until) await delay(10)
    for (const connection of this.chainOf.keys()) connection.drop()
    this.sockets.close()
  }

  /**
   * Schedules a connection for `deliver`. A block changes the channels of thousands of connections. They are written to
   * after the block's listeners have run, `PER_ROUND` at a time, the first ones before any other task of the event
   * loop.
   */
  private schedule(connection: Connection): void {
    this.waiting.add(connection)
    if (this.isScheduled) return
    this.isScheduled = true
    process.nextTick(() => this.deliver())
  }

  private deliver(): void {
    let left = PER_ROUND
    for (const connection of this.waiting) {
      if (left-- === 0) break
      this.waiting.delete(connection)
      connection.deliver()
    }
    this.isScheduled = this.waiting.size > 0
    if (this.isScheduled) setImmediate(() => this.deliver())
  }

  /** Drops all stalled connections; pings one group and drops those of it that have not answered the last ping. */
  private watch(): void {
    const now = performance.now()
    for (const connection of this.chainOf.keys())
      if (connection.stalledFor(now) > this.options.stallSeconds * 1000) this.drop(connection, 'slow')
    for (const connection of this.groups[this.tick++ % GROUPS] as Set<Connection>)
      if (connection.answered) connection.ping()
      else this.drop(connection, 'silent')
  }

  private drop(connection: Connection, reason: DropReason): void {
    this.chainOf.get(connection)?.counts.dropped(reason)
    connection.drop()
  }
}
