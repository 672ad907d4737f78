// Chains of the bridge that this instance is behind of, or about which its nodes disagree: their routes are not open, since
// what would happen to a transfer there could not be shown or proved in time.
import type { EvmChainConfig } from '../../config/evm-schema.ts'
import { isEvmDomain } from '../chain-names.ts'
import { toleratedLag } from '../operate/readiness.ts'
import type { BridgeContext } from './bridge-context.ts'
import { chainAt, ledgerId } from './parties.ts'
import type { Route } from './schema.ts'

export interface LagOptions {
  /** Age of the last indexed block that is tolerated. */
  maxLagSeconds: number
  /** Clock, Unix milliseconds. */
  now: () => number
}

/** @returns ids of chains as the API has them, in order; configured ones of which nothing is indexed are among them */
export function laggingChains(
  world: BridgeContext,
  configured: readonly EvmChainConfig[],
  { maxLagSeconds, now }: LagOptions,
): ReadonlySet<string> {
  const behind = new Set<string>()
  const isLate = (chain: string, isEvm: boolean) => {
    const at = world.positions.get(chain)
    if (at === undefined || at.contradicted) return true
    return now() - at.time > 1000 * toleratedLag(maxLagSeconds, isEvm)
  }
  if (isLate(world.ledger, false)) behind.add(ledgerId(world).id)
  for (const { chain, domain } of world.domains)
    if (world.positions.has(chain) && isLate(chain, isEvmDomain(domain))) behind.add(chainAt(world, domain).id)
  for (const { chain, chainId } of configured)
    if (!world.positions.has(chain)) behind.add(chainAt(world, BigInt(chainId)).id)
  return new Set([...behind].sort())
}

/** Closes the routes that a chain of these has a part in. */
export function closeRoutes(routes: readonly Route[], behind: ReadonlySet<string>): Route[] {
  return routes.map((route) => {
    const ends = [route.from, route.to, ...(route.via === null ? [] : [route.via])]
    return ends.some((chain) => behind.has(chain)) ? { ...route, open: false } : route
  })
}
