// One chain of a world, served and made by itself; the other one is reached over a port.

import type { MessagePort } from 'node:worker_threads'
import { startDevnet } from './devnet.ts'
import type { NetworkName } from './networks.ts'
import { ExchangeWorld } from './world/exchange-world.ts'

export interface PartTask {
  chain: NetworkName
  days: number
  seed: number
  /** Milliseconds from block to block in history. */
  interval: number
  /** Unix milliseconds. */
  end: number
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
  { chain, port, ...task }: PartTask,
  tell: (message: PartMessage) => void,
): Promise<void> {
  const net = await startDevnet({ ...task, chains: [chain], world: (setting) => new ExchangeWorld(setting, port) })
  const { name, ship, http, chainId, firstBlock } = net.chains[0]!
  const address = { name, ship, http, chainId, firstBlock }
  tell({ address, ready: false })
  await net.ready
  tell({ address, ready: true })
}
