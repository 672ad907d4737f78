// Prometheus metrics of the stream.
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Hub } from './hub.ts'
import { CHANNELS, type ChannelName } from './topic.ts'

/** Why the server ended a connection. */
export type DropReason = 'slow' | 'silent'

/** Counters that a connection increments. */
export interface StreamCounts {
  /** Counts a sent message. */
  sent(channel: ChannelName | 'error'): void
  /** Counts a connection that the server ended. */
  dropped(reason: DropReason): void
}

/** Bounds of the lag's buckets, seconds. */
const LAG_SECONDS = [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30, 120]

export interface StreamState {
  hubs: readonly Hub[]
  /** Open connections of a chain. */
  connectionsOf(hub: Hub): number
}

export class StreamMetrics {
  readonly registry = new Registry()
  /** Messages since the last scrape, by chain and channel. Plain numbers, because each block counts once per subscriber. */
  private readonly pending = new Map<string, Map<string, number>>()
  private readonly dropped: Counter<'chain' | 'reason'>
  private readonly refused: Counter<'chain'>

  constructor({ hubs, connectionsOf }: StreamState) {
    const registers = [this.registry]
    new Gauge({
      name: 'headwater_stream_connections',
      help: 'Open connections of the market stream.',
      labelNames: ['chain'],
      registers,
      collect() {
        for (const hub of hubs) this.set({ chain: hub.chain }, connectionsOf(hub))
      },
    })
    new Gauge({
      name: 'headwater_stream_subscriptions',
      help: 'Subscriptions of the market stream.',
      labelNames: ['chain', 'channel'],
      registers,
      collect() {
        for (const hub of hubs) {
          for (const channel of CHANNELS) this.set({ chain: hub.chain, channel }, 0)
          for (const [channel, count] of hub.counts()) this.inc({ chain: hub.chain, channel }, count)
        }
      },
    })
    const { pending } = this
    new Counter({
      name: 'headwater_stream_messages_total',
      help: 'Messages sent to clients of the market stream.',
      labelNames: ['chain', 'channel'],
      registers,
      collect() {
        for (const [chain, counts] of pending)
          for (const [channel, count] of counts) this.inc({ chain, channel }, count)
        for (const counts of pending.values()) counts.clear()
      },
    })
    const lag = new Histogram({
      name: 'headwater_stream_lag_seconds',
      help: "From a block's time to when the market stream begins to send its changes.",
      labelNames: ['chain'],
      buckets: LAG_SECONDS,
      registers,
    })
    for (const hub of hubs)
      hub.onChanges = (at) => lag.observe({ chain: hub.chain }, Math.max(0, Date.now() - at) / 1000)
    this.dropped = new Counter({
      name: 'headwater_stream_dropped_total',
      help: 'Connections that the server ended because the client did not read or answer.',
      labelNames: ['chain', 'reason'],
      registers,
    })
    this.refused = new Counter({
      name: 'headwater_stream_refused_total',
      help: 'Connections refused because there were too many.',
      labelNames: ['chain'],
      registers,
    })
  }

  countsOf(chain: string): StreamCounts {
    const counts = new Map<string, number>()
    this.pending.set(chain, counts)
    return {
      sent: (channel) => counts.set(channel, (counts.get(channel) ?? 0) + 1),
      dropped: (reason) => this.dropped.inc({ chain, reason }),
    }
  }

  countRefused(chain: string): void {
    this.refused.inc({ chain })
  }
}
