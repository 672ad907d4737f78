// Actions that make the EVM chain's gateway follow the sync committees: from the first one, which is trusted, to the
// current one. Each is named by an update that the previous one signed.

import { setTimeout as sleep } from 'node:timers/promises'
import { asUnixSeconds } from '../../core/antelope/time.ts'
import type { Actions } from '../../core/contracts/gateway-evm-devnet.ts'
import type { BeaconSource } from '../../proofs/deposit/evm/beacon.ts'
import { planSync } from '../../proofs/deposit/evm/sync.ts'
import type { ActionCall } from '../chain/contract.ts'
import { call } from '../contracts/actions.ts'
import { GATEWAYS, RELAYER } from '../contracts/exchange.ts'
import { type AntelopeNode, NodeError } from './antelope-node.ts'

/** Highest epoch in 32 bits, for a fork that is not scheduled. */
const LAST_EPOCH = 2 ** 32 - 1

/** @throws NodeError while the beacon chain has no final block */
export async function followingCalls(beacon: BeaconSource): Promise<ActionCall[]> {
  const [network, newest] = await Promise.all([beacon.network(), beacon.finality()])
  const { block_number, timestamp } = newest.finalized_header.execution
  const target = { number: Number(block_number), time: Number(timestamp) }
  const plan = await planSync(beacon, target, network.genesisTime)
  if (!plan) throw new NodeError('the beacon chain has no final block yet')
  const { period, committee } = plan.first
  const following: Omit<Actions['follow'], 'relayer'> = {
    network: {
      ...network,
      genesisTime: asUnixSeconds(network.genesisTime),
      forks: [...network.forks],
      electraEpoch: Math.min(network.electraEpoch, LAST_EPOCH),
    },
    period,
    committee,
  }
  return [
    call(GATEWAYS.evm, 'follow', RELAYER, { relayer: RELAYER, ...following }),
    ...plan.updates.map((update) => call(GATEWAYS.evm, 'update', RELAYER, { relayer: RELAYER, update })),
  ]
}

const RETRY_MS = 1000

/** Makes the gateway follow, once: what the operator of a gateway does before the first deposit. */
export async function setUpGateway(telos: AntelopeNode, beacon: BeaconSource, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const known = await telos.rows(GATEWAYS.evm, GATEWAYS.evm, 'network')
      if (known.length === 0) await telos.push(await followingCalls(beacon))
      return
    } catch {
      // The beacon chain has no final block yet, or a fork takes the blocks that the calls need.
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
}
