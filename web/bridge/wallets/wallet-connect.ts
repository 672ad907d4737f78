// WalletConnect, where the operator has a project id and has put its library on the site. The library is none of ours:
// its licence asks for a decision, so it is fetched from the site only when somebody chooses it.
import { evmFault, Fault } from '../core/faults.ts'
import type { BridgeConfig, Eip1193Provider, WalletChoice } from '../core/types.ts'
import { connect } from './evm.ts'

/** Where the site serves the library: a module that exports `EthereumProvider` of `@walletconnect/ethereum-provider`. */
export const LIBRARY = '/bridge/wallet-connect.js'

interface ConnectProvider extends Eip1193Provider {
  enable(): Promise<readonly string[]>
  disconnect(): Promise<void>
}

interface Library {
  EthereumProvider: {
    init(options: {
      projectId: string
      optionalChains: readonly number[]
      showQrModal: boolean
    }): Promise<ConnectProvider>
  }
}

/** @returns null without a project id */
export function walletConnectChoice({ walletConnect: projectId, chains }: BridgeConfig): WalletChoice | null {
  if (projectId === null) return null
  const optionalChains = chains.flatMap(({ chainId }) => (chainId === null ? [] : [chainId]))
  const choice: WalletChoice = {
    id: 'evm:walletconnect',
    name: 'WalletConnect',
    icon: null,
    kind: 'evm',
    async connect() {
      const address = LIBRARY
      const { EthereumProvider } = await (import(address) as Promise<Library>).catch(() => {
        throw new Fault('WALLET_NOT_LOADED', 'WalletConnect cannot be loaded from this site. Choose another wallet.')
      })
      try {
        const provider = await EthereumProvider.init({ projectId, optionalChains, showQrModal: true })
        await provider.enable()
        return { ...(await connect(choice, provider)), disconnect: () => provider.disconnect() }
      } catch (error) {
        throw evmFault(error)
      }
    },
  }
  return choice
}
