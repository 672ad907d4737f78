// The beacon chain over the EVM node: follows the node's blocks and serves light clients. Its sync committees change
// once a week, starting at the node's first block.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonHeader } from '../../core/evm/header.ts'
import { executionHeader } from '../beacon/json.ts'
import { beaconServer } from '../beacon/server.ts'
import { SimulatedBeacon } from '../beacon/simulated-beacon.ts'
import { EvmRpc } from './rpc.ts'

const WEEK_S = 604_800
const POLL_MS = 500

export interface Beacon {
  /** Base URL of the REST API. */
  url: string
  stop(): Promise<void>
}

interface Following {
  signal: AbortSignal
  onError(message: string): void
}

/**
 * @param node     URL of the EVM node
 * @param start    Unix milliseconds of its first block
 * @param onError  called when following the node fails, once per message; following is retried
 */
export async function startBeacon(
  node: string,
  start: number,
  onError: (message: string) => void = () => {},
): Promise<Beacon> {
  const rpc = new EvmRpc(node)
  const genesisTime = Math.floor(start / 1000)
  const beacon = new SimulatedBeacon({ genesisTime, secondsPerSlot: 1, slotsPerPeriod: WEEK_S })
  const server = beaconServer(beacon, Number(await rpc.call<string>('eth_chainId')))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const ended = new AbortController()
  const following = follow(rpc, beacon, { signal: ended.signal, onError })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      ended.abort()
      server.closeAllConnections()
      server.close()
      await following
    },
  }
}

/** Follows the node's blocks and reorganisations until the signal. */
async function follow(rpc: EvmRpc, beacon: SimulatedBeacon, { signal, onError }: Following): Promise<void> {
  let reported = ''
  for (let next = 0; !signal.aborted; ) {
    try {
      const head = Number(await rpc.call<string>('eth_blockNumber'))
      while (next <= head && !signal.aborted) {
        const block = await rpc.call<JsonHeader>('eth_getBlockByNumber', `0x${next.toString(16)}`, false)
        const header = executionHeader(block)
        if (beacon.follows(header.parent_hash)) {
          beacon.append(header)
          next++
        } else next--
      }
    } catch (error) {
      // The node may stop first, or replace a block between two requests.
      const { message } = error as Error
      if (!signal.aborted && message !== reported) onError(message)
      reported = message
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => {})
  }
}
