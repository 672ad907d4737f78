// Chains of the bridge that this instance lags, or whose nodes contradict its final blocks. Their routes are closed: a
// transfer there could not be shown or proved in time.
import type { EvmChainConfig } from '../../config/evm-schema.ts'
import { isEvmDomain } from '../../core/chains.ts'
import { toleratedLag } from '../kit/lag.ts'
import type { BridgeContext } from './bridge-context.ts'
import { chainAt, ledgerId } from './parties.ts'
import type { Route } from './schema.ts'

export interface LagOptions {
  /** Greatest tolerated age of the last indexed block. */
  maxLagSeconds: number
  /** Clock, Unix milliseconds. */
  now: () => number
}

/** @returns API ids of the lagging chains, sorted; a configured chain without an indexed block lags */
export function laggingChains(
  world: BridgeContext,
  configured: readonly EvmChainConfig[],
  { maxLagSeconds, now }: LagOptions,
): ReadonlySet<string> {
  const lagging = new Set<string>()
  const isLate = (chain: string, isEvm: boolean) => {
    const at = world.positions.get(chain)
    if (at === undefined || at.contradicted) return true
    return now() - at.time > 1000 * toleratedLag(maxLagSeconds, isEvm)
  }
  if (isLate(world.ledger, false)) lagging.add(ledgerId(world).id)
  for (const { chain, domain } of world.domains)
    if (world.positions.has(chain) && isLate(chain, isEvmDomain(domain))) lagging.add(chainAt(world, domain).id)
  for (const { chain, chainId } of configured)
    if (!world.positions.has(chain)) lagging.add(chainAt(world, BigInt(chainId)).id)
  return new Set([...lagging].sort())
}

/** Closes the routes from, to or via a lagging chain. */
export function closeRoutes(routes: readonly Route[], lagging: ReadonlySet<string>): Route[] {
  return routes.map((route) => {
    const ends = [route.from, route.to, ...(route.via === null ? [] : [route.via])]
    return ends.some((chain) => lagging.has(chain)) ? { ...route, open: false } : route
  })
}
