// Settings of a state-history source, with defaults.
import type { AnomalyListener } from '../stats.ts'

export interface ShipOptions {
  /** Nodes of one chain, `ws://host:port`; after a failure the next one is used. */
  urls: readonly string[]
  /** Name of the chain, for messages. */
  chain?: string
  /** Chain id that all nodes must have; default: the first node's id. */
  chainId?: string
  /** Size limit of a frame, bytes. The first deltas after a snapshot may have 200 MB. */
  maxFrameBytes?: number
  /** Queue limit between socket and consumer, bytes; a single frame may exceed it. */
  maxQueueBytes?: number
  /** Limit of messages in flight. */
  maxCredits?: number
  /** Time without a frame after which the node is checked, ms. */
  silenceMs?: number
  /** Timeout of a silent node's answer, ms. */
  answerMs?: number
  /** Timeout of the connection with its ABI, and of the first status, ms. */
  connectMs?: number
  /** First and longest delay between attempts, ms. */
  backoffMs?: readonly [first: number, longest: number]
  /** Whether frames are read before the consumer waits for them; their waiting time is then not counted. */
  readsAhead?: boolean
  onAnomaly?: AnomalyListener
}

export type ShipSettings = Required<Omit<ShipOptions, 'chainId' | 'onAnomaly'>>

const MIB = 1 << 20

export function shipSettings(options: ShipOptions): ShipSettings {
  return {
    urls: options.urls,
    chain: options.chain ?? 'chain',
    maxFrameBytes: options.maxFrameBytes ?? 512 * MIB,
    maxQueueBytes: options.maxQueueBytes ?? 32 * MIB,
    maxCredits: options.maxCredits ?? 4096,
    silenceMs: options.silenceMs ?? 8000,
    answerMs: options.answerMs ?? 1500,
    connectMs: options.connectMs ?? 5000,
    backoffMs: options.backoffMs ?? [200, 10_000],
    readsAhead: options.readsAhead ?? false,
  }
}
