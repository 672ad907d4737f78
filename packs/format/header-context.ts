// What the blocks read so far say about the next one: its parent, the roots and digests that its header and its
// finality data repeat. Writer and reader of a file keep the same context, so values that it gives are not stored.
import type { BlockHeader, Extension } from '../../core/antelope/block.ts'
import { EMPTY_ROOT, IncrementalMerkle } from '../../core/antelope/merkle.ts'
import { DecodeError, UserError } from '../../core/errors.ts'
import { reversibleLeaf } from '../../core/finality/finality-core.ts'
import type { FinalityData } from '../../core/finality/finality-data.ts'
import { finalityExtensionOf } from '../../core/finality/finality-extension.ts'
import { type Lineage, type Tracked, trackRead } from '../../core/finality/track.ts'

/** Limit of the blocks that a later one may claim or not have made final, for which values are given. */
const MAX_RECENT = 128

interface Recent {
  blockNum: number
  timestamp: number
  parentTimestamp: number
  tree: IncrementalMerkle
  finalityDigest: Uint8Array
  /** Block that it claims, and the last one that this makes final; 0 when unknown. */
  claim: number
  lastFinal: number
}

/** A block whose header is known. */
export interface HeaderBlock {
  num: number
  id: string
  header: BlockHeader
  /** Extensions of the block. */
  extensions: readonly Extension[]
  /** Null before Savanna. */
  data: FinalityData | null
}

export class HeaderContext {
  #start: Lineage | null
  #lineage: Lineage | null = null
  /** By number modulo their limit. */
  readonly #recent: (Recent | undefined)[] = Array.from({ length: MAX_RECENT }, () => undefined)
  /** The last block; null before the first. */
  last: HeaderBlock | null = null

  /** @param start  lineage of a block before the file, or in it; null when finality begins in the file, or not at all */
  constructor(start: Lineage | null) {
    this.#start = start
  }

  #at(num: number): Recent | undefined {
    const found = this.#recent[num % MAX_RECENT]
    return found?.blockNum === num ? found : undefined
  }

  /** Root of the finality tree in the header of the next block; null when unknown. */
  treeRoot(claim: number): Uint8Array | null {
    const parent = this.last && this.#at(this.last.num)
    if (!parent || !this.#lineage || !this.last) return null
    if (claim === parent.claim) return this.last.header.actionMroot
    if (claim === this.#lineage.genesis) return EMPTY_ROOT
    return this.#at(claim)?.tree.root() ?? null
  }

  /** Time and finality digest of a claimed block; null when unknown. */
  claimed(num: number): Pick<Recent, 'timestamp' | 'finalityDigest'> | null {
    return this.#at(num) ?? null
  }

  /** Root of the blocks that the next block finds not final; null when unknown. */
  reversibleRoot(claim: number, isStrong: boolean): Uint8Array | null {
    const from = this.#lastFinal(claim, isStrong)
    const parent = this.last?.num ?? 0
    if (from === 0 || parent - from >= MAX_RECENT) return null
    let tree = IncrementalMerkle.empty
    for (let num = from + 1; num <= parent; num++) {
      const block = this.#at(num)
      if (!block) return null
      tree = tree.append(reversibleLeaf(block))
    }
    return tree.root()
  }

  #lastFinal(claim: number, isStrong: boolean): number {
    const before = this.last ? (this.#at(this.last.num)?.lastFinal ?? 0) : 0
    return isStrong ? (this.#at(claim)?.claim ?? 0) : before
  }

  /** Adds the next block. @returns its finality; null while it is not followed */
  add(block: HeaderBlock): Tracked | null {
    const { num, header } = block
    const claim = finalityExtensionOf(header)?.claim
    if (this.#start?.blockNum === num - 1) {
      this.#lineage = this.#start
      this.#start = null
    }
    const begins = this.#lineage === null && claim?.blockNum === num
    const tracked = this.#lineage || begins ? this.#track(block) : null
    if (tracked && claim) {
      const { timestamp, parentTimestamp, finalityDigest } = tracked.block
      this.#recent[num % MAX_RECENT] = {
        blockNum: num,
        timestamp,
        parentTimestamp,
        finalityDigest,
        tree: tracked.lineage.tree,
        claim: claim.blockNum,
        lastFinal: this.#lastFinal(claim.blockNum, claim.strong),
      }
    }
    this.last = block
    return tracked
  }

  /** Blocks that cannot be followed are stored with all of their values. */
  #track({ num, id, header, extensions, data }: HeaderBlock): Tracked | null {
    try {
      const tracked = data && trackRead(this.#lineage, { num, id, header, extensions, data })
      this.#lineage = tracked?.lineage ?? null
      return tracked
    } catch (error) {
      if (!(error instanceof DecodeError || error instanceof UserError)) throw error
      this.#lineage = null
      return null
    }
  }
}
