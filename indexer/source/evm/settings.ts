// Settings of an EVM source, with defaults.
import type { AnomalyListener } from '../stats.ts'

export interface EvmSourceOptions {
  chain: string
  /** EIP-155 chain id that every endpoint must have. */
  chainId: number
  /** JSON-RPC endpoints by preference. */
  urls: readonly string[]
  /** Contracts whose logs are read: 0x and 40 lower-case digits. */
  contracts: readonly string[]
  /** First topics of the contracts' events: 0x and 64 digits. */
  topics: readonly string[]
  /**
   * Final blocks whose headers are read: every one; or, when another endpoint confirms their logs, blocks with logs and
   * ends of ranges.
   */
  finalHeaders?: 'every' | 'ends'
  /** Whether to check the hash of headers. */
  headerHash?: boolean
  /** Limit of blocks in a query for logs. */
  rangeBlocks?: number
  requestsPerSecond?: number
  /** Limit of requests in a batch. */
  batch?: number
  timeoutMs?: number
  pollMs?: number
  /** Time without a new block after which another endpoint is used. */
  stallMs?: number
  /** First and longest pause of an endpoint that failed. */
  restMs?: readonly [first: number, longest: number]
  onAnomaly?: AnomalyListener
}

export type EvmSettings = Required<Omit<EvmSourceOptions, 'onAnomaly'>>

export function evmSettings({ onAnomaly: _, ...given }: EvmSourceOptions): EvmSettings {
  const defined = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return {
    finalHeaders: 'every',
    headerHash: true,
    rangeBlocks: 2000,
    requestsPerSecond: 0,
    batch: 100,
    timeoutMs: 20_000,
    pollMs: 1000,
    stallMs: 60_000,
    restMs: [250, 30_000],
    ...(defined as Omit<EvmSourceOptions, 'onAnomaly'>),
  }
}
