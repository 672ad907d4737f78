// Checks a block against what its chain commits to: the header against the id, each executed action against the digest in
// its receipt, all receipts against the action root. Before Savanna the root is in the header; under Savanna it is in the
// finality data, which later blocks commit to. Works on the bytes of the frame and builds no objects of actions.
// Layouts: `core/antelope/digest.ts`.

import { blockId, readBlockHeader, SAVANNA_SCHEDULE_VERSION } from '../../core/antelope/block.ts'
import { readFinalityData } from '../../core/antelope/finality-data.ts'
import { legacyMerkleRoot, merkleRoot } from '../../core/antelope/merkle.ts'
import { hashOf, preimage } from '../../core/antelope/preimage.ts'
import { readU32 } from '../../core/antelope/raw.ts'
import { DecodeError } from '../../core/errors.ts'
import { sha256 } from '../../core/sha256.ts'
import type { PackedBlock } from '../source/source.ts'

/** Offsets of an executed action in its frame. */
export interface ActionPlaces {
  /** Of the receipt: from its receiver to behind its ABI sequence. */
  receipt: number
  receiptEnd: number
  /** Of the account; the name, authorisations and packed data follow. */
  account: number
  /** Of the length of the data, and behind the data. */
  data: number
  dataEnd: number
  /** Of the length of the return value, and behind it; equal where the trace has none. */
  returned: number
  returnedEnd: number
}

/** In a packed header: behind timestamp, producer, confirmed, previous, transaction root. */
const ACTION_ROOT_AT = 78
const SCHEDULE_VERSION_AT = 110
/** In a receipt: behind its receiver; behind that and the digest. */
const DIGEST_AT = 8
const GLOBAL_SEQUENCE_AT = 40
const RECEIVE_SEQUENCE_AT = 48
const AUTH_SEQUENCES_AT = 56

/** How the actions of a block are committed to; null where nothing that the node sent does so. */
type Commitment = { root: Uint8Array; isSavanna: boolean } | null

function commitmentOf({ block, finality }: PackedBlock): Commitment {
  if (readU32(block, SCHEDULE_VERSION_AT) !== SAVANNA_SCHEDULE_VERSION)
    return { root: block.subarray(ACTION_ROOT_AT, SCHEDULE_VERSION_AT), isSavanna: false }
  return finality && { root: readFinalityData(finality).actionMroot, isSavanna: true }
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

export class BlockCheck {
  readonly #frame: Uint8Array
  readonly #num: number
  readonly #commitment: Commitment
  readonly #leaves: { receipt: number; leaf: Uint8Array }[] = []
  /** The last action whose digest was right: its notifications repeat it. */
  #last: ActionPlaces | null = null

  /** @throws DecodeError BLOCK_ID when the header has another id */
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
  }

  /**
   * Takes an executed action.
   *
   * @param isWanted  whether rows are made of it. A leaf before Savanna does not have the account and the name: there
   *                  every action is compared with its receipt, so that none can be hidden under another name.
   * @throws DecodeError ACTION_DIGEST when its bytes do not have the digest of its receipt
   */
  add(action: ActionPlaces, isWanted: boolean): void {
    const isSavanna = this.#commitment?.isSavanna ?? true
    if ((isWanted || !isSavanna) && !this.#repeatsLast(action)) {
      if (!this.#hasDigest(action)) throw this.#altered()
      this.#last = action
    }
    if (this.#commitment === null) return
    const leaf = isSavanna ? this.#savannaLeaf(action) : this.#legacyLeaf(action)
    this.#leaves.push({ receipt: action.receipt, leaf })
  }

  /**
   * Compares the root of the actions with the block's.
   *
   * @returns whether anything that the node sent commits to the actions
   * @throws DecodeError ACTION_ROOT
   */
  finish(): boolean {
    if (this.#commitment === null) return false
    const { root, isSavanna } = this.#commitment
    // In the order in which they ran.
    this.#leaves.sort((a, b) => this.#bySequence(a.receipt, b.receipt))
    const leaves = this.#leaves.map(({ leaf }) => leaf)
    if (isSame(isSavanna ? merkleRoot(leaves) : legacyMerkleRoot(leaves), root)) return true
    const message = `the actions of block ${this.#num} lead to another root than the block commits to`
    throw new DecodeError('ACTION_ROOT', message, { hint: 'the node has sent wrong data: take another one' })
  }

  /** Compares global sequences. */
  #bySequence(a: number, b: number): number {
    const at = GLOBAL_SEQUENCE_AT
    const high = readU32(this.#frame, a + at + 4) - readU32(this.#frame, b + at + 4)
    return high !== 0 ? high : readU32(this.#frame, a + at) - readU32(this.#frame, b + at)
  }

  #altered(): DecodeError {
    const message = `an action of block ${this.#num} has another digest than its receipt`
    return new DecodeError('ACTION_DIGEST', message, { hint: 'the node has sent wrong data: take another one' })
  }

  #slice(from: number, to: number): Uint8Array {
    return this.#frame.subarray(from, to)
  }

  #digest({ receipt }: ActionPlaces): Uint8Array {
    return this.#slice(receipt + DIGEST_AT, receipt + GLOBAL_SEQUENCE_AT)
  }

  #repeatsLast(action: ActionPlaces): boolean {
    const last = this.#last
    if (last === null || action.dataEnd - action.account !== last.dataEnd - last.account) return false
    return (
      isSame(this.#digest(action), this.#digest(last)) &&
      isSame(this.#slice(action.account, action.dataEnd), this.#slice(last.account, last.dataEnd)) &&
      isSame(this.#slice(action.returned, action.returnedEnd), this.#slice(last.returned, last.returnedEnd))
    )
  }

  /** With the protocol feature ACTION_RETURN_VALUE, or as before it. */
  #hasDigest(action: ActionPlaces): boolean {
    const { account, data, dataEnd, returned, returnedEnd } = action
    const expected = this.#digest(action)
    if (returnedEnd > returned) {
      const base = sha256(this.#slice(account, data))
      const payload = preimage()
      payload.bytes(this.#slice(data, dataEnd))
      payload.bytes(this.#slice(returned, returnedEnd))
      const payloadHash = hashOf(payload)
      const both = preimage()
      both.bytes(base)
      both.bytes(payloadHash)
      if (isSame(hashOf(both), expected)) return true
      // Before the feature nothing is returned.
      if (returnedEnd - returned > 1) return false
    }
    return isSame(sha256(this.#slice(account, dataEnd)), expected)
  }

  #legacyLeaf({ receipt, receiptEnd }: ActionPlaces): Uint8Array {
    return sha256(this.#slice(receipt, receiptEnd))
  }

  #savannaLeaf({ receipt, receiptEnd, account }: ActionPlaces): Uint8Array {
    const sequences = preimage()
    sequences.bytes(this.#slice(receipt + GLOBAL_SEQUENCE_AT, receipt + RECEIVE_SEQUENCE_AT))
    sequences.bytes(this.#slice(receipt + AUTH_SEQUENCES_AT, receiptEnd))
    const witness = hashOf(sequences)
    const leaf = preimage()
    leaf.bytes(this.#slice(receipt, receipt + DIGEST_AT))
    leaf.bytes(this.#slice(receipt + RECEIVE_SEQUENCE_AT, receipt + AUTH_SEQUENCES_AT))
    leaf.bytes(this.#slice(account, account + 16))
    leaf.bytes(this.#slice(receipt + DIGEST_AT, receipt + GLOBAL_SEQUENCE_AT))
    leaf.bytes(witness)
    return hashOf(leaf)
  }
}
