// The chains that the relayer sends to, from the configuration.
import type { Config } from '../config/program-schema.ts'
import type { ChainConfig } from '../config/schema.ts'
import { domainOfId } from '../core/chains.ts'
import { UserError } from '../core/errors.ts'
import type { AntelopeContracts } from './antelope/allowed.ts'
import type { EvmContracts } from './evm/allowed.ts'
import type { RelayAction } from './pending.ts'

export interface EvmTarget {
  name: string
  chainId: number
  urls: string[]
  vaults: string[]
  /** The only contracts that are called. */
  contracts: EvmContracts
  timeoutMs: number
}

export interface AntelopeTarget {
  name: string
  domain: bigint
  /** 64 hex digits. */
  chainId: string
  url: string
  /** The only contracts that are called. */
  contracts: AntelopeContracts
}

export interface LedgerTarget {
  name: string
  /** Node that payments are compared with; null without one. */
  node: { url: string; chainId: string } | null
  bridge: string
  /** Token contract of the bridge, from which prices come. */
  wrap: string
}

export interface Targets {
  evm: EvmTarget[]
  antelope: AntelopeTarget[]
  ledger: LedgerTarget
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
      const { vaults, withdrawals, lightClients } = contracts
      const timeoutMs = source.timeoutSeconds * 1000
      return [{ name, chainId, urls, vaults, contracts: { withdrawals, lightClients }, timeoutMs }]
    }),
    antelope: chains.filter(isWanted).flatMap((chain) => {
      const url = nodes.get(chain.chain) ?? chain.source.http
      return url === undefined ? [] : [antelopeTarget(chain, url)]
    }),
    ledger: ledgerTarget(ledger, nodes.get(ledger.chain) ?? ledger.source.http),
  }
}

/**
 * The relayer acts on contracts of the configuration alone, so without them it could only refuse.
 *
 * @param keys  which keys there are
 * @throws UserError RELAY_CONTRACTS
 */
export function requireContracts(
  { evm, antelope, ledger }: Targets,
  actions: readonly RelayAction[],
  keys: { evm: boolean; antelope: boolean },
): void {
  const without = evm.find(({ contracts }) => contracts.withdrawals.length === 0)
  if (keys.evm && without !== undefined)
    throw new UserError('RELAY_CONTRACTS', `${without.name} has no withdrawals contract, so nothing can be released`, {
      hint: `set contracts.withdrawals of ${without.name}, or name the other chains in relay.chains`,
      place: { chain: without.name },
    })
  const credits = actions.filter((action) => action === 'credit' || action === 'settle')
  const own = antelope.find(({ name }) => name === ledger.name)
  if (keys.antelope && own?.contracts.gateways.length === 0 && credits.length > 0)
    throw new UserError('RELAY_CONTRACTS', `${own.name} has no gateways, so ${credits.join(' and ')} cannot be sent`, {
      hint: `set accounts.gateways of ${own.name}, such as [{"account":"gateway.evm","domain":"1"}], or leave ${credits.join(' and ')} out of relay.actions`,
      place: { chain: own.name },
    })
}

function antelopeTarget({ chain: name, chainId, accounts }: ChainConfig, url: string): AntelopeTarget {
  const contracts = {
    bridge: [bridgeOf(accounts)],
    hop: accounts.hop === undefined ? [] : [accounts.hop],
    gateways: accounts.gateways.map(({ account }) => account),
  }
  if (chainId !== undefined) return { name, domain: domainOfId(chainId), chainId, url, contracts }
  throw new UserError('RELAY_CHAIN_ID', `the chain id of ${name} is not configured`, {
    hint: 'a signature holds for one chain: set chainId in the file of the chain',
    place: { chain: name },
  })
}

const bridgeOf = ({ bridge = 'bridge.svc' }: ChainConfig['accounts']): string => bridge

function ledgerTarget({ chain: name, chainId, accounts }: ChainConfig, url: string | undefined): LedgerTarget {
  const node = url === undefined || chainId === undefined ? null : { url, chainId }
  return { name, node, bridge: bridgeOf(accounts), wrap: accounts.wrap ?? 'wrap.svc' }
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
