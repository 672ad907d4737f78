// Checks settings that the files of chains leave to the operator. Pure: it asks no node.
import { chainVariable } from '../../config/environment.ts'
import type { EvmChainConfig } from '../../config/evm-schema.ts'
import type { ChainConfig } from '../../config/schema.ts'
import { type Finding, fail, warn } from './finding.ts'

/** A finding when the system token of a chain has no USD price. */
export function checkPriceSource({ chain, price }: Pick<ChainConfig, 'chain' | 'price'>): Finding[] {
  if (price !== undefined) return []
  const variable = chainVariable(chain, ['price', 'source'])
  return [
    warn(
      `${chain} price`,
      'price.source is not set: all USD values of this chain will be null',
      `set ${variable} before the chain is indexed: oracle, http or fixed (docs/api/prices.md)`,
    ),
  ]
}

/** Findings about contracts and endpoints of an EVM chain that are not set. */
export function checkEvmSettings({ chain, contracts, source }: EvmChainConfig): Finding[] {
  const found: Finding[] = []
  const of = (...path: string[]) => chainVariable(chain, path)
  const { vaults, withdrawals, lightClients } = contracts
  if (vaults.length + withdrawals.length + lightClients.length === 0)
    found.push(fail(`${chain} contracts`, 'none is configured', `set contracts.vaults of ${chain}`))
  else if (withdrawals.length === 0)
    found.push(
      warn(
        `${chain} contracts`,
        'contracts.withdrawals is not set: deposits are indexed; withdrawals to this chain have no proofs, and are not relayed',
        `set ${of('contracts', 'withdrawals')} when the operator of the bridge publishes the contract`,
      ),
    )
  if (source.urls.length === 0)
    found.push(
      fail(
        `${chain} source`,
        'no JSON-RPC endpoint is configured',
        `set source.urls of ${chain} (${of('source', 'urls')})`,
      ),
    )
  if (source.urls.length === 1 && source.finalHeaders === 'ends')
    found.push(
      warn(
        `${chain} source`,
        'one endpoint cannot be compared with another: every header of its past is read',
        `add a second one to source.urls of ${chain}, or be patient`,
      ),
    )
  return found
}
