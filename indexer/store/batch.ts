// Blocks of one transaction. Blocks that are final when added are encoded at once. Reversible blocks are held, because
// each is written separately with its before-images.
import { BugError } from '../../core/errors.ts'
import type { BlockPosition } from '../source/source.ts'
import type { Catalog } from './catalog.ts'
import type { BlockHeader, BlockRows, ProjectedBlock } from './rows.ts'
import { Segment } from './segment.ts'

const NOTHING: Iterable<BlockRows> = []

export class Batch {
  readonly final: Segment
  reversible: ProjectedBlock[] = []
  first: BlockHeader | null = null
  last: BlockHeader | null = null
  /** Number of blocks. */
  blocks = 0
  /** Last irreversible block by the newest frame. */
  lib = 0
  /** Further rows of the batch's only block, when it has too many to hold in memory. */
  more: Iterable<BlockRows> = NOTHING
  private keptRows = 0

  constructor(catalog: Catalog) {
    this.final = new Segment(catalog)
  }

  /** Number of rows. */
  get rows(): number {
    return this.final.rows + this.keptRows
  }

  /** Whether the batch's only block has rows in `more`. */
  get holdsMore(): boolean {
    return this.more !== NOTHING
  }

  /** Whether a block can be written in one transaction with the blocks so far. */
  accepts(block: ProjectedBlock): boolean {
    return this.last === null || (follows(block, this.last) && !block.more && !this.holdsMore)
  }

  /** @param block  must follow the last one, unless it is the first */
  add(block: ProjectedBlock): void {
    if (!this.accepts(block)) throw new BugError('BROKEN_LINK', `block ${block.num} does not follow ${this.last?.num}`)
    try {
      this.take(block)
    } catch (error) {
      throw new BugError('ROW_REFUSED', `block ${block.num}: ${(error as Error).message}`, {
        place: { block: block.num },
        cause: error,
      })
    }
  }

  private take(block: ProjectedBlock): void {
    this.first ??= header(block)
    this.last = header(block)
    this.blocks++
    this.lib = Math.max(this.lib, block.lib)
    this.more = block.more ?? NOTHING
    this.settle()
    if (block.num <= this.lib) this.final.add(block)
    else {
      this.reversible.push(block)
      this.keptRows += block.ledger.length + block.state.length
    }
  }

  clear(): void {
    this.final.clear()
    this.reversible = []
    this.first = null
    this.last = null
    this.blocks = 0
    this.lib = 0
    this.keptRows = 0
    this.more = NOTHING
  }

  /** Encodes kept blocks that have become final. */
  private settle(): void {
    let count = 0
    while (count < this.reversible.length && (this.reversible[count] as ProjectedBlock).num <= this.lib) {
      const block = this.reversible[count++] as ProjectedBlock
      this.final.add(block)
      this.keptRows -= block.ledger.length + block.state.length
    }
    if (count > 0) this.reversible = this.reversible.slice(count)
  }
}

/** Whether a block follows an indexed one: as its child, or with only empty final blocks between them. */
export function follows(block: BlockHeader, { num, id }: BlockPosition): boolean {
  const { follows } = block
  if (follows === undefined) return block.num === num + 1 && block.prevId === id
  return follows.num === num && follows.id === id && block.num > num + 1 && block.num <= block.lib
}

function header({ num, id, prevId, time, producer, lib, head, stateBlock, follows }: ProjectedBlock): BlockHeader {
  return { num, id, prevId, time, producer, lib, head, stateBlock, follows }
}
