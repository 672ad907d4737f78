// Validates a light-client update: two thirds of the sync committee must have signed a header whose state contains the
// finalized header and the next committee. Source: consensus-specs, validate_light_client_update.
import { hasBit } from '../../bits.ts'
import { fromHex } from '../../hex.ts'
import { sha256 } from '../../sha256.ts'
import { verifyAggregate } from '../bls.ts'
import { type BeaconNetwork, forkVersionAt, periodOf } from './network.ts'
import { bytesRoot, chunksRoot } from './ssz.ts'
import {
  beaconRoot,
  branchHolds,
  committeeRoot,
  executionHolds,
  keysOf,
  type LightClientUpdate,
  type SyncCommittee,
} from './update.ts'

/** Generalised indexes in a state: before Electra, and since. */
const NEXT_COMMITTEE = [55, 87] as const
const CURRENT_COMMITTEE = [54, 86] as const
const FINALIZED_ROOT = [105, 169] as const
const DOMAIN_SYNC_COMMITTEE = '07000000'

/** Generalised index in the state of a slot. */
function stateIndex({ slotsPerEpoch, electraEpoch }: BeaconNetwork, slot: bigint, of: readonly [number, number]) {
  return slot / BigInt(slotsPerEpoch) >= BigInt(Math.min(electraEpoch, Number.MAX_SAFE_INTEGER)) ? of[1] : of[0]
}

/** Whether a committee is the current one in a header's state. @throws DecodeError SYNC_COMMITTEE */
export function isCurrentCommittee(
  network: BeaconNetwork,
  committee: SyncCommittee,
  branch: readonly string[],
  header: { slot: bigint; state_root: string },
): boolean {
  const index = stateIndex(network, header.slot, CURRENT_COMMITTEE)
  return branchHolds(committeeRoot(committee, network.committeeSize), branch, index, header.state_root)
}

/** The message that members of a sync committee sign. */
export function signingRoot(network: BeaconNetwork, update: LightClientUpdate): Uint8Array {
  const slot = update.signature_slot > 0n ? update.signature_slot - 1n : 0n
  const version = bytesRoot(fromHex(forkVersionAt(network, slot)))
  const forkData = chunksRoot([version, fromHex(network.genesisValidatorsRoot)])
  const domain = Buffer.concat([fromHex(DOMAIN_SYNC_COMMITTEE), forkData.subarray(0, 28)])
  return sha256(beaconRoot(update.attested_header.beacon), domain)
}

/**
 * The first problem of an update; null when it is valid.
 *
 * @param committee  of the period of `signature_slot`, already trusted
 * @throws DecodeError SYNC_COMMITTEE, INVALID_BLS_POINT
 */
export function updateProblem(
  network: BeaconNetwork,
  update: LightClientUpdate,
  committee: SyncCommittee,
): string | null {
  const { attested_header, finalized_header, signature_slot, sync_aggregate } = update
  const attested = attested_header.beacon
  if (signature_slot <= attested.slot || attested.slot < finalized_header.beacon.slot) return 'slots out of order'
  const finalIndex = stateIndex(network, attested.slot, FINALIZED_ROOT)
  if (!branchHolds(beaconRoot(finalized_header.beacon), update.finality_branch, finalIndex, attested.state_root))
    return 'the finalised header is not in the attested state'
  if (!executionHolds(attested_header)) return 'the attested block has another execution header'
  if (!executionHolds(finalized_header)) return 'the finalised block has another execution header'
  const problem = nextCommitteeProblem(network, update)
  if (problem !== null) return problem
  const bits = sync_aggregate.sync_committee_bits
  const { committeeSize } = network
  if (bits.length !== Math.ceil(committeeSize / 8)) return 'bits of another number of keys'
  const absent = keysOf(committee.pubkeys).filter((_, i) => !hasBit(bits, i))
  if ((committeeSize - absent.length) * 3 < committeeSize * 2) return 'less than two thirds have signed'
  const keys = { sum: committee.aggregate_pubkey, without: absent }
  const valid = verifyAggregate(keys, signingRoot(network, update), sync_aggregate.sync_committee_signature)
  return valid ? null : 'another signature'
}

function nextCommitteeProblem(network: BeaconNetwork, update: LightClientUpdate): string | null {
  const { next_sync_committee: next, next_sync_committee_branch: branch, attested_header, signature_slot } = update
  if (next === null) return branch.length === 0 ? null : 'a branch of a committee that is not there'
  const { slot, state_root } = attested_header.beacon
  // If it were signed in the next period, its next committee would not be the one after the signer's period.
  if (periodOf(network, slot) !== periodOf(network, signature_slot)) return 'the attested header is of another period'
  const root = committeeRoot(next, network.committeeSize)
  const index = stateIndex(network, slot, NEXT_COMMITTEE)
  return branchHolds(root, branch, index, state_root) ? null : 'the next committee is not in the attested state'
}
