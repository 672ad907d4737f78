// Checks that blocks form one chain: each block is the child of the previous one, or starts a branch that replaces
// reversible blocks. Keeps only the last irreversible block and the blocks after it.
import type { BlockPosition, StartPosition } from './source.ts'

/**
 * Relation of a block to the held chain.
 * - `next`: child of the tip; `fork`: replaces the blocks from its number on; `repeat`: already held, to be dropped;
 * - `gap`: blocks before it are missing; `unlinked`: its parent is not the held block;
 * - `irreversible`: it contradicts an irreversible block.
 * Only `next` and `fork` change the held chain.
 */
export type Verdict = 'next' | 'fork' | 'repeat' | 'gap' | 'unlinked' | 'irreversible'

interface Link extends BlockPosition {
  prevId: string
  lib: BlockPosition
}

/** Ids kept below the last irreversible block, so that old ids are removed in large steps. */
const SLACK = 1024

export class Linkage {
  readonly #from: number
  /** Number of the oldest block in `#ids`. */
  #first: number
  /** Ids of consecutive blocks, oldest first; empty until the first block when none was held at the start. */
  #ids: string[]
  /** Highest last irreversible block known; may be above the tip while catching up. */
  #lib: number
  /** Lowest block number that can be replaced, unless it is irreversible. */
  readonly #lowest: number

  /** @throws RangeError when the blocks of `have` are not consecutive or do not end at `from` - 1 */
  constructor(start: Pick<StartPosition, 'from' | 'have' | 'lib'>) {
    const [oldest] = start.have
    this.#from = start.from
    this.#first = oldest?.num ?? start.from
    this.#lib = start.lib ?? oldest?.num ?? 0
    this.#lowest = this.#first
    this.#ids = start.have.map((position) => position.id)
    const consecutive = start.have.every((position, index) => position.num === this.#first + index)
    if (oldest && !(consecutive && this.#first + this.#ids.length === start.from)) {
      throw new RangeError(`the blocks held must be consecutive and end at ${start.from - 1}`)
    }
  }

  /** Number of the next block. */
  get next(): number {
    return this.#ids.length === 0 ? this.#from : this.#first + this.#ids.length
  }

  /** Highest last irreversible block known; may be above the tip while catching up. */
  get lib(): number {
    return this.#lib
  }

  /** The last irreversible block and the blocks after it, oldest first: a node needs them to resume the chain. */
  positions(): BlockPosition[] {
    const from = Math.max(this.#first, Math.min(this.#lib, this.next - 1), 1)
    return this.#ids.slice(from - this.#first).map((id, index) => ({ num: from + index, id }))
  }

  /** Whether a different block with this number is held. */
  contradicts({ num, id }: BlockPosition): boolean {
    const held = this.#idAt(num)
    return held !== undefined && held !== id
  }

  /** Judges a block. Adds it to the chain when it is `next` or `fork`. */
  accept(block: Link): Verdict {
    const verdict = this.#judge(block)
    if (verdict === 'next' || verdict === 'fork') this.#append(block)
    return verdict
  }

  #judge(block: Link): Verdict {
    const { num, id, prevId } = block
    if (this.#ids.length === 0) return num === this.#from ? 'next' : num > this.#from ? 'gap' : 'unlinked'
    if (num > this.next) return 'gap'
    const held = this.#idAt(num)
    if (held === id) return 'repeat'
    if (held !== undefined && num <= this.#lib) return 'irreversible'
    if (num < this.next && num <= Math.max(this.#lib, this.#lowest - 1)) return 'repeat'
    // The parent of the oldest held block is unknown.
    if (num > this.#first && this.#idAt(num - 1) !== prevId) return 'unlinked'
    if (this.#contradictsLib(block)) return 'irreversible'
    return num === this.next ? 'next' : 'fork'
  }

  #contradictsLib({ num, id, lib }: Link): boolean {
    const held = lib.num === num ? id : lib.num < num ? this.#idAt(lib.num) : undefined
    return held !== undefined && held !== lib.id
  }

  #append(block: Link): void {
    if (this.#ids.length === 0) {
      this.#first = block.num - 1
      this.#ids = [block.prevId]
    }
    this.#ids.length = block.num - this.#first
    this.#ids.push(block.id)
    this.#lib = Math.max(this.#lib, block.lib.num)
    const surplus = Math.min(this.#lib, block.num) - this.#first
    if (surplus > SLACK) {
      this.#ids.splice(0, surplus)
      this.#first += surplus
    }
  }

  #idAt(num: number): string | undefined {
    return this.#ids[num - this.#first]
  }
}
