// The updates that make a gateway for Ethereum trust a block at a deposit or behind it: committees of the periods that it
// may not know, and a finalised header that the last of them has signed.
import { type BeaconNetwork, periodOf, slotAt } from '../../../core/evm/beacon/network.ts'
import { beaconRoot, type LightClientUpdate, type SyncCommittee } from '../../../core/evm/beacon/update.ts'
import { isCurrentCommittee } from '../../../core/evm/beacon/verify.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import type { BeaconSource } from './beacon.ts'
import type { Anchor } from './path.ts'

export interface SyncPlan {
  network: BeaconNetwork
  /** In the order in which the gateway takes them. */
  updates: LightClientUpdate[]
  /** The block that the last of them makes trusted. */
  anchor: Anchor
  /** The committee that signs the first of them. */
  first: { period: number; committee: SyncCommittee }
}

/** The block of a deposit. */
export interface Target {
  number: number
  /** Unix seconds. */
  time: number
}

/**
 * @param since  Unix seconds of a block that the gateway trusts: it knows the committee of that time
 * @returns null while no update makes the block final
 * @throws RpcError BEACON_API
 */
export async function planSync(beacon: BeaconSource, target: Target, since: number): Promise<SyncPlan | null> {
  const network = await beacon.network()
  const newest = await beacon.finality()
  const period = (time: number) => periodOf(network, slotAt(network, time))
  const from = Math.min(period(since), period(target.time))
  const last = periodOf(network, newest.signature_slot)
  // One period before, where it is kept: its update names the committee with which the first one is checked.
  const kept = await beacon.updates(Math.max(0, from - 1), last - Math.max(0, from - 1) + 1)
  const byPeriod = new Map(kept.map((update) => [periodOf(network, update.attested_header.beacon.slot), update]))
  // Of two that say the same, the newest is the shorter one: it names no committee.
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

/** The committee of a period, by the update of the one before it or by the state of a block within it. */
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
  throw beacon.error('BEACON_API', `it does not tell who signs in period ${period}`)
}

/** The update whose finalised block is the first at a number or behind it. */
function nearest(updates: readonly LightClientUpdate[], number: number): LightClientUpdate | null {
  const finalOf = ({ finalized_header }: LightClientUpdate) => finalized_header.execution.block_number
  const covering = updates.filter((update) => finalOf(update) >= BigInt(number))
  return covering.reduce<LightClientUpdate | null>(
    (best, update) => (best === null || finalOf(update) < finalOf(best) ? update : best),
    null,
  )
}
