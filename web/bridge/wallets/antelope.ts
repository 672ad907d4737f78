// Antelope wallets by name. Signing code is a separate file, loaded when one of them is chosen.
import { antelopeFault, Fault } from '../core/faults.ts'
import type { BridgeConfig, ChainAccess, WalletChoice } from '../core/types.ts'
import type { SessionWallet } from './wharf.ts'

/** The only chain of the Cloud Wallet. */
const CLOUD_CHAIN = 'wax'

/** @returns an empty list for a chain without a node, because nothing could be sent to it */
export function antelopeChoices(chain: ChainAccess, { demo = null }: BridgeConfig): readonly WalletChoice[] {
  if (chain.node === null || chain.antelopeId === null) return []
  const choices = [choiceOf(chain, 'anchor', 'Anchor', { plugin: 'anchor' })]
  if (chain.id === CLOUD_CHAIN) choices.push(choiceOf(chain, 'cloud', 'Cloud Wallet', { plugin: 'cloud' }))
  if (demo !== null) {
    const { account, key } = demo
    choices.unshift(choiceOf(chain, 'demo', `Demo account ${account}`, { plugin: 'key', account, key }))
  }
  return choices
}

function choiceOf(chain: ChainAccess, id: string, name: string, wallet: SessionWallet): WalletChoice {
  const choice: WalletChoice = {
    id: `antelope:${chain.id}:${id}`,
    name,
    icon: null,
    kind: 'antelope',
    async connect() {
      const { login } = await import('./wharf.ts').catch(() => {
        throw new Fault('WALLET_NOT_LOADED', 'The wallet’s code cannot be loaded. Check your connection and try again.')
      })
      try {
        return await login(choice, chain, wallet)
      } catch (error) {
        throw antelopeFault(error)
      }
    },
  }
  return choice
}
