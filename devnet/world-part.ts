// One chain of a world, served and made by itself; the other one is reached over a port.

import type { MessagePort } from 'node:worker_threads'
import { startDevnet } from './devnet.ts'
import { startEvmForks } from './evm/forks.ts'
import { goLive } from './evm/node.ts'
import { EvmRpc } from './evm/rpc.ts'
import type { ForkOptions } from './fork-plan.ts'
import type { NetworkName } from './networks.ts'
import type { WorldSetting } from './scenario.ts'
import { ExchangeWorld } from './world/exchange-world.ts'

export interface PartTask {
  chain: NetworkName
  days: number
  seed: number
  /** Milliseconds from block to block in history. */
  interval: number
  /** Unix milliseconds. */
  end: number
  /** URL of an EVM node that is only opened; its events are made up without one. */
  evmNode?: string | null
  /** Forks of the live chains, the EVM node among them; none when absent. */
  forks?: ForkOptions | null
  /** Whether the rare cases of an exchange happen (contracts/edge-cases.ts). */
  edgeCases?: boolean
  /** To the other chain; null when there is none. */
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

/** Tells the address, then that history is made; the chain then goes on live. */
export async function playPart(
  { chain, port, evmNode = null, edgeCases = false, ...task }: PartTask,
  tell: (message: PartMessage) => void,
): Promise<void> {
  const world = (setting: WorldSetting) => new ExchangeWorld(setting, { port, evmNode, edgeCases })
  const net = await startDevnet({ ...task, chains: [chain], world })
  const { name, ship, http, chainId, firstBlock } = net.chains[0]!
  const address = { name, ship, http, chainId, firstBlock }
  tell({ address, ready: false })
  await net.ready
  if (evmNode !== null && chain === 'telos') await goLiveOn(evmNode, task)
  tell({ address, ready: true })
}

async function goLiveOn(node: string, { seed, forks }: Pick<PartTask, 'seed' | 'forks'>): Promise<void> {
  await goLive(node)
  if (!forks) return
  const onError = ({ message }: Error) => console.error(`the EVM node was not reorganised: ${message}`)
  // Until the process ends.
  startEvmForks(new EvmRpc(node), { seed: String(seed), everySeconds: forks.everySeconds, onError })
}
