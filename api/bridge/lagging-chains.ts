// Chains of the bridge that lag, or whose nodes contradict indexed final blocks. Their routes are closed, because this
// instance could not show or prove a transfer in time.
import type { EvmChainConfig } from '../../config/evm-schema.ts'
import { bridgeChain, chainOfDomain, domainOfId, isEvmDomain } from '../../core/chains.ts'
import { toleratedLag } from '../kit/lag.ts'
import { type BridgeContext, indexedChain } from './bridge-context.ts'
import { chainAt, ledgerId } from './parties.ts'
import type { Route } from './schema.ts'

/** A configured Antelope chain. */
export interface ExchangeChain {
  /** Name in configuration and database. */
  chain: string
  /** Its chain id, 64 hex digits, if configured. */
  chainId?: string | undefined
}

export interface ConfiguredChains {
  evm: readonly Pick<EvmChainConfig, 'chain' | 'chainId'>[]
  exchange: readonly ExchangeChain[]
}

export interface LagOptions {
  /** Greatest tolerated age of the last indexed block. */
  maxLagSeconds: number
  /** Clock, Unix milliseconds. */
  now: () => number
}

/** @returns API ids of the lagging chains, sorted; a configured chain without an indexed block lags */
export function laggingChains(
  context: BridgeContext,
  { evm, exchange }: ConfiguredChains,
  { maxLagSeconds, now }: LagOptions,
): ReadonlySet<string> {
  const lagging = new Set<string>()
  const isLate = (chain: string, isEvm: boolean) => {
    const at = context.positions.get(chain)
    if (at === undefined || at.contradicted) return true
    return now() - at.time > 1000 * toleratedLag(maxLagSeconds, isEvm)
  }
  if (isLate(context.ledger, false)) lagging.add(ledgerId(context).id)
  for (const { chain, domain } of context.domains)
    if (context.positions.has(chain) && isLate(chain, isEvmDomain(domain))) lagging.add(chainAt(context, domain).id)
  for (const { chain, chainId } of evm)
    if (!context.positions.has(chain)) lagging.add(chainAt(context, BigInt(chainId)).id)
  for (const chain of exchange) {
    const unindexed = unindexedId(context, chain)
    if (unindexed !== null) lagging.add(unindexed)
  }
  return new Set([...lagging].sort())
}

/** API id of a configured Antelope chain; null if it, or another chain of its domain, has an indexed block. */
function unindexedId(context: BridgeContext, { chain, chainId }: ExchangeChain): string | null {
  if (context.positions.has(chain)) return null
  if (chainId === undefined) return bridgeChain(chain)
  const domain = domainOfId(chainId)
  return indexedChain(context, domain) === undefined ? chainOfDomain(domain, chain).id : null
}

/** Closes the routes from, to or via a lagging chain. */
export function closeRoutes(routes: readonly Route[], lagging: ReadonlySet<string>): Route[] {
  return routes.map((route) => {
    const ends = [route.from, route.to, ...(route.via === null ? [] : [route.via])]
    return ends.some((chain) => lagging.has(chain)) ? { ...route, open: false } : route
  })
}
