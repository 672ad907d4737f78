// Settings of a Hyperion source.
import type { AnomalyListener } from '../stats.ts'

export interface HyperionOptions {
  /** Hyperion server with streaming, `https://host`. */
  endpoint: string
  /** Node API for `get_info`; the endpoint itself by default. */
  chainApi?: string
  /** Name of the chain, for messages. */
  chain?: string
  /** Chain id that the server must have. */
  chainId?: string
  /** Contracts whose actions are indexed. */
  actions: readonly string[]
  /** Contracts whose table rows are indexed. */
  tables: readonly string[]
  /**
   * Distance from the head at which a block counts as complete, in blocks: the server sends data in no strict order.
   * Data that arrive later are an error.
   */
  marginBlocks?: number
  /**
   * Time without history messages after which a request's history counts as complete, ms. Measured in polls of `pollMs`
   * each, so that messages that were delayed by a busy processor are not missed.
   */
  settleMs?: number
  /** Poll interval of the head, ms. */
  pollMs?: number
  /** Timeout of the connection, of a request and of `get_info`, ms. */
  connectMs?: number
  /** Limit of buffered actions and rows; data above it are dropped and requested again later. */
  maxQueued?: number
  /** First and longest delay between attempts, ms. */
  backoffMs?: readonly [first: number, longest: number]
  onAnomaly?: AnomalyListener
}

export type HyperionSettings = Required<Omit<HyperionOptions, 'chainId' | 'onAnomaly'>>

export function hyperionSettings(options: HyperionOptions): HyperionSettings {
  return {
    endpoint: options.endpoint,
    chainApi: (options.chainApi ?? options.endpoint).replace(/\/$/, ''),
    chain: options.chain ?? 'chain',
    actions: options.actions,
    tables: options.tables,
    marginBlocks: options.marginBlocks ?? 6,
    settleMs: options.settleMs ?? 3000,
    pollMs: options.pollMs ?? 500,
    connectMs: options.connectMs ?? 5000,
    maxQueued: options.maxQueued ?? 500_000,
    backoffMs: options.backoffMs ?? [200, 10_000],
  }
}
