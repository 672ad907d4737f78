// The chains of the bridge for the explorer: names, and where transactions of each are shown. Pure.
import type { EvmChainConfig } from '../../../config/evm-schema.ts'
import type { ChainConfig } from '../../../config/schema.ts'
import { bridgeChain, chainOfDomain, domainOfId, KNOWN_PLACES, titleOfChain } from '../../../core/chains.ts'
import type { BridgePlace } from '../../../web/explorer/core/config.ts'

type Evm = Pick<EvmChainConfig, 'chain' | 'name' | 'chainId' | 'public'>
type Antelope = Pick<ChainConfig, 'chain' | 'chainId' | 'public'>

/**
 * @param exchange  names of the chains that have pages in the explorer
 * @param evmPage  this site's page of a transaction on EVM chains without a configured one, with `{tx}`; null without one
 * @returns one place for each id of the bridge API: the configured chains, and all others that are known by name
 */
export function bridgePlaces(
  exchange: readonly string[],
  evm: readonly Evm[],
  antelope: readonly Antelope[],
  evmPage: string | null = null,
): BridgePlace[] {
  const own = (chain: string) => (exchange.includes(chain) ? chain : null)
  const known = KNOWN_PLACES.map(({ id, name, domain }) => ({
    ...{ id, name, domain: String(domain) },
    ...{ chain: null, transactionPage: null },
  }))
  const places = [
    ...evm.map(({ chain, name, chainId, public: open }) => {
      const found = chainOfDomain(BigInt(chainId), chain)
      const shown = { name: name ?? found.name, domain: String(chainId) }
      return { id: found.id, ...shown, chain: null, transactionPage: open.transactionPage ?? evmPage }
    }),
    ...antelope.map(({ chain, chainId, public: open }) => {
      // A chain whose id is not configured is taken for the known one of its name.
      const named = { id: bridgeChain(chain), name: titleOfChain(chain) }
      const usual = known.find(({ id }) => id === named.id)?.domain ?? null
      const domain = chainId === undefined ? usual : domainOfId(chainId).toString()
      const shown = chainId === undefined || domain === null ? named : chainOfDomain(BigInt(domain), chain)
      return { ...shown, domain, chain: own(chain), transactionPage: open.transactionPage ?? null }
    }),
  ]
  // Of two places with one id the last is taken.
  return [...new Map([...known, ...places].map((place) => [place.id, place])).values()]
}
