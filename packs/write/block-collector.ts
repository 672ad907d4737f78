// Blocks of the indexed chain from a source, which may also send branches that the chain has left.
import { readBlockHeader } from '../../core/antelope/block.ts'
import { UserError } from '../../core/errors.ts'
import { finalityExtensionOf } from '../../core/finality/finality-extension.ts'
import type { BlockPosition, BlockSource, SourceBlock } from '../../indexer/source/source.ts'
import { type SlimBlock, slimBlock, slimHeader } from '../format/slim-block.ts'

/** Limit of blocks after a final one until a certificate in them makes it final. */
const MAX_PROOF_BLOCKS = 2000

interface Arrived extends BlockPosition, SlimBlock {
  prevId: string
}

export class BlockCollector {
  readonly #chain: string
  readonly #blocks: AsyncIterator<SourceBlock>
  /** Blocks that were not asked for yet, by id, in the order in which they came. */
  readonly #held = new Map<string, Arrived>()

  /** @param from  first wanted block */
  constructor(chain: string, source: BlockSource, from: number, signal: AbortSignal) {
    this.#chain = chain
    source.keepRows?.(() => false)
    this.#blocks = source.blocks({ from, have: [] }, signal)[Symbol.asyncIterator]()
  }

  /**
   * The blocks with these ids, in order. Every call asks for the blocks after those of the last one.
   *
   * @throws UserError PACK_NO_BLOCKS when the source ends before, PACK_NO_ACTIONS when it does not send packed blocks
   */
  async *take(ids: readonly string[]): AsyncGenerator<SlimBlock> {
    for (const id of ids) {
      while (!this.#held.has(id)) if (!(await this.#pull())) throw this.#ended(id)
      yield this.#held.get(id) as Arrived
      this.#held.delete(id)
    }
    const last = ids.at(-1)
    if (last === undefined) return
    const num = Number.parseInt(last.slice(0, 8), 16)
    for (const block of this.#held.values()) if (block.num <= num) this.#held.delete(block.id)
  }

  /**
   * Headers of the blocks after a final block, up to the first whose certificate makes it final, or to the end of the
   * source.
   *
   * @returns null before Savanna
   */
  async proofOf(last: BlockPosition): Promise<{ headers: SlimBlock[]; isFinal: boolean } | null> {
    const proof = new Proof(last)
    for (const block of [...this.#held.values()]) {
      if (proof.add(block)) return { headers: proof.headers, isFinal: true }
    }
    while (!proof.isLegacy && proof.length < MAX_PROOF_BLOCKS && (await this.#pull())) {
      const newest = [...this.#held.values()].at(-1)
      if (newest && proof.add(newest)) return { headers: proof.headers, isFinal: true }
    }
    return proof.isLegacy ? null : { headers: proof.headers, isFinal: false }
  }

  async close(): Promise<void> {
    await this.#blocks.return?.()
  }

  /** @returns false at the end of the source */
  async #pull(): Promise<boolean> {
    const { done, value } = await this.#blocks.next()
    if (done) return false
    if (value.kind !== 'packed') {
      throw new UserError('PACK_NO_ACTIONS', `${this.#chain}: its source sends no packed blocks`, {
        hint: 'read from a state-history node, its logs or a recording; or give --rows-only',
        place: { chain: this.#chain },
      })
    }
    const { num, id, prevId } = value
    this.#held.delete(id)
    this.#held.set(id, { num, id, prevId, ...slimBlock(value) })
    return true
  }

  #ended(id: string): UserError {
    const block = Number.parseInt(id.slice(0, 8), 16)
    return new UserError('PACK_NO_BLOCKS', `${this.#chain}: the source ended before block ${block} ${id}`, {
      hint: 'name the source that the chain was indexed from; or give --rows-only: such a pack cannot be verified',
      place: { chain: this.#chain, block },
    })
  }
}

/** The branch after a block. */
class Proof {
  readonly #last: BlockPosition
  #branch: Arrived[] = []
  isLegacy = false

  constructor(last: BlockPosition) {
    this.#last = last
  }

  get length(): number {
    return this.#branch.length
  }

  get headers(): SlimBlock[] {
    return this.#branch.map(slimHeader)
  }

  /** @returns whether the last block is final by the branch */
  add(block: Arrived): boolean {
    const after = block.num - this.#last.num - 1
    const parent = after === 0 ? this.#last : this.#branch[after - 1]
    if (after < 0 || parent?.id !== block.prevId) return false
    this.#branch = [...this.#branch.slice(0, after), block]
    const claim = claimOf(block)
    this.isLegacy = claim === null
    // The claimed block has a certificate, which makes final what that block itself claims.
    const claimed = claim?.strong ? this.#branch[claim.blockNum - this.#last.num - 1] : undefined
    return ((claimed && claimOf(claimed)?.blockNum) ?? 0) >= this.#last.num
  }
}

function claimOf({ block }: SlimBlock): { blockNum: number; strong: boolean } | null {
  return finalityExtensionOf(readBlockHeader(block).header)?.claim ?? null
}
