// State of a beacon light client: the sync committees of periods. Accepts updates in order.
import { DecodeError } from '../../errors.ts'
import { type BeaconNetwork, periodOf } from './network.ts'
import type { LightClientUpdate, SyncCommittee } from './update.ts'
import { updateProblem } from './verify.ts'

export class BeaconChain {
  readonly #network: BeaconNetwork
  readonly #committees: Map<number, SyncCommittee>

  /** @param committees  by period, at least one */
  constructor(network: BeaconNetwork, committees: Iterable<readonly [period: number, committee: SyncCommittee]>) {
    this.#network = network
    this.#committees = new Map(committees)
  }

  /**
   * Applies an update and learns the next committee that it contains.
   *
   * @returns hash of the execution block that it makes final, 64 hex digits
   * @throws DecodeError BEACON_UPDATE when the update is invalid, SYNC_COMMITTEE, INVALID_BLS_POINT
   */
  update(update: LightClientUpdate): string {
    const period = periodOf(this.#network, update.signature_slot)
    const committee = this.#committees.get(period)
    if (!committee) throw refused(`the committee of period ${period} is not known`)
    const problem = updateProblem(this.#network, update, committee)
    if (problem !== null) throw refused(problem)
    if (update.next_sync_committee) this.#committees.set(period + 1, update.next_sync_committee)
    return update.finalized_header.execution.block_hash
  }
}

function refused(what: string): DecodeError {
  return new DecodeError('BEACON_UPDATE', `the update of the beacon chain does not hold: ${what}`)
}
