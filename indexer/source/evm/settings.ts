// What an EVM source needs to know, with its defaults.
import type { AnomalyListener } from '../stats.ts'

export interface EvmSourceOptions {
  chain: string
  /** EIP-155 chain id that every endpoint must have. */
  chainId: number
  /** JSON-RPC endpoints, the preferred first. */
  urls: readonly string[]
  /** Contracts whose logs are wanted: 0x and 40 lower-case digits. */
  contracts: readonly string[]
  /** Events that those contracts are known for: their first topics, 0x and 64 digits. */
  topics: readonly string[]
  /** Which headers of final blocks are read: every one, or, where another endpoint confirms it, those of blocks with logs and of ends of ranges. */
  finalHeaders?: 'every' | 'ends'
  /** Whether the hash of a header must be that of its fields. */
  headerHash?: boolean
  /** Most blocks in a query for logs. */
  rangeBlocks?: number
  requestsPerSecond?: number
  /** Most requests in a batch. */
  batch?: number
  timeoutMs?: number
  pollMs?: number
  /** Without a new block for so long, an endpoint is left for another. */
  stallMs?: number
  /** First and longest rest of an endpoint that failed. */
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
