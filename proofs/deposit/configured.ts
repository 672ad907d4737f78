// Sources of deposit proofs from the settings of EVM chains.
import { ETHEREUM } from '../../core/evm/beacon/network.ts'
import { BeaconNode } from './evm/beacon.ts'
import { EvmNode } from './evm/node.ts'
import type { EvmDepositSource, EvmFinality } from './evm/prove.ts'

/** The settings of an EVM chain that deposit proofs need. */
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

/** Ethereum and its test networks: their gateways follow sync committees. */
const WITH_COMMITTEES: ReadonlySet<number> = new Set([1, 17_000, 560_048, 11_155_111])
const MAINNET = 1
/** Epoch length of BNB Smart Chain and its test network since the Maxwell fork. */
const EPOCH_BLOCKS: ReadonlyMap<number, number> = new Map([
  [56, 1000],
  [97, 1000],
])

/**
 * @param isDevelopment  if true, each beacon node names its own network; if false, chain 1 uses the known main network
 * @returns sources by chain name, without chains that have no endpoint
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

/** Whether a chain's deposit proofs show that their block is final: by votes in headers, or by sync committees. */
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
