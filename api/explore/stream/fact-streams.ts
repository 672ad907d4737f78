// All connections to the stream of facts, of all chains.
import type { ChainContext } from '../../chain-context.ts'
import type { Log } from '../../http/log.ts'
import { LIMITS } from '../../kit/limits.ts'
import { FactFeed } from './fact-feed.ts'
import { ClientGone, type Sink, type Subscription, serve } from './subscriber.ts'

export interface FactStreamOptions {
  /** Time after which the database is asked without a sign of a new block, milliseconds. */
  checkMs: number
  /** Time without a message after which the cursor is sent, milliseconds. */
  progressMs: number
}

const DEFAULTS: FactStreamOptions = { checkMs: 1000, progressMs: 10_000 }

export class FactStreams {
  private readonly log: Log
  private readonly options: FactStreamOptions
  private readonly feeds = new Map<ChainContext, { feed: FactFeed; subscribers: number }>()
  private readonly running = new Set<Promise<void>>()
  private readonly stopped = new AbortController()

  constructor(log: Log, options: Partial<FactStreamOptions> = {}) {
    this.log = log
    this.options = { ...DEFAULTS, ...options }
  }

  get isFull(): boolean {
    return this.running.size >= LIMITS.factStreams
  }

  /** Serves a client until it is gone or the server stops. Never rejects. @param gone  aborts when the client is gone */
  async serve(context: ChainContext, wanted: Subscription, sink: Sink, gone: AbortSignal): Promise<void> {
    const held = this.feeds.get(context) ?? { feed: new FactFeed(context, this.options.checkMs), subscribers: 0 }
    this.feeds.set(context, held)
    held.subscribers++
    const { feed } = held
    const served = serve(wanted, sink, {
      read: (from) => feed.read(from, wanted),
      changed: () => feed.changed(),
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
    held.subscribers--
    if (held.subscribers > 0) return
    feed.close()
    if (this.feeds.get(context) === held) this.feeds.delete(context)
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    this.stopped.abort()
    for (const { feed } of this.feeds.values()) feed.close()
    await Promise.all(this.running)
  }
}
