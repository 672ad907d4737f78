// Indexes a configured EVM chain.
import type { EvmChainConfig } from '../config/evm-schema.ts'
import { UserError } from '../core/errors.ts'
import type { EvmContracts } from '../indexer/project/evm/projector.ts'
import type { IndexEvents } from '../indexer/retrying.ts'
import type { AnomalyListener, SourceStats } from '../indexer/source/stats.ts'
import type { Position } from '../indexer/store/position.ts'

export interface IndexEvmOptions {
  databaseUrl: string
  signal: AbortSignal
  onAnomaly: AnomalyListener
  /** Gets a source's name and counters; returns the listeners for its events. */
  watch: (name: string, stats: SourceStats) => IndexEvents
}

export function evmContracts({ contracts }: EvmChainConfig): EvmContracts {
  return { vault: contracts.vaults, withdrawals: contracts.withdrawals, lightclient: contracts.lightClients }
}

/** @throws UserError NO_NODE, NO_CONTRACTS when the configuration lacks an endpoint or contracts; as `indexEvmChain` */
export async function indexEvm(config: EvmChainConfig, options: IndexEvmOptions): Promise<Position | null> {
  const { chain, chainId, source: settings } = config
  const { urls, startBlock, timeoutSeconds, stallSeconds, beacon: _, ...more } = settings
  const contracts = evmContracts(config)
  if (urls.length === 0) throw missing('NO_NODE', chain, 'source.urls', 'a JSON-RPC endpoint')
  if (Object.values(contracts).flat().length === 0)
    throw missing('NO_CONTRACTS', chain, 'contracts.vaults', 'the address of a vault')
  // Loaded only when an EVM chain is configured: the ABI library takes long to load.
  const { evmParts, indexEvmChain } = await import('../indexer/run-evm.ts')
  const times = { timeoutMs: timeoutSeconds * 1000, stallMs: stallSeconds * 1000 }
  const parts = evmParts({ chain, chainId, urls, contracts, ...more, ...times, onAnomaly: options.onAnomaly })
  const { databaseUrl, signal } = options
  const events = options.watch(parts.source.name, parts.source.stats)
  return indexEvmChain({ ...parts, chain, chainId, contracts, databaseUrl, startBlock, events, signal })
}

function missing(code: string, chain: string, path: string, what: string): UserError {
  return new UserError(code, `${chain}: ${path} is empty`, { hint: `set it to ${what}`, place: { chain } })
}
