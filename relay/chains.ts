// The chains that the relayer sends to, from the configuration.
import type { Config } from '../config/program-schema.ts'
import type { ChainConfig } from '../config/schema.ts'
import { domainOfId } from '../core/chains.ts'
import { UserError } from '../core/errors.ts'

export interface EvmTarget {
  name: string
  chainId: number
  urls: string[]
  vaults: string[]
  timeoutMs: number
}

export interface AntelopeTarget {
  name: string
  domain: bigint
  /** 64 hex digits. */
  chainId: string
  url: string
  /** Account of the bridge. */
  bridge: string
}

export interface Targets {
  evm: EvmTarget[]
  antelope: AntelopeTarget[]
  /** Name of the ledger's chain, and its token contract of the bridge, from which prices come. */
  ledger: string
  wrap: string
}

type Settings = Pick<Config, 'chains' | 'evm' | 'relay' | 'bridgeLedger'>

/** @throws UserError RELAY_NODES, RELAY_LEDGER, RELAY_CHAIN_ID */
export function targetsOf({ chains, evm, relay, bridgeLedger }: Settings): Targets {
  const nodes = new Map(
    relay.nodes.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
  )
  for (const name of [...nodes.keys(), ...(relay.chains ?? [])])
    if (![...chains, ...evm].some(({ chain }) => chain === name))
      throw new UserError('RELAY_NODES', `${name}, which the settings of the relayer name, is not one of the chains`, {
        hint: 'add it to HEADWATER_CHAINS, or correct relay.nodes and relay.chains',
      })
  const isWanted = ({ chain }: { chain: string }) => relay.chains?.includes(chain) ?? true
  const ledger = ledgerOf(chains, bridgeLedger)
  return {
    evm: evm.filter(isWanted).flatMap(({ chain: name, chainId, source, contracts }) => {
      const own = nodes.get(name)
      const urls = own === undefined ? source.urls : [own]
      if (urls.length === 0) return []
      return [{ name, chainId, urls, vaults: contracts.vaults, timeoutMs: source.timeoutSeconds * 1000 }]
    }),
    antelope: chains.filter(isWanted).flatMap((chain) => {
      const url = nodes.get(chain.chain) ?? chain.source.http
      return url === undefined ? [] : [antelopeTarget(chain, url)]
    }),
    ledger: ledger.chain,
    wrap: ledger.accounts.wrap ?? 'wrap.svc',
  }
}

function antelopeTarget({ chain: name, chainId, accounts }: ChainConfig, url: string): AntelopeTarget {
  if (chainId !== undefined)
    return { name, domain: domainOfId(chainId), chainId, url, bridge: accounts.bridge ?? 'bridge.svc' }
  throw new UserError('RELAY_CHAIN_ID', `the chain id of ${name} is not configured`, {
    hint: 'a signature holds for one chain: set chainId in the file of the chain',
    place: { chain: name },
  })
}

/** The rule of the setting bridgeLedger. */
function ledgerOf(chains: readonly ChainConfig[], wanted: string | undefined): ChainConfig {
  const withGateways = chains.filter(({ accounts }) => accounts.gateways.length > 0)
  const withBridge = chains.filter(({ accounts }) => accounts.bridge !== undefined)
  const found =
    chains.find(({ chain }) => chain === (wanted ?? 'telos')) ??
    (wanted === undefined ? (only(withGateways) ?? only(withBridge)) : undefined)
  if (found !== undefined) return found
  throw new UserError('RELAY_LEDGER', 'no configured chain has the ledger of the bridge', {
    hint: 'add it to HEADWATER_CHAINS, or name it in bridgeLedger',
  })
}

const only = <T>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined)
