// An append-only Savanna merkle tree that keeps its full subtrees, so that a proof of any leaf takes O(log² n).

import { EMPTY_ROOT, merkleRoot, type Sibling } from '../../core/antelope/merkle.ts'
import { itemAt } from '../../core/required.ts'

export class MerkleLog {
  /** Roots of full subtrees; subtrees of 2^k leaves at index k. */
  private readonly levels: Uint8Array[][] = [[]]

  get count(): number {
    return itemAt(this.levels, 0).length
  }

  append(leaf: Uint8Array): void {
    let node = leaf
    for (let level = 0; ; level++) {
      const nodes = (this.levels[level] ??= [])
      nodes.push(node)
      if (nodes.length % 2 === 1) return
      node = merkleRoot([itemAt(nodes, -2), node])
    }
  }

  /** A copy with more leaves. */
  with(leaves: readonly Uint8Array[]): MerkleLog {
    const log = new MerkleLog()
    for (const [level, nodes] of this.levels.entries()) log.levels[level] = [...nodes]
    for (const leaf of leaves) log.append(leaf)
    return log
  }

  /** Equals `merkleRoot` of all leaves. */
  root(): Uint8Array {
    return this.node(this.height, 0) ?? EMPTY_ROOT
  }

  /** Equals `merkleProof` of all leaves. @throws RangeError when there is no leaf at `index` */
  proof(index: number): Sibling[] {
    if (!(index >= 0 && index < this.count)) throw new RangeError(`no leaf ${index} among ${this.count}`)
    const siblings: Sibling[] = []
    for (let level = 0; level < this.height; level++) {
      const at = index >> level
      const hash = this.node(level, at ^ 1)
      if (hash) siblings.push({ hash, left: at % 2 === 1 })
    }
    return siblings
  }

  /** Lowest level with one node. */
  private get height(): number {
    return this.count < 2 ? 0 : Math.ceil(Math.log2(this.count))
  }

  /** A node of a level; the last one may have less than 2^level leaves. Undefined after it. */
  private node(level: number, at: number): Uint8Array | undefined {
    const full = this.levels[level]?.[at]
    if (full || level === 0) return full
    const left = this.node(level - 1, 2 * at)
    const right = left && this.node(level - 1, 2 * at + 1)
    return left && right ? merkleRoot([left, right]) : left
  }
}
