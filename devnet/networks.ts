// Chains that a devnet simulates, with the ids of the real chains: bridge domains derive from them.
import { bridgedChain } from '../core/chains.ts'

export const networks = {
  wax: { chainId: bridgedChain('wax').id!, firstBlock: 300_000_000 },
  telos: { chainId: bridgedChain('telos').id!, firstBlock: 400_000_000 },
} as const

export type NetworkName = keyof typeof networks

export const isNetworkName = (name: string): name is NetworkName => Object.hasOwn(networks, name)
