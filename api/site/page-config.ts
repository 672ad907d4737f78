// The bridge page's configuration, from the chains' configuration. Pure.
import type { EvmChainConfig } from '../../config/evm-schema.ts'
import type { ChainConfig } from '../../config/schema.ts'
import { bridgeChain, chainOfDomain, domainOfId } from '../../core/chains.ts'
import type { BridgeConfig, ChainAccess } from '../../web/bridge/core/types.ts'
import { BRIDGE_PATH } from '../kit/paths.ts'

/** Wallets of a demo. They sign with a public test key. */
export interface DemoWallets {
  /** File of a script that announces an EVM wallet. */
  script: string
  /** Query string of the script's address. */
  query: string
  /** Address of the EVM wallet. */
  address: string
  account: string
  key: string
}

export interface SiteOptions {
  /** Sites that may show the widget in a frame. */
  frameAncestors: readonly string[]
  walletConnect?: string
  /** Folder whose `node_modules` contains the WalletConnect library. */
  walletConnectLibrary?: string
  pollSeconds: number
  chains: readonly Pick<ChainConfig, 'chain' | 'chainId' | 'public'>[]
  evm: readonly Pick<EvmChainConfig, 'chain' | 'name' | 'chainId' | 'public'>[]
  demo?: DemoWallets
}

export const DEMO_WALLET_PATH = '/demo/wallet.js'
/** A demo's page of a transaction on its EVM chain, which no explorer covers. */
const DEMO_TRANSACTION_PATH = '/demo/transaction'
export const EVM_TRANSACTION_PAGE = `${DEMO_TRANSACTION_PATH}?tx={tx}`
export const WALLET_CONNECT_PATH = '/bridge/wallet-connect.js'

/** @returns the page's configuration; its `api` is a path of the same origin */
export function pageConfig(options: SiteOptions): BridgeConfig {
  const { chains, evm, walletConnect, pollSeconds, demo } = options
  return {
    api: BRIDGE_PATH,
    chains: [
      ...evm.map((chain) => evmAccess(chain, demo !== undefined)),
      ...chains.flatMap((chain) => antelopeAccess(chain) ?? []),
    ],
    walletConnect: walletConnect ?? null,
    pollSeconds,
    demo: demo ? demoOf(demo) : null,
  }
}

function demoOf({ query, address, account, key }: DemoWallets): BridgeConfig['demo'] {
  return { script: `${DEMO_WALLET_PATH}?${query}`, address, account, key }
}

function evmAccess({ chain, name, chainId, public: open }: SiteOptions['evm'][number], demo: boolean): ChainAccess {
  const known = chainOfDomain(BigInt(chainId), chain)
  const own = { domain: String(chainId), chainId, antelopeId: null }
  return {
    id: known.id,
    name: name ?? known.name,
    kind: 'evm',
    ...own,
    ...linksOf(open, demo ? EVM_TRANSACTION_PAGE : undefined),
  }
}

/** Null for a chain without a configured id: its domain is unknown. */
function antelopeAccess({ chain, chainId, public: open }: SiteOptions['chains'][number]): ChainAccess | null {
  if (chainId === undefined) return null
  const domain = domainOfId(chainId)
  const known = chainOfDomain(domain, bridgeChain(chain))
  const own = { domain: String(domain), chainId: null, antelopeId: chainId }
  return { id: known.id, name: known.name, kind: 'antelope', ...own, ...linksOf(open, `/${chain}/tx/{tx}`) }
}

/** @param own  this site's page of a transaction, with `{tx}`, for chains without a configured explorer */
function linksOf({ node, transactionPage, accountPage }: ChainConfig['public'], own?: string) {
  return {
    node: node?.replace(/\/+$/, '') ?? null,
    explorerTransaction: transactionPage ?? own ?? null,
    explorerAccount: accountPage ?? null,
  }
}
