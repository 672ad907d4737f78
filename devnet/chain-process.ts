// One chain of a devnet in its own process: tells its parent the addresses, then that history is made, then goes on
// live. Ends with its parent.

import { startDevnet } from './devnet.ts'
import { exchangeScenario } from './exchange-scenario.ts'
import type { NetworkName } from './networks.ts'

export interface ChainTask {
  chain: NetworkName
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

export interface ChainMessage {
  address: ChainAddress
  ready: boolean
}

const { chain, ...options } = JSON.parse(process.argv[2]!) as ChainTask
process.once('disconnect', () => process.exit(0))
const net = await startDevnet({ chains: [chain], scenario: exchangeScenario, ...options })
const { name, ship, http, chainId, firstBlock } = net.chains[0]!
const address = { name, ship, http, chainId, firstBlock }
const tell = (ready: boolean) => process.send!({ address, ready } satisfies ChainMessage)
tell(false)
await net.ready
tell(true)
