// One chain of a world, served and made by itself; the other one is reached over a port.

import type { MessagePort } from 'node:worker_threads'
import { startDevnet } from './devnet.ts'
import { goLive } from './evm/node.ts'
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
  { chain, port, evmNode = null, ...task }: PartTask,
  tell: (message: PartMessage) => void,
): Promise<void> {
  const world = (setting: WorldSetting) => new ExchangeWorld(setting, { port, evmNode })
  const net = await startDevnet({ ...task, chains: [chain], world })
  const { name, ship, http, chainId, firstBlock } = net.chains[0]!
  const address = { name, ship, http, chainId, firstBlock }
  tell({ address, ready: false })
  await net.ready
  if (evmNode !== null && chain === 'telos') await goLive(evmNode)
  tell({ address, ready: true })
}
