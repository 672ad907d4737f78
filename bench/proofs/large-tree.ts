// A finality tree of many leaves with a few real blocks: blocks with a burn, and blocks that certify them. All other
// leaves are equal, so that full nodes over them are known without hashing each. Proof paths have full length.

import { EMPTY_ROOT, merkleRoot } from '../../core/antelope/merkle.ts'
import { completedNodes, type NodePosition, rootOf } from '../../core/finality/positions.ts'
import { itemAt } from '../../core/required.ts'
import { sha256 } from '../../core/sha256.ts'

const width = (level: number): number => 2 ** level
const OTHER = sha256(Buffer.from('another block'))

export class LargeTree {
  readonly count: number
  /** Full nodes over other leaves only, by level. */
  readonly plain: readonly Uint8Array[]
  private readonly real = new Map<number, Uint8Array>()
  /** Cached nodes over real leaves, by level and index; removed when a leaf below is set. */
  private readonly mixed = new Map<string, Uint8Array>()
  /** Keys of nodes with real leaves below. */
  private readonly touched = new Set<string>()

  constructor(count: number) {
    this.count = count
    const plain = [OTHER]
    while (width(plain.length) <= count) plain.push(merkleRoot([itemAt(plain, -1), itemAt(plain, -1)]))
    this.plain = plain
  }

  /** Sets a real leaf, and drops the cached nodes above it. */
  set(index: number, leaf: Uint8Array): void {
    this.real.set(index, leaf)
    for (let level = 1, at = index; level < this.plain.length; level++) {
      at = Math.floor(at / 2)
      this.touched.add(`${level}/${at}`)
      this.mixed.delete(`${level}/${at}`)
    }
  }

  readonly node = (position: NodePosition): Uint8Array => {
    const { level, at } = position
    if (level === 0) return this.real.get(at) ?? OTHER
    const key = `${level}/${at}`
    if (!this.touched.has(key)) return itemAt(this.plain, level)
    let hash = this.mixed.get(key)
    if (!hash) {
      const below = level - 1
      hash = merkleRoot([this.node({ level: below, at: at * 2 }), this.node({ level: below, at: at * 2 + 1 })])
      this.mixed.set(key, hash)
    }
    return hash
  }

  /** Root of the first `count` leaves. */
  root(count: number): Uint8Array {
    return count === 0 ? EMPTY_ROOT : rootOf(count, this.node)
  }

  /** The stored nodes of a leaf's row: the full nodes that the leaf completes. */
  completed(index: number): Buffer {
    return Buffer.concat(completedNodes(index, this.node({ level: 0, at: index }), this.node))
  }
}
