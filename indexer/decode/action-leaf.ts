// Leaves of a block's action tree, computed on the bytes of a frame without building objects. Layouts:
// `core/antelope/digest.ts`.
import { legacyMerkleRoot, merkleRoot } from '../../core/antelope/merkle.ts'
import { hashOf, preimage } from '../../core/antelope/preimage.ts'
import { readU32 } from '../../core/antelope/raw.ts'
import type { ActionTrace } from '../../core/antelope/traces.ts'
import { sha256 } from '../../core/sha256.ts'

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

/** Collects the leaves of one block. */
export class ActionLeaves {
  readonly #frame: Uint8Array
  readonly #isSavanna: boolean
  readonly #leaves: { receipt: number; leaf: Uint8Array }[] = []

  /** @param frame  packed traces */
  constructor(frame: Uint8Array, isSavanna: boolean) {
    this.#frame = frame
    this.#isSavanna = isSavanna
  }

  add({ receipt, receiptEnd, account }: Pick<ActionPlaces, 'receipt' | 'receiptEnd' | 'account'>): void {
    const frame = this.#frame
    const leaf = this.#isSavanna
      ? savannaLeaf(frame, receipt, receiptEnd, account)
      : sha256(frame.subarray(receipt, receiptEnd))
    this.#leaves.push({ receipt, leaf })
  }

  /** Merkle root of the leaves, in the order in which the actions ran. */
  root(): Uint8Array {
    this.#leaves.sort((a, b) => this.#bySequence(a.receipt, b.receipt))
    const leaves = this.#leaves.map(({ leaf }) => leaf)
    return this.#isSavanna ? merkleRoot(leaves) : legacyMerkleRoot(leaves)
  }

  /** Compares the global sequences of two receipts. */
  #bySequence(a: number, b: number): number {
    const at = GLOBAL_SEQUENCE_AT
    const high = readU32(this.#frame, a + at + 4) - readU32(this.#frame, b + at + 4)
    return high !== 0 ? high : readU32(this.#frame, a + at) - readU32(this.#frame, b + at)
  }
}

function savannaLeaf(frame: Uint8Array, receipt: number, receiptEnd: number, account: number): Uint8Array {
  const sequences = preimage()
  sequences.bytes(frame.subarray(receipt + GLOBAL_SEQUENCE_AT, receipt + RECEIVE_SEQUENCE_AT))
  sequences.bytes(frame.subarray(receipt + AUTH_SEQUENCES_AT, receiptEnd))
  const witness = hashOf(sequences)
  const leaf = preimage()
  leaf.bytes(frame.subarray(receipt, receipt + DIGEST_AT))
  leaf.bytes(frame.subarray(receipt + RECEIVE_SEQUENCE_AT, receipt + AUTH_SEQUENCES_AT))
  leaf.bytes(frame.subarray(account, account + 16))
  leaf.bytes(frame.subarray(receipt + DIGEST_AT, receipt + GLOBAL_SEQUENCE_AT))
  leaf.bytes(witness)
  return hashOf(leaf)
}
