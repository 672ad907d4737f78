// Chains of a devnet in a process of their own: tells its parent the addresses, then that history is made, then goes on
// live. Ends with its parent.

import { startDevnet } from './devnet.ts'
import type { NetworkName } from './networks.ts'
import { ExchangeWorld } from './world/exchange-world.ts'

export interface WorldTask {
  chains: readonly NetworkName[]
  days: number
  seed: number
  /** Milliseconds from block to block in history. */
  interval: number
  /** Unix milliseconds. */
  end: number
}

export interface ChainAddress {
  name: NetworkName
  ship: string
  http: string
  chainId: string
  firstBlock: number
}

export interface WorldMessage {
  chains: ChainAddress[]
  ready: boolean
}

const task = JSON.parse(process.argv[2]!) as WorldTask
process.once('disconnect', () => process.exit(0))
const net = await startDevnet({ ...task, world: (setting) => new ExchangeWorld(setting) })
const chains = net.chains.map(({ name, ship, http, chainId, firstBlock }) => ({
  name,
  ship,
  http,
  chainId,
  firstBlock,
}))
const tell = (ready: boolean) => process.send!({ chains, ready } satisfies WorldMessage)
tell(false)
await net.ready
tell(true)
