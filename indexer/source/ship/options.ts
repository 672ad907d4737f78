// Settings of a state-history source, with the values that hold when nothing is said.
import type { AnomalyListener } from '../stats.ts'

export interface ShipOptions {
  /** Nodes of one chain, `ws://host:port`; the next one is tried when one fails. */
  urls: readonly string[]
  /** Name of the chain, for messages. */
  chain?: string
  /** Chain id that the node must have; without it the first node's id must be kept by all others. */
  chainId?: string
  /** Largest frame accepted, bytes. The first deltas after a snapshot may take 200 MB. */
  maxFrameBytes?: number
  /** Bytes that may wait between the socket and the consumer; one frame may exceed it, alone. */
  maxQueueBytes?: number
  /** Most messages in flight. */
  maxCredits?: number
  /** Milliseconds without a frame after which the node is asked whether it lives. */
  silenceMs?: number
  /** Milliseconds that a silent node has to answer. */
  answerMs?: number
  /** Milliseconds that a node has to accept the connection and send its ABI, and for its first status. */
  connectMs?: number
  /** First and longest delay between attempts, milliseconds. */
  backoffMs?: readonly [first: number, longest: number]
  /** Frames are read before anybody waits for them: their waits are not counted. */
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
