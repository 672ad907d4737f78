// All connections to the stream of facts, of all chains.
import type { ChainContext } from '../../chain-context.ts'
import type { Log } from '../../http/log.ts'
import { Turns } from '../../kit/turns.ts'
import type { Place } from './cursor.ts'
import { FactFeed } from './fact-feed.ts'
import { readStep } from './step.ts'
import { ClientGone, type Sink, type Subscription, serve } from './subscriber.ts'

export interface FactStreamOptions {
  /** Limit of open connections. */
  connections: number
  /** Limit of open connections from one address; 0: no limit. */
  connectionsPerAddress: number
  /** Interval at which subscribers read even if no new block was announced, ms. */
  checkMs: number
  /** Time without a message after which the cursor is sent, milliseconds. */
  progressMs: number
}

const DEFAULTS: FactStreamOptions = {
  connections: 1000,
  connectionsPerAddress: 0,
  checkMs: 1000,
  progressMs: 10_000,
}

/** Reads at a time over all chains, so that the connections of other endpoints remain. */
const MAX_READS = 2
/** Blocks below the head from which a subscriber counts as being at the head. */
const NEAR = 10

/** One connection. */
export interface Client {
  sink: Sink
  /** Aborts when the client is gone. */
  gone: AbortSignal
  address: string
}

export class FactStreams {
  private readonly log: Log
  private readonly options: FactStreamOptions
  private readonly feeds = new Map<ChainContext, { feed: FactFeed; subscribers: number }>()
  private readonly running = new Set<Promise<void>>()
  private readonly addresses = new Map<string, number>()
  private readonly turns = new Turns(MAX_READS)
  private readonly stopped = new AbortController()

  constructor(log: Log, options: Partial<FactStreamOptions> = {}) {
    this.log = log
    const { connections, connectionsPerAddress, checkMs, progressMs } = options
    this.options = {
      connections: connections ?? DEFAULTS.connections,
      connectionsPerAddress: connectionsPerAddress ?? DEFAULTS.connectionsPerAddress,
      checkMs: checkMs ?? DEFAULTS.checkMs,
      progressMs: progressMs ?? DEFAULTS.progressMs,
    }
  }

  /** The limit that refuses another connection, null if there is room. */
  refuses(address: string): 'all' | 'address' | null {
    const { connections, connectionsPerAddress } = this.options
    if (this.running.size >= connections) return 'all'
    const hasMany = connectionsPerAddress > 0 && (this.addresses.get(address) ?? 0) >= connectionsPerAddress
    return hasMany ? 'address' : null
  }

  /** Serves a client until it is gone or the server stops. Never rejects. */
  async serve(context: ChainContext, wanted: Subscription, { sink, gone, address }: Client): Promise<void> {
    const held = this.feeds.get(context) ?? { feed: this.feedOf(context), subscribers: 0 }
    this.feeds.set(context, held)
    held.subscribers++
    this.addresses.set(address, (this.addresses.get(address) ?? 0) + 1)
    const { feed } = held
    const others = wanted.others ? new Set<string>() : null
    const stopOthers = others && context.others.listen((chain) => others.add(chain))
    const served = serve(wanted, sink, {
      read: (from) => feed.read(from, wanted.final),
      changed: () => feed.changed(),
      takeOthers: () => {
        const chains = [...(others ?? [])]
        others?.clear()
        return chains
      },
      progressMs: this.options.progressMs,
      signal: AbortSignal.any([gone, this.stopped.signal]),
    }).catch((error: Error) => {
      // The client connects again with its cursor.
      if (!(error instanceof ClientGone))
        this.log.warn('a stream of facts was ended', { chain: context.chain, reason: error.message })
    })
    this.running.add(served)
    await served
    this.running.delete(served)
    stopOthers?.()
    const left = (this.addresses.get(address) ?? 1) - 1
    if (left === 0) this.addresses.delete(address)
    else this.addresses.set(address, left)
    held.subscribers--
    if (held.subscribers > 0) return
    feed.close()
    if (this.feeds.get(context) === held) this.feeds.delete(context)
  }

  private feedOf(context: ChainContext): FactFeed {
    const { market, others } = context
    return new FactFeed(
      {
        read: (from, final) =>
          this.turns.run(() => readStep(context.pool, context.chain, from, final), isNear(market.state, from)),
        // At the commit: the facts need no market, whose step takes as long again.
        listen(listener) {
          const stops = [market.listenToAnnouncements(listener), others.listen(listener)]
          return () => {
            for (const stop of stops) stop()
          }
        },
      },
      this.options.checkMs,
    )
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    this.stopped.abort()
    for (const { feed } of this.feeds.values()) feed.close()
    await Promise.all(this.running)
  }
}

/** Whether a subscriber follows the head: its reads are short. */
function isNear(state: ChainContext['market']['state'], from: Place | null): boolean {
  return from === null || (state !== null && from.num >= state.at.block - NEAR)
}
