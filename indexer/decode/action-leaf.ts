// Leaves of a block's action tree, computed on the bytes of a frame without building objects. Layouts:
// `core/antelope/digest.ts`.
import { packedLegacyMerkleRoot, packedMerkleRoot } from '../../core/antelope/merkle.ts'
import { hashInto, preimage } from '../../core/antelope/preimage.ts'
import { readU32 } from '../../core/antelope/raw.ts'
import type { ActionTrace } from '../../core/antelope/traces.ts'

/** Offsets of an executed action in its frame. */
export interface ActionPlaces {
  /** The receipt: range from its receiver to the end of its ABI sequence. */
  receipt: number
  receiptEnd: number
  /** The account; the name, authorisations and packed data follow. */
  account: number
  /** The length prefix of the data, and the end of the data. */
  data: number
  dataEnd: number
  /** Range of the return value with its length prefix; empty when the trace has none. */
  returned: number
  returnedEnd: number
}

/** The offsets of an action, copied: those of the walk are valid only during the call. */
export function placesOf({
  receipt,
  receiptEnd,
  receiver,
  data,
  dataEnd,
  returned,
  returnedEnd,
}: ActionTrace): ActionPlaces {
  return { receipt, receiptEnd, account: receiver + 8, data, dataEnd, returned, returnedEnd }
}

/** Offset in a packed header: after timestamp, producer, confirmed, previous, transaction root. */
export const ACTION_ROOT_AT = 78
export const SCHEDULE_VERSION_AT = 110
/** Offset in packed finality data: after two versions and a generation. */
export const FINALITY_ROOT_AT = 12
/** Offsets in a receipt: after the receiver; after receiver and digest. */
export const DIGEST_AT = 8
export const GLOBAL_SEQUENCE_AT = 40
const RECEIVE_SEQUENCE_AT = 48
const AUTH_SEQUENCES_AT = 56

/** Leaves for which a block has room at first. */
const FIRST_LEAVES = 64
const witness = new Uint8Array(32)

/** Collects the leaves of one block. */
export class ActionLeaves {
  readonly #frame: Uint8Array
  readonly #isSavanna: boolean
  /** Offset of each receipt, and the leaves, in the order of the frame. */
  readonly #receipts: number[] = []
  #leaves = new Uint8Array(32 * FIRST_LEAVES)
  /** Whether the actions ran in the order of the frame, as far as they are known. */
  #isInOrder = true

  /** @param frame  packed traces */
  constructor(frame: Uint8Array, isSavanna: boolean) {
    this.#frame = frame
    this.#isSavanna = isSavanna
  }

  add(action: LeafPlaces): void {
    const receipts = this.#receipts
    const at = 32 * receipts.length
    if (at === this.#leaves.length) this.#grow()
    if (this.#isSavanna) writeSavannaLeaf(this.#frame, action, this.#leaves, at)
    else writeLegacyLeaf(this.#frame, action, this.#leaves, at)
    const last = receipts.at(-1)
    if (last !== undefined && this.#bySequence(last, action.receipt) > 0) this.#isInOrder = false
    receipts.push(action.receipt)
  }

  /** Merkle root of the leaves, in the order in which the actions ran. */
  root(): Uint8Array {
    const count = this.#receipts.length
    const leaves = this.#isInOrder ? this.#leaves : this.#inOrder()
    return this.#isSavanna ? packedMerkleRoot(leaves, count) : packedLegacyMerkleRoot(leaves, count)
  }

  #grow(): void {
    const grown = new Uint8Array(2 * this.#leaves.length)
    grown.set(this.#leaves)
    this.#leaves = grown
  }

  #inOrder(): Uint8Array {
    const receipts = this.#receipts
    const order = [...receipts.keys()].sort((a, b) => this.#bySequence(receipts[a]!, receipts[b]!))
    const sorted = new Uint8Array(32 * order.length)
    for (const [to, from] of order.entries()) sorted.set(this.#leaves.subarray(32 * from, 32 * from + 32), 32 * to)
    return sorted
  }

  /** Compares the global sequences of two receipts. */
  #bySequence(a: number, b: number): number {
    const at = GLOBAL_SEQUENCE_AT
    const high = readU32(this.#frame, a + at + 4) - readU32(this.#frame, b + at + 4)
    return high !== 0 ? high : readU32(this.#frame, a + at) - readU32(this.#frame, b + at)
  }
}

type LeafPlaces = Pick<ActionPlaces, 'receipt' | 'receiptEnd' | 'account'>

function writeSavannaLeaf(
  frame: Uint8Array,
  { receipt, receiptEnd, account }: LeafPlaces,
  leaves: Uint8Array,
  at: number,
): void {
  const sequences = preimage()
  sequences.range(frame, receipt + GLOBAL_SEQUENCE_AT, receipt + RECEIVE_SEQUENCE_AT)
  sequences.range(frame, receipt + AUTH_SEQUENCES_AT, receiptEnd)
  hashInto(sequences, witness, 0)
  const leaf = preimage()
  leaf.range(frame, receipt, receipt + DIGEST_AT)
  leaf.range(frame, receipt + RECEIVE_SEQUENCE_AT, receipt + AUTH_SEQUENCES_AT)
  leaf.range(frame, account, account + 16)
  leaf.range(frame, receipt + DIGEST_AT, receipt + GLOBAL_SEQUENCE_AT)
  leaf.range(witness, 0, 32)
  hashInto(leaf, leaves, at)
}

function writeLegacyLeaf(frame: Uint8Array, { receipt, receiptEnd }: LeafPlaces, leaves: Uint8Array, at: number): void {
  const leaf = preimage()
  leaf.range(frame, receipt, receiptEnd)
  hashInto(leaf, leaves, at)
}
