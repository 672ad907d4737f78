// The wallets of a page: EVM wallets as they announce themselves, Antelope wallets by name. The code of an Antelope
// wallet is loaded when it is chosen.
import type { BridgeConfig, WalletChoice, Wallets } from '../core/types.ts'
import { antelopeChoices } from './antelope.ts'
import { EvmWallets } from './evm.ts'
import type { Library } from './session-provider.ts'
import { type Opener, walletConnectChoice } from './wallet-connect.ts'

/** Path of the library on this site: a module that exports `SignClient` of `@walletconnect/sign-client`. */
const LIBRARY = '/bridge/wallet-connect.js'

async function loadWalletConnect(): Promise<Opener> {
  const address = LIBRARY
  const library = import(address) as Promise<Library>
  const [{ SignClient }, { openSession }] = await Promise.all([library, import('./wallet-connect-session.ts')])
  return { SignClient, openSession }
}

export function openWallets(config: BridgeConfig): Wallets {
  const found = new EvmWallets(window)
  const connect = walletConnectChoice(config, loadWalletConnect)
  const antelope = new Map<string, readonly WalletChoice[]>()
  for (const chain of config.chains) {
    if (chain.kind === 'antelope') antelope.set(chain.id, antelopeChoices(chain, config))
  }
  return {
    list(kind, chain) {
      if (kind === 'antelope') return antelope.get(chain) ?? []
      return connect === null ? found.list() : [...found.list(), connect]
    },
    subscribe: (listener) => found.subscribe(listener),
    close: () => found.close(),
  }
}
