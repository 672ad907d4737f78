// A Merkle tree of which some leaves are given and all others are zero.
import { itemAt } from '../../core/required.ts'
import { sha256 } from '../../core/sha256.ts'

export class ObjectTree {
  /** By generalised index. */
  readonly #nodes = new Map<number, Uint8Array>()
  readonly #zeros: Uint8Array[] = [new Uint8Array(32)]
  readonly #height: number

  /** @param leaves  32 bytes by generalised index; no leaf is above another */
  constructor(leaves: Iterable<readonly [index: number, root: Uint8Array]>) {
    const all = [...leaves]
    this.#height = Math.max(...all.map(([index]) => level(index)))
    for (const [index, root] of all) this.#nodes.set(index, root)
    for (const [index] of all) for (let at = index >> 1; at >= 1; at >>= 1) this.#nodes.set(at, new Uint8Array(32))
    const inner = [...this.#nodes.keys()].filter((index) => !all.some(([leaf]) => leaf === index))
    for (const index of inner.sort((a, b) => b - a))
      this.#nodes.set(index, sha256(this.#node(2 * index), this.#node(2 * index + 1)))
  }

  get root(): Uint8Array {
    return this.#node(1)
  }

  /** Siblings on the way from a node to the root. */
  branch(index: number): Uint8Array[] {
    const siblings: Uint8Array[] = []
    for (let at = index; at > 1; at >>= 1) siblings.push(this.#node(at ^ 1))
    return siblings
  }

  #node(index: number): Uint8Array {
    return this.#nodes.get(index) ?? this.#zero(Math.max(0, this.#height - level(index)))
  }

  #zero(height: number): Uint8Array {
    for (let top = itemAt(this.#zeros, -1); this.#zeros.length <= height; ) this.#zeros.push((top = sha256(top, top)))
    return itemAt(this.#zeros, height)
  }
}

function level(index: number): number {
  return Math.floor(Math.log2(index))
}
