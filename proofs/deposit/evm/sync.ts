// Light-client updates that make a gateway for Ethereum trust a block at or after a deposit: committees of periods that
// it may not know, then a finalized header signed by the last of them.
import { type BeaconNetwork, periodOf, slotAt } from '../../../core/evm/beacon/network.ts'
import { beaconRoot, type LightClientUpdate, type SyncCommittee } from '../../../core/evm/beacon/update.ts'
import { isCurrentCommittee } from '../../../core/evm/beacon/verify.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import type { BeaconSource } from './beacon.ts'
import type { Anchor } from './path.ts'

export interface SyncPlan {
  network: BeaconNetwork
  /** In the order in which the gateway must receive them. */
  updates: LightClientUpdate[]
  /** The block that the last update makes trusted. */
  anchor: Anchor
  /** The committee that signs the first update. */
  first: { period: number; committee: SyncCommittee }
}

/** The block of a deposit. */
export interface Target {
  number: number
  /** Unix seconds. */
  time: number
}

/**
 * @param since  time of a block that the gateway trusts, Unix seconds: it knows the committee of that time
 * @returns null while no update makes the block final
 * @throws RpcError BEACON_API
 */
export async function planSync(beacon: BeaconSource, target: Target, since: number): Promise<SyncPlan | null> {
  const network = await beacon.network()
  const newest = await beacon.finality()
  const period = (time: number) => periodOf(network, slotAt(network, time))
  const from = Math.min(period(since), period(target.time))
  const last = periodOf(network, newest.signature_slot)
  // From one period earlier, if available: that update names the committee that checks the first one.
  const found = await beacon.updates(Math.max(0, from - 1), last - Math.max(0, from - 1) + 1)
  const byPeriod = new Map(found.map((update) => [periodOf(network, update.attested_header.beacon.slot), update]))
  // If two updates finalize the same block, the newest is preferred: it has no committee and is shorter.
  const chosen = nearest([newest, ...byPeriod.values()], target.number)
  if (chosen === null) return null
  const signed = periodOf(network, chosen.signature_slot)
  const updates: LightClientUpdate[] = []
  for (let at = from; at < signed; at++) {
    const update = byPeriod.get(at)
    if (!update?.next_sync_committee) throw beacon.error('BEACON_API', `it has no update of period ${at}`)
    if (update !== chosen) updates.push(update)
  }
  const { block_number, block_hash } = chosen.finalized_header.execution
  return {
    network,
    updates: [...updates, chosen],
    anchor: { number: Number(block_number), hash: fromHex(block_hash) },
    first: { period: from, committee: await firstCommittee(beacon, network, from, byPeriod) },
  }
}

/** The committee of a period, from the previous period's update or from the state of a block in the period. */
async function firstCommittee(
  beacon: BeaconSource,
  network: BeaconNetwork,
  period: number,
  updates: ReadonlyMap<number, LightClientUpdate>,
): Promise<SyncCommittee> {
  const next = updates.get(period - 1)?.next_sync_committee
  if (next) return next
  const header = updates.get(period)?.finalized_header.beacon
  if (header && periodOf(network, header.slot) === period) {
    const { committee, branch } = await beacon.bootstrap(toHex(beaconRoot(header)))
    if (isCurrentCommittee(network, committee, branch, header)) return committee
  }
  throw beacon.error('BEACON_API', `it does not have the committee of period ${period}`)
}

/** The update with the lowest finalized block at or after a number. */
function nearest(updates: readonly LightClientUpdate[], number: number): LightClientUpdate | null {
  const finalOf = ({ finalized_header }: LightClientUpdate) => finalized_header.execution.block_number
  const covering = updates.filter((update) => finalOf(update) >= BigInt(number))
  return covering.reduce<LightClientUpdate | null>(
    (best, update) => (best === null || finalOf(update) < finalOf(best) ? update : best),
    null,
  )
}
