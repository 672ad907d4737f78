// Checks a block against the commitments of its chain: the header against the id, each executed action against the
// digest in its receipt, all receipts against the action root. The root is in the header before Savanna, and in the
// finality data after it, to which later blocks commit. Works on the bytes of the frame, without building action
// objects.

import { blockId, readBlockHeader, SAVANNA_SCHEDULE_VERSION } from '../../core/antelope/block.ts'
import { hashInto, preimage } from '../../core/antelope/preimage.ts'
import { readU32 } from '../../core/antelope/raw.ts'
import { DecodeError } from '../../core/errors.ts'
import { readFinalityData } from '../../core/finality/finality-data.ts'
import { sha256Into } from '../../core/sha256.ts'
import type { PackedBlock } from '../source/source.ts'
import {
  ACTION_ROOT_AT,
  ActionLeaves,
  type ActionPlaces,
  DIGEST_AT,
  GLOBAL_SEQUENCE_AT,
  SCHEDULE_VERSION_AT,
} from './action-leaf.ts'

/** The action root of a block; null when the node sent none. */
type Commitment = { root: Uint8Array; isSavanna: boolean } | null

function commitmentOf({ block, finality }: PackedBlock): Commitment {
  if (readU32(block, SCHEDULE_VERSION_AT) !== SAVANNA_SCHEDULE_VERSION)
    return { root: block.subarray(ACTION_ROOT_AT, SCHEDULE_VERSION_AT), isSavanna: false }
  return finality && { root: readFinalityData(finality).actionMroot, isSavanna: true }
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** Hashes of the two parts of an action, and their hash. Shared by all checks. */
const halves = new Uint8Array(64)
const digest = new Uint8Array(32)

export class BlockCheck {
  readonly #frame: Uint8Array
  readonly #num: number
  readonly #commitment: Commitment
  readonly #leaves: ActionLeaves | null
  /** The last action whose digest was checked: its notifications repeat it. */
  #last: ActionPlaces | null = null

  /** @throws DecodeError BLOCK_ID when the header does not hash to the id */
  constructor(source: PackedBlock) {
    const { num, id, block } = source
    const { length } = readBlockHeader(block)
    if (blockId(block.subarray(0, length), num) !== id) {
      const message = `the header of block ${num} does not have the id that was sent with it`
      throw new DecodeError('BLOCK_ID', message, { hint: 'the node has sent wrong data: take another one' })
    }
    this.#frame = source.traces
    this.#num = source.num
    this.#commitment = commitmentOf(source)
    this.#leaves = this.#commitment && new ActionLeaves(source.traces, this.#commitment.isSavanna)
  }

  /**
   * Adds an executed action.
   *
   * @param isWanted  whether rows are made of it. A leaf before Savanna has neither account nor name: there every
   *                  action is compared with its receipt, so that none can be hidden under another name.
   * @throws DecodeError ACTION_DIGEST when its bytes do not have the digest of its receipt
   */
  add(action: ActionPlaces, isWanted: boolean): void {
    const isSavanna = this.#commitment?.isSavanna ?? true
    if ((isWanted || !isSavanna) && !this.#repeatsLast(action)) {
      if (!this.#hasDigest(action)) throw this.#altered()
      this.#last = action
    }
    this.#leaves?.add(action)
  }

  /**
   * Compares the root of the actions with the block's.
   *
   * @returns whether the node sent an action root to compare with
   * @throws DecodeError ACTION_ROOT
   */
  finish(): boolean {
    if (this.#commitment === null || this.#leaves === null) return false
    if (isSame(this.#leaves.root(), this.#commitment.root)) return true
    const message = `the actions of block ${this.#num} lead to another root than the block commits to`
    throw new DecodeError('ACTION_ROOT', message, { hint: 'the node has sent wrong data: take another one' })
  }

  #altered(): DecodeError {
    const message = `an action of block ${this.#num} has another digest than its receipt`
    return new DecodeError('ACTION_DIGEST', message, { hint: 'the node has sent wrong data: take another one' })
  }

  #repeatsLast(action: ActionPlaces): boolean {
    const last = this.#last
    return (
      last !== null &&
      this.#isEqual(action.receipt + DIGEST_AT, action.receipt + GLOBAL_SEQUENCE_AT, last.receipt + DIGEST_AT) &&
      action.dataEnd - action.account === last.dataEnd - last.account &&
      this.#isEqual(action.account, action.dataEnd, last.account) &&
      action.returnedEnd - action.returned === last.returnedEnd - last.returned &&
      this.#isEqual(action.returned, action.returnedEnd, last.returned)
    )
  }

  /** Whether the bytes [start, end) of the frame are also at `other`. */
  #isEqual(start: number, end: number, other: number): boolean {
    const frame = this.#frame
    for (let i = start, j = other; i < end; i++, j++) if (frame[i] !== frame[j]) return false
    return true
  }

  /** Checks the digest with and without the protocol feature ACTION_RETURN_VALUE. */
  #hasDigest({ receipt, account, data, dataEnd, returned, returnedEnd }: ActionPlaces): boolean {
    const frame = this.#frame
    if (returnedEnd > returned) {
      const base = preimage()
      base.range(frame, account, data)
      hashInto(base, halves, 0)
      const payload = preimage()
      payload.range(frame, data, dataEnd)
      payload.range(frame, returned, returnedEnd)
      hashInto(payload, halves, 32)
      sha256Into(halves, digest, 0)
      if (this.#isDigest(receipt)) return true
      // Before the feature there is no return value.
      if (returnedEnd - returned > 1) return false
    }
    const action = preimage()
    action.range(frame, account, dataEnd)
    hashInto(action, digest, 0)
    return this.#isDigest(receipt)
  }

  /** Whether `digest` is that of a receipt. */
  #isDigest(receipt: number): boolean {
    for (let i = 0; i < 32; i++) if (digest[i] !== this.#frame[receipt + DIGEST_AT + i]) return false
    return true
  }
}
