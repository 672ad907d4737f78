// The chains of the bridge for the explorer: names, and where transactions of each are shown. Pure.
import type { EvmChainConfig } from '../../../config/evm-schema.ts'
import type { ChainConfig } from '../../../config/schema.ts'
import { bridgeChain, chainOfDomain, domainOfId, titleOfChain } from '../../../core/chains.ts'
import type { BridgePlace } from '../../../web/explorer/core/config.ts'

type Evm = Pick<EvmChainConfig, 'chain' | 'name' | 'chainId' | 'public'>
type Antelope = Pick<ChainConfig, 'chain' | 'chainId' | 'public'>

/**
 * @param exchange  names of the chains that have pages in the explorer
 * @returns one place for each id of the bridge API
 */
export function bridgePlaces(
  exchange: readonly string[],
  evm: readonly Evm[],
  antelope: readonly Antelope[],
): BridgePlace[] {
  const own = (chain: string) => (exchange.includes(chain) ? chain : null)
  const places = [
    ...evm.map(({ chain, name, chainId, public: open }) => {
      const known = chainOfDomain(BigInt(chainId), chain)
      return { id: known.id, name: name ?? known.name, chain: null, transactionPage: open.transactionPage ?? null }
    }),
    ...antelope.map(({ chain, chainId, public: open }) => {
      const named = { id: bridgeChain(chain), name: titleOfChain(chain) }
      const known = chainId === undefined ? named : chainOfDomain(domainOfId(chainId), chain)
      return { id: known.id, name: known.name, chain: own(chain), transactionPage: open.transactionPage ?? null }
    }),
  ]
  return [...new Map(places.map((place) => [place.id, place])).values()]
}
