// A beacon chain over the blocks of a development node: each block gets a slot by its time, committees sign all of
// them, and a block is final two blocks later. Has only what light clients request.
import { type BeaconNetwork, periodOf, slotAt } from '../../core/evm/beacon/network.ts'
import { integerChunk } from '../../core/evm/beacon/ssz.ts'
import {
  beaconRoot,
  committeeRoot,
  type ExecutionHeader,
  executionRoot,
  type LightClientUpdate,
  type LightHeader,
  type SyncCommittee,
} from '../../core/evm/beacon/update.ts'
import { signingRoot } from '../../core/evm/beacon/verify.ts'
import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import { CommitteeKeys } from './committee.ts'
import { ObjectTree } from './object-tree.ts'

export interface SimulatedBeaconOptions {
  /** Unix seconds, not later than the first block. */
  genesisTime: number
  seed?: string
  secondsPerSlot?: number
  slotsPerEpoch?: number
  slotsPerPeriod?: number
  committeeSize?: number
  /** Number of blocks from a block to the one that makes it final. */
  finality?: number
}

interface Block {
  header: LightHeader
  state: ObjectTree
}

/** Generalised indexes in an Electra state. */
const CURRENT = 86
const NEXT = 87
const FINALIZED_EPOCH = 168
const FINALIZED_ROOT = 169
const EXECUTION = 25
const ZERO = '00'.repeat(32)

/** Limit of stored blocks per period: at twice as many, the older half is evicted. */
const MAX_KEPT = 1000

export class SimulatedBeacon {
  readonly network: BeaconNetwork
  readonly #seed: string
  readonly #finality: number
  readonly #blocks: Block[] = []
  readonly #committees = new Map<number, CommitteeKeys>()

  constructor(options: SimulatedBeaconOptions) {
    const { genesisTime, seed = 'beacon', secondsPerSlot = 1, slotsPerEpoch = 1 } = options
    const { slotsPerPeriod = 8192, committeeSize = 32, finality = 2 } = options
    this.#seed = seed
    this.#finality = finality
    this.network = {
      genesisTime,
      genesisValidatorsRoot: toHex(sha256(new TextEncoder().encode(seed))),
      secondsPerSlot,
      slotsPerEpoch,
      slotsPerPeriod,
      committeeSize,
      forks: [{ epoch: 0, version: '05000000' }],
      electraEpoch: 0,
    }
  }

  /** Whether a block with this parent can be appended: the first one, or a child of a known block. */
  follows(parentHash: string): boolean {
    return this.#blocks.length === 0 || this.#placeOf(parentHash) >= 0
  }

  /**
   * Appends a block; removes the blocks after its parent, which the node replaced.
   *
   * @throws RangeError for an unknown parent
   */
  append(execution: ExecutionHeader): void {
    if (!this.follows(execution.parent_hash))
      throw new RangeError(`block ${execution.block_number} follows the unknown block ${execution.parent_hash}`)
    this.#blocks.length = this.#placeOf(execution.parent_hash) + 1
    const parent = this.#blocks.at(-1)?.header.beacon
    const bySecond = slotAt(this.network, Number(execution.timestamp))
    // A node may give two blocks the same second: the later one takes the next slot.
    const slot = parent && bySecond <= parent.slot ? parent.slot + 1n : bySecond
    const body = new ObjectTree([[EXECUTION, executionRoot(execution)]])
    const state = this.#state(slot)
    const beacon = {
      slot,
      proposer_index: slot % 7n,
      parent_root: parent ? toHex(beaconRoot(parent)) : ZERO,
      state_root: toHex(state.root),
      body_root: toHex(body.root),
    }
    const execution_branch = body.branch(EXECUTION).map(toHex)
    this.#blocks.push({ header: { beacon, execution, execution_branch }, state })
    this.#forget(periodOf(this.network, slot))
  }

  /** Index of the block with this execution hash, -1 when there is none. */
  #placeOf(hash: string): number {
    return this.#blocks.findLastIndex(({ header }) => header.execution.block_hash === hash)
  }

  /** Evicts old blocks of a period: the last ones suffice for all requests. */
  #forget(period: number): void {
    const first = this.#blocks.findIndex(({ header }) => periodOf(this.network, header.beacon.slot) === period)
    const tooMany = this.#blocks.length - first - MAX_KEPT
    if (tooMany >= MAX_KEPT) this.#blocks.splice(first, tooMany)
  }

  /** The newest final block; null when there is none yet. */
  finality(): LightClientUpdate | null {
    return this.#update(this.#blocks.length - 1, false)
  }

  /** One update per period from the first, as far as there are any. */
  updates(firstPeriod: number, count: number): LightClientUpdate[] {
    const found: LightClientUpdate[] = []
    for (let period = firstPeriod; found.length < count; period++) {
      const inPeriod = (slot: bigint) => periodOf(this.network, slot) === period
      const place = this.#blocks.findLastIndex(({ header }) => {
        const { slot } = header.beacon
        return inPeriod(slot) && inPeriod(slot + 1n)
      })
      const update = this.#update(place, true)
      if (update === null) break
      found.push(update)
    }
    return found
  }

  /** A block by its root, with the committee in its state; null when there is none. */
  bootstrap(root: string): { header: LightHeader; committee: SyncCommittee; branch: string[] } | null {
    const found = this.#blocks.find(({ header }) => toHex(beaconRoot(header.beacon)) === root)
    if (!found) return null
    const { committee } = this.#keys(periodOf(this.network, found.header.beacon.slot))
    return { header: found.header, committee, branch: found.state.branch(CURRENT).map(toHex) }
  }

  #update(place: number, hasCommittee: boolean): LightClientUpdate | null {
    const attested = this.#blocks[place]
    const final = this.#blocks[place - this.#finality]
    if (!attested || !final) return null
    const { slot } = attested.header.beacon
    const period = periodOf(this.network, slot)
    const unsigned = {
      attested_header: attested.header,
      next_sync_committee: hasCommittee ? this.#keys(period + 1).committee : null,
      next_sync_committee_branch: hasCommittee ? attested.state.branch(NEXT).map(toHex) : [],
      finalized_header: final.header,
      finality_branch: attested.state.branch(FINALIZED_ROOT).map(toHex),
      sync_aggregate: { sync_committee_bits: new Uint8Array(), sync_committee_signature: new Uint8Array() },
      signature_slot: slot + 1n,
    }
    const signers = this.#keys(periodOf(this.network, slot + 1n))
    const absent = [Number(slot % BigInt(this.network.committeeSize))]
    return { ...unsigned, sync_aggregate: signers.sign(signingRoot(this.network, unsigned), absent) }
  }

  #state(slot: bigint): ObjectTree {
    const period = periodOf(this.network, slot)
    const root = (at: number) => committeeRoot(this.#keys(at).committee, this.network.committeeSize)
    const final = this.#blocks[this.#blocks.length - this.#finality]?.header.beacon
    return new ObjectTree([
      [CURRENT, root(period)],
      [NEXT, root(period + 1)],
      [FINALIZED_EPOCH, integerChunk((final?.slot ?? 0n) / BigInt(this.network.slotsPerEpoch))],
      [FINALIZED_ROOT, final ? beaconRoot(final) : new Uint8Array(32)],
    ])
  }

  #keys(period: number): CommitteeKeys {
    let keys = this.#committees.get(period)
    if (!keys) {
      keys = new CommitteeKeys(this.#seed, period, this.network.committeeSize)
      this.#committees.set(period, keys)
    }
    return keys
  }
}
