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
  /** Contracts whose actions are wanted. */
  actions: readonly string[]
  /** Contracts whose table rows are wanted. */
  tables: readonly string[]
  /**
   * Blocks behind the head at which a block is taken to be complete: the server announces data in no strict order.
   * Data that come later than this are an error.
   */
  marginBlocks?: number
  /**
   * Milliseconds without history messages after which the history of a request is taken to be complete, at `pollMs` for
   * each look at the head: looks are counted, so that what was not read for want of a processor is not missed.
   */
  settleMs?: number
  /** Milliseconds between looks at the head. */
  pollMs?: number
  /** Milliseconds that the server has for the connection, a request or `get_info`. */
  connectMs?: number
  /** Actions and rows that may wait; what comes beyond is asked for again later. */
  maxQueued?: number
  /** First and longest delay between attempts, milliseconds. */
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
