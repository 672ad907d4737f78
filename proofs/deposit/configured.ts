// Sources of deposits' proofs from the settings of EVM chains.
import { ETHEREUM } from '../../core/evm/beacon/network.ts'
import { BeaconNode } from './evm/beacon.ts'
import { EvmNode } from './evm/node.ts'
import type { EvmDepositSource, EvmFinality } from './evm/prove.ts'

/** Of the settings of an EVM chain, what proofs of deposits need. */
export interface EvmSettings {
  chain: string
  chainId: number
  source: {
    urls: readonly string[]
    /** REST address of a beacon node. */
    beacon?: string
    batch: number
    timeoutSeconds: number
  }
}

/** Ethereum and its test networks: gateways follow their sync committees. */
const WITH_COMMITTEES: ReadonlySet<number> = new Set([1, 17_000, 560_048, 11_155_111])
const MAINNET = 1
/** Length of an epoch of BNB Smart Chain and of its test network since the fork Maxwell. */
const EPOCH_BLOCKS: ReadonlyMap<number, number> = new Map([
  [56, 1000],
  [97, 1000],
])

/**
 * @param isDevelopment  whether beacon nodes tell what network they are of; else the network of chain 1 is the known one
 * @returns sources by the name of the chain; none for a chain without endpoints
 */
export function evmDepositSources(
  chains: readonly EvmSettings[],
  isDevelopment = false,
): Map<string, EvmDepositSource> {
  return new Map(
    chains.flatMap((settings) => {
      const { chain, source } = settings
      if (source.urls.length === 0) return []
      const { urls, batch, timeoutSeconds } = source
      const node = new EvmNode({ chain, urls, batch, timeoutMs: timeoutSeconds * 1000 })
      return [[chain, { node, finality: finalityOf(settings, isDevelopment) }] as const]
    }),
  )
}

/** Whether proofs of deposits of a chain show that their block is final: by votes in its headers, or by sync committees. */
export function provesFinality({ chainId, source }: Pick<EvmSettings, 'chainId' | 'source'>): boolean {
  return EPOCH_BLOCKS.has(chainId) || source.beacon !== undefined
}

function finalityOf({ chain, chainId, source }: EvmSettings, isDevelopment: boolean): EvmFinality {
  const { beacon: url, timeoutSeconds } = source
  const epochBlocks = EPOCH_BLOCKS.get(chainId)
  if (epochBlocks !== undefined) return { kind: 'votes', epochBlocks }
  if (url === undefined) return WITH_COMMITTEES.has(chainId) ? { kind: 'sync', beacon: null } : { kind: 'none' }
  const network = chainId === MAINNET && !isDevelopment ? ETHEREUM : undefined
  return { kind: 'sync', beacon: new BeaconNode({ chain, url, network, timeoutMs: timeoutSeconds * 1000 }) }
}
