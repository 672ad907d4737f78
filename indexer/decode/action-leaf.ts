// Leaves of a block's action tree, computed on the bytes of a frame without building objects. Layouts:
// `core/antelope/digest.ts`.
import { packedLegacyMerkleRoot, packedMerkleRoot } from '../../core/antelope/merkle.ts'
import { readU32 } from '../../core/antelope/raw.ts'
import type { ActionTrace } from '../../core/antelope/traces.ts'
import { FramePreimage } from './frame-preimage.ts'

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

/** Copies the offsets of an action: the walk's object is valid only during the callback. */
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

/** A view that is no Buffer. The engine reads bytes twice as fast where it meets only one of the two classes. */
export function asPlain({ buffer, byteOffset, length }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length)
}

/** Leaves for which a block has room at first. */
const FIRST_LEAVES = 64
const witness = new Uint8Array(32)

/** Collects the leaves of one block. */
export class ActionLeaves {
  readonly #frame: Uint8Array
  readonly #preimage: FramePreimage
  readonly #isSavanna: boolean
  /** Global sequences and leaves, in the order of the frame. Above 2^53 sequences are rounded; the root decides. */
  readonly #sequences: number[] = []
  #leaves = asPlain(Buffer.allocUnsafe(32 * FIRST_LEAVES))
  /** Whether the actions ran in the order of the frame, as far as they are known. */
  #isInOrder = true

  /** @param frame  packed traces */
  constructor(frame: Uint8Array, isSavanna: boolean) {
    this.#frame = frame
    this.#preimage = new FramePreimage(frame)
    this.#isSavanna = isSavanna
  }

  add(action: LeafPlaces): void {
    const sequences = this.#sequences
    const at = 32 * sequences.length
    if (at === this.#leaves.length) this.#grow()
    if (this.#isSavanna) this.#writeSavannaLeaf(action, at)
    else this.#writeLegacyLeaf(action, at)
    const sequence = this.#sequenceAt(action.receipt + GLOBAL_SEQUENCE_AT)
    if (at > 0 && sequence < (sequences[sequences.length - 1] as number)) this.#isInOrder = false
    sequences.push(sequence)
  }

  /** Merkle root of the leaves, in the order in which the actions ran. */
  root(): Uint8Array {
    const count = this.#sequences.length
    const leaves = this.#isInOrder ? this.#leaves : this.#inOrder()
    return this.#isSavanna ? packedMerkleRoot(leaves, count) : packedLegacyMerkleRoot(leaves, count)
  }

  #writeSavannaLeaf({ receipt, receiptEnd, account }: LeafPlaces, at: number): void {
    const preimage = this.#preimage
    preimage.add(receipt + GLOBAL_SEQUENCE_AT, receipt + RECEIVE_SEQUENCE_AT)
    preimage.add(receipt + AUTH_SEQUENCES_AT, receiptEnd)
    preimage.hashInto(witness, 0)
    preimage.add(receipt, receipt + DIGEST_AT)
    preimage.add(receipt + RECEIVE_SEQUENCE_AT, receipt + AUTH_SEQUENCES_AT)
    preimage.add(account, account + 16)
    preimage.add(receipt + DIGEST_AT, receipt + GLOBAL_SEQUENCE_AT)
    preimage.addHash(witness)
    preimage.hashInto(this.#leaves, at)
  }

  #writeLegacyLeaf({ receipt, receiptEnd }: LeafPlaces, at: number): void {
    this.#preimage.add(receipt, receiptEnd)
    this.#preimage.hashInto(this.#leaves, at)
  }

  #grow(): void {
    const grown = new Uint8Array(2 * this.#leaves.length)
    grown.set(this.#leaves)
    this.#leaves = grown
  }

  /** A copy of the leaves in the order in which the actions ran. Copies words: a call of `set` for 32 bytes costs more. */
  #inOrder(): Uint8Array {
    const sequences = this.#sequences
    const order = sequences.map((_, i) => i).sort((a, b) => (sequences[a] as number) - (sequences[b] as number))
    const sorted = new Uint32Array(8 * order.length)
    const words = new Uint32Array(this.#leaves.buffer, this.#leaves.byteOffset, 8 * order.length)
    for (let i = 0; i < order.length; i++) {
      const from = 8 * (order[i] as number)
      for (let word = 0; word < 8; word++) sorted[8 * i + word] = words[from + word] as number
    }
    return new Uint8Array(sorted.buffer)
  }

  #sequenceAt(at: number): number {
    return readU32(this.#frame, at + 4) * 2 ** 32 + readU32(this.#frame, at)
  }
}

type LeafPlaces = Pick<ActionPlaces, 'receipt' | 'receiptEnd' | 'account'>
