// An in-memory node that follows forks. Seeded, it grows a chain, switches branches, moves its last irreversible block,
// and answers block requests as a real node does (one cursor, set back by a switch; `have` is read once).

import { itemAt } from '../../core/required.ts'
import type { BlockPosition, PackedBlock } from '../../indexer/source/source.ts'
import type { Random } from './random.ts'
import type { ReceivedRequest, Step } from './ship-server.ts'
import { branchOf, childOf, GENESIS } from './synthetic-chain.ts'

export class NodeModel {
  readonly #random: Random
  readonly #faulty: boolean
  /** The current branch, from block 2. */
  #chain: PackedBlock[] = []
  #lib = 1
  #highest = 1
  #changesLeft: number
  #branches = 0
  /** Next block of each session. */
  readonly #cursors = new Set<{ next: number }>()
  faults = 0
  switches = 0

  /**
   * @param changes how often the chain grows or switches before it ends
   * @param faulty  sometimes sends wrong frames and drops connections
   */
  constructor(random: Random, changes: number, faulty: boolean) {
    this.#random = random
    this.#changesLeft = changes
    this.#faulty = faulty
    this.#grow(5)
  }

  /** The final branch. */
  get chain(): readonly PackedBlock[] {
    return this.#chain
  }

  /** Highest block number of all branches; known once the chain has ended. */
  get lastNum(): number | undefined {
    return this.#changesLeft === 0 ? this.#head.num : undefined
  }

  *answer(request: ReceivedRequest): Generator<Step> {
    const cursor = { next: request.start }
    let sent = 0
    for (const { num, id } of request.have) {
      if (num < request.start && this.#at(num)?.id !== id) cursor.next = Math.min(cursor.next, num)
    }
    this.#cursors.add(cursor)
    try {
      while (this.#changesLeft > 0 || cursor.next <= this.#head.num) {
        const block = this.#at(cursor.next)
        if (block && 'block' in block) {
          cursor.next++
          if (this.#faulty && this.#changesLeft > 0 && this.#random.chance(0.03)) {
            yield* this.#fault(block, sent)
          } else {
            sent = block.num
            yield { ...block, head: this.#head, lib: this.#libPosition }
          }
        }
        if (!block || this.#random.chance(0.3)) this.#change()
      }
    } finally {
      this.#cursors.delete(cursor)
    }
  }

  get #head(): BlockPosition {
    const { num, id } = itemAt(this.#chain, -1)
    return { num, id }
  }

  get #libPosition(): BlockPosition {
    const { num, id } = this.#at(this.#lib) as BlockPosition
    return { num, id }
  }

  #at(num: number): PackedBlock | BlockPosition | undefined {
    return num === 1 ? GENESIS : this.#chain[num - 2]
  }

  /** Replaces `block`, or inserts a step before it; `last` is the number of the last block sent correctly. */
  #fault(block: PackedBlock, last: number): Step[] {
    this.faults++
    const sent = { ...block, head: this.#head, lib: this.#libPosition }
    const below = this.#at(this.#random.integer(1, Math.max(1, Math.min(this.#lib, last - 1)))) as BlockPosition
    return this.#random.pick<() => Step[]>([
      () => ['cut'],
      () => ['close'],
      () => ['cut in frame'],
      () => ['empty'],
      () => [], // the block is skipped
      () => [{ raw: Uint8Array.of(2, ...Array.from({ length: 40 }, () => this.#random.integer(0, 255))) }, sent],
      () => [sent, sent],
      () => [childOf({ num: block.num - 1, id: this.#random.hex(32) })],
      () => (last < 3 ? ['cut'] : [{ ...childOf(below, 'below'), lib: { num: below.num, id: below.id } }, sent]),
    ])()
  }

  #change(): void {
    if (this.#changesLeft === 0) return
    if (--this.#changesLeft === 0) this.#grow(this.#highest - this.#head.num + 3)
    else if (this.#random.chance(0.4) && this.#head.num > this.#lib) this.#switch()
    else this.#grow(this.#random.integer(1, 6))
    this.#lib += this.#random.integer(0, Math.min(7, this.#head.num - this.#lib))
  }

  /** Forks at or above the last irreversible block; the new branch may be shorter. */
  #switch(): void {
    this.switches++
    const parent = this.#random.integer(this.#lib, this.#head.num - 1)
    this.#chain.length = parent - 1
    for (const cursor of this.#cursors) cursor.next = Math.min(cursor.next, parent + 1)
    this.#branches++
    this.#grow(this.#random.integer(1, 8))
  }

  #grow(count: number): void {
    const parent = this.#at(this.#chain.length + 1) as BlockPosition
    this.#chain.push(...branchOf(parent, count, `branch ${this.#branches}`, this.#random.integer(1, 60)))
    this.#highest = Math.max(this.#highest, this.#head.num)
  }
}
