// One chain of a simulation in one thread; the other chain is reached over a port.

import type { MessagePort } from 'node:worker_threads'
import { itemAt } from '../core/required.ts'
import { startDevnet } from './devnet.ts'
import { startEvmForks } from './evm/forks.ts'
import { goLive } from './evm/node.ts'
import { EvmRpc } from './evm/rpc.ts'
import type { ForkOptions } from './fork-plan.ts'
import type { NetworkName } from './networks.ts'
import type { SimulationSettings } from './scenario.ts'
import { ExchangeSimulation } from './simulation/exchange-simulation.ts'

export interface PartTask {
  chain: NetworkName
  days: number
  seed: number
  /** Milliseconds between blocks in history. */
  interval: number
  /** Unix milliseconds. */
  end: number
  /** URL of a newly started EVM node; without one, the EVM chain's events are simulated. */
  evmNode?: string | null
  /** Forks of the live chains, including the EVM node; absent or null for none. */
  forks?: ForkOptions | null
  /** Whether to include the rare cases of an exchange (contracts/edge-cases.ts). */
  edgeCases?: boolean
  /** Port to the other chain; null when there is none. */
  port: MessagePort | null
}

export interface ChainAddress {
  name: NetworkName
  ship: string
  http: string
  chainId: string
  firstBlock: number
}

export interface PartMessage {
  address: ChainAddress
  ready: boolean
}

/** Reports the address, then the end of history; then the chain goes live. */
export async function playPart(
  { chain, port, evmNode = null, edgeCases = false, ...task }: PartTask,
  send: (message: PartMessage) => void,
): Promise<void> {
  const simulation = (setting: SimulationSettings) => new ExchangeSimulation(setting, { port, evmNode, edgeCases })
  const net = await startDevnet({ ...task, chains: [chain], simulation })
  const { name, ship, http, chainId, firstBlock } = itemAt(net.chains, 0)
  const address = { name, ship, http, chainId, firstBlock }
  send({ address, ready: false })
  await net.ready
  if (evmNode !== null && chain === 'telos') await goLiveOn(evmNode, task)
  send({ address, ready: true })
}

async function goLiveOn(node: string, { seed, forks }: Pick<PartTask, 'seed' | 'forks'>): Promise<void> {
  await goLive(node)
  if (!forks) return
  const onError = ({ message }: Error) => console.error(`the EVM node was not reorganised: ${message}`)
  // Runs until the process ends.
  startEvmForks(new EvmRpc(node), { seed: String(seed), everySeconds: forks.everySeconds, onError })
}
