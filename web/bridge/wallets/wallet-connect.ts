// WalletConnect, if the operator configured a project id and installed its library, which is not part of this project.
// The site serves it, and it is loaded only when chosen. Its user interface is ours: a code to scan, under the page's
// policy.
import { evmFault, Fault } from '../core/faults.ts'
import type { BridgeConfig, WalletChoice } from '../core/types.ts'
import { WALLET_METHODS } from '../frame/protocol.ts'
import { connect } from './evm.ts'
import type { Library, Place, SessionProvider } from './session-provider.ts'

/** The library, and the function that opens a session with it. */
export interface Opener extends Library {
  openSession(
    client: Library['SignClient'],
    projectId: string,
    places: readonly Place[],
    methods: readonly string[],
  ): Promise<SessionProvider>
}

/** @returns null without a project id, or when no EVM chain has a node: a session itself cannot read a chain */
export function walletConnectChoice(config: BridgeConfig, load: () => Promise<Opener>): WalletChoice | null {
  const { walletConnect: projectId } = config
  const chains = config.chains.flatMap(({ chainId, node }) => (chainId && node ? [{ chainId, node }] : []))
  if (projectId === null || chains.length === 0) return null
  const choice: WalletChoice = {
    id: 'evm:walletconnect',
    name: 'WalletConnect',
    icon: null,
    kind: 'evm',
    async connect() {
      const { SignClient, openSession } = await load().catch(() => {
        throw new Fault('WALLET_NOT_LOADED', 'WalletConnect cannot be loaded from this site. Choose another wallet.')
      })
      try {
        const session = await openSession(SignClient, projectId, chains, WALLET_METHODS)
        return { ...(await connect(choice, session)), disconnect: () => session.end() }
      } catch (error) {
        throw evmFault(error)
      }
    },
  }
  return choice
}
