// Checks a block against the commitments of its chain: the header against the id, each executed action against the
// digest in its receipt, all receipts against the action root. The root is in the header before Savanna, and in the
// finality data after it, to which later blocks commit. Works on the bytes of the frame, without building action
// objects.

import { blockId, readBlockHeader, SAVANNA_SCHEDULE_VERSION } from '../../core/antelope/block.ts'
import { readU32 } from '../../core/antelope/raw.ts'
import { DecodeError } from '../../core/errors.ts'
import { readFinalityData } from '../../core/finality/finality-data.ts'
import { hashPairs } from '../../core/sha256-pairs.ts'
import type { PackedBlock } from '../source/source.ts'
import {
  ACTION_ROOT_AT,
  ActionLeaves,
  type ActionPlaces,
  asPlain,
  DIGEST_AT,
  GLOBAL_SEQUENCE_AT,
  SCHEDULE_VERSION_AT,
} from './action-leaf.ts'
import { FramePreimage } from './frame-preimage.ts'

/** The action root of a block; null when the node sent none. */
type Commitment = { root: Uint8Array; isSavanna: boolean } | null

function commitmentOf({ block, finality }: PackedBlock): Commitment {
  if (readU32(block, SCHEDULE_VERSION_AT) !== SAVANNA_SCHEDULE_VERSION)
    return { root: block.subarray(ACTION_ROOT_AT, SCHEDULE_VERSION_AT), isSavanna: false }
  return finality && { root: readFinalityData(finality).actionMroot, isSavanna: true }
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

const digest = new Uint8Array(32)

/** Actions for which a block has room at first. */
const FIRST_RETURNING = 32

export class BlockCheck {
  readonly #frame: Uint8Array
  readonly #preimage: FramePreimage
  readonly #num: number
  readonly #commitment: Commitment
  readonly #leaves: ActionLeaves | null
  /** The last action whose digest is checked: its notifications repeat it. */
  #last: ActionPlaces | null = null
  /** Actions with a return value, whose digests `finish` checks together: their places, and for each two hashes. */
  readonly #returning: ActionPlaces[] = []
  #halves = asPlain(Buffer.allocUnsafe(64 * FIRST_RETURNING))

  /** @throws DecodeError BLOCK_ID when the header does not hash to the id */
  constructor(source: PackedBlock) {
    const { num, id, block } = source
    const { length } = readBlockHeader(block)
    if (blockId(block.subarray(0, length), num) !== id) {
      const message = `the header of block ${num} does not have the id that was sent with it`
      throw new DecodeError('BLOCK_ID', message, { hint: 'the node has sent wrong data: take another one' })
    }
    this.#frame = asPlain(source.traces)
    this.#preimage = new FramePreimage(source.traces)
    this.#num = source.num
    this.#commitment = commitmentOf(source)
    this.#leaves = this.#commitment && new ActionLeaves(this.#frame, this.#commitment.isSavanna)
  }

  /**
   * Adds an executed action. Its digest may be checked only by `finish`.
   *
   * @param isWanted  whether rows are made of it. A leaf before Savanna has neither account nor name: there every
   *                  action is compared with its receipt, so that none can be hidden under another name.
   * @throws DecodeError ACTION_DIGEST when its bytes do not have the digest of its receipt
   */
  add(action: ActionPlaces, isWanted: boolean): void {
    const isSavanna = this.#commitment?.isSavanna ?? true
    if ((isWanted || !isSavanna) && !this.#repeatsLast(action)) {
      if (action.returnedEnd > action.returned) this.#addReturning(action)
      else if (!this.#hasBareDigest(action)) throw this.#altered()
      this.#last = action
    }
    this.#leaves?.add(action)
  }

  /**
   * Compares the digests with the receipts, and the root of the actions with the block's.
   *
   * @returns whether the node sent an action root to compare with
   * @throws DecodeError ACTION_DIGEST, ACTION_ROOT
   */
  finish(): boolean {
    this.#checkReturning()
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

  #addReturning(action: ActionPlaces): void {
    const { account, data, dataEnd, returned, returnedEnd } = action
    const at = 64 * this.#returning.push(action) - 64
    if (at === this.#halves.length) {
      const grown = new Uint8Array(2 * at)
      grown.set(this.#halves)
      this.#halves = grown
    }
    const preimage = this.#preimage
    preimage.add(account, data)
    preimage.hashInto(this.#halves, at)
    preimage.add(data, dataEnd)
    preimage.add(returned, returnedEnd)
    preimage.hashInto(this.#halves, at + 32)
  }

  #checkReturning(): void {
    const count = this.#returning.length
    if (count === 0) return
    const digests = new Uint8Array(32 * count)
    hashPairs(this.#halves.subarray(0, 64 * count), digests)
    for (let i = 0; i < count; i++) {
      const action = this.#returning[i] as ActionPlaces
      if (this.#isDigestOf(action, digests, 32 * i)) continue
      // Before the protocol feature ACTION_RETURN_VALUE, no value is returned, and the digest has no part for it.
      if (action.returnedEnd - action.returned > 1 || !this.#hasBareDigest(action)) throw this.#altered()
    }
  }

  /** Whether the receipt has the digest of an action without a return value. */
  #hasBareDigest(action: ActionPlaces): boolean {
    this.#preimage.add(action.account, action.dataEnd)
    this.#preimage.hashInto(digest, 0)
    return this.#isDigestOf(action, digest, 0)
  }

  /** Whether the 32 bytes at an offset of `digests` are the digest of the action's receipt. */
  #isDigestOf({ receipt }: ActionPlaces, digests: Uint8Array, at: number): boolean {
    const frame = this.#frame
    for (let i = 0; i < 32; i++) if (digests[at + i] !== frame[receipt + DIGEST_AT + i]) return false
    return true
  }
}
