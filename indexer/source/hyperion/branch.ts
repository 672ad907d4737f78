// Ids of the yielded blocks, from the last irreversible one on. Hyperion sends ids only for blocks with data, in some
// versions never. Other blocks get a generated id, which depends on their content, on all earlier blocks and on the
// forks.

import { toHex } from '../../../core/hex.ts'
import { sha256 } from '../../../core/sha256.ts'
import type { BlockPosition } from '../source.ts'
import type { Collected } from './assembler.ts'

/** Start of a branch that replaces blocks; `salt` makes its generated ids different. */
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

  /** Lowest held block number at or above `num`. */
  firstFrom(num: number): number | undefined {
    for (const held of this.#ids.keys()) if (held >= num) return held
    return undefined
  }

  /** Id of the parent of `num`. */
  parentOf(num: number): string {
    return this.#ids.get(num - 1) ?? generatedId(num - 1, '', '', '')
  }

  /**
   * Sets the id of block `num`; generates one when the server sent none. A different block at this number is replaced
   * with all later ones; `isHeld` is true when it is the same block.
   */
  add(num: number, block: Pick<Collected, 'id' | 'actions' | 'rows'>): { id: string; isHeld: boolean } {
    const salt = this.#forks.findLast((fork) => fork.num <= num)?.salt ?? ''
    const id = block.id ?? generatedId(num, this.parentOf(num), salt, contentOf(block))
    const isHeld = this.#ids.get(num) === id
    if (!isHeld) {
      this.#drop(num)
      this.#ids.set(num, id)
    }
    return { id, isHeld }
  }

  /** Drops blocks from `num` on, because a branch replaces them; `salt` is for its generated ids. */
  fork(num: number, salt: string): void {
    this.#drop(num)
    this.#forks.push({ num, salt })
  }

  /** Drops the blocks below `num`. */
  prune(num: number): void {
    for (const held of this.#ids.keys()) {
      if (held >= num) break
      this.#ids.delete(held)
    }
    for (let next = this.#forks[1]; next !== undefined && next.num <= num; next = this.#forks[1]) this.#forks.shift()
  }

  #drop(num: number): void {
    for (const held of [...this.#ids.keys()]) if (held >= num) this.#ids.delete(held)
    while ((this.#forks.at(-1)?.num ?? 0) > num) this.#forks.pop()
  }
}

/** The data of a block as text, independent of their order; empty when there are none. */
function contentOf({ actions, rows }: Pick<Collected, 'actions' | 'rows'>): string {
  const texts = [...actions, ...rows].map((datum) =>
    JSON.stringify(datum, (_, value) => (typeof value === 'bigint' ? value.toString() : value)),
  )
  return texts.sort().join()
}

function generatedId(num: number, parent: string, salt: string, content: string): string {
  const hash = toHex(sha256(Buffer.from(`${num} ${parent} ${salt} ${content}`)))
  return num.toString(16).padStart(8, '0') + hash.slice(8)
}
