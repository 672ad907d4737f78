// Ids of the blocks yielded, from the last irreversible one on. Hyperion tells ids only of blocks with data, in some
// versions not at all; the others get an id of ours that depends on their content, on all blocks before and on the
// forks met.

import { toHex } from '../../../core/hex.ts'
import { sha256 } from '../../../core/sha256.ts'
import type { BlockPosition } from '../source.ts'
import type { Collected } from './assembler.ts'

/** A block from which on a branch replaces what was there; `salt` tells its ids of ours apart. */
interface Fork {
  num: number
  salt: string
}

export class Branch {
  readonly #ids = new Map<number, string>()
  readonly #forks: Fork[] = []

  constructor(have: readonly BlockPosition[]) {
    for (const { num, id } of have) this.#ids.set(num, id)
  }

  idAt(num: number): string | undefined {
    return this.#ids.get(num)
  }

  /** Number of the lowest block held at or above `num`. */
  firstFrom(num: number): number | undefined {
    for (const held of this.#ids.keys()) if (held >= num) return held
    return undefined
  }

  /** Id of the parent of `num`. */
  parentOf(num: number): string {
    return this.#ids.get(num - 1) ?? ownId(num - 1, '', '', '')
  }

  /**
   * Sets the id of block `num`, one of ours when the server has told none. When another block is held there, it and
   * all above it are replaced; `isHeld` when it is this one.
   */
  add(num: number, block: Pick<Collected, 'id' | 'actions' | 'rows'>): { id: string; isHeld: boolean } {
    const salt = this.#forks.findLast((fork) => fork.num <= num)?.salt ?? ''
    const id = block.id ?? ownId(num, this.parentOf(num), salt, contentOf(block))
    const isHeld = this.#ids.get(num) === id
    if (!isHeld) {
      this.#drop(num)
      this.#ids.set(num, id)
    }
    return { id, isHeld }
  }

  /** Blocks from `num` on are replaced; `salt` tells the new branch apart. */
  fork(num: number, salt: string): void {
    this.#drop(num)
    this.#forks.push({ num, salt })
  }

  /** Forgets what is below `num`. */
  prune(num: number): void {
    for (const held of this.#ids.keys()) {
      if (held >= num) break
      this.#ids.delete(held)
    }
    while (this.#forks.length > 1 && this.#forks[1].num <= num) this.#forks.shift()
  }

  #drop(num: number): void {
    for (const held of [...this.#ids.keys()]) if (held >= num) this.#ids.delete(held)
    while ((this.#forks.at(-1)?.num ?? 0) > num) this.#forks.pop()
  }
}

/** The data of a block as text that does not depend on the order in which they came; empty for none. */
function contentOf({ actions, rows }: Pick<Collected, 'actions' | 'rows'>): string {
  const texts = [...actions, ...rows].map((datum) =>
    JSON.stringify(datum, (_, value) => (typeof value === 'bigint' ? value.toString() : value)),
  )
  return texts.sort().join()
}

function ownId(num: number, parent: string, salt: string, content: string): string {
  const hash = toHex(sha256(Buffer.from(`${num} ${parent} ${salt} ${content}`)))
  return num.toString(16).padStart(8, '0') + hash.slice(8)
}
