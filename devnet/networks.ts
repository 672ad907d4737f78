// Chains that a devnet simulates, with the ids of the real chains: bridge domains derive from them.

import { bridgedChain } from '../core/chains.ts'
import { required } from '../core/required.ts'

export const networks = {
  wax: { chainId: required(bridgedChain('wax').id, 'chain id'), firstBlock: 300_000_000 },
  telos: { chainId: required(bridgedChain('telos').id, 'chain id'), firstBlock: 400_000_000 },
} as const

export type NetworkName = keyof typeof networks

export const isNetworkName = (name: string): name is NetworkName => Object.hasOwn(networks, name)
