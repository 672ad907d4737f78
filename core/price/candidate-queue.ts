// Pools that may price a token, widest first: a binary heap.
import type { PriceEdge, PriceNode } from './price-graph.ts'

export interface Candidate {
  edge: PriceEdge
  /** The priced side. */
  from: PriceNode
  /** Value of the priced side, raw units of the system token. */
  value: bigint
  /** The lesser of that and of the width of the priced side's path. */
  width: bigint
  /** The width as the nearest double: where two of them differ, so do the widths, the same way. */
  nearWidth: number
}

export class CandidateQueue<T extends Candidate = Candidate> {
  private readonly heap: T[] = []

  push(candidate: T): void {
    const { heap } = this
    let at = heap.length
    heap.push(candidate)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(candidate, heap[parent] as T)) break
      heap[at] = heap[parent] as T
      at = parent
    }
    heap[at] = candidate
  }

  /** Takes the widest out. */
  pop(): T | undefined {
    const { heap } = this
    const top = heap[0]
    const last = heap.pop()
    if (heap.length === 0 || !last) return top
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1] as T, heap[child] as T)) child++
      if (!isBefore(heap[child] as T, last)) break
      heap[at] = heap[child] as T
      at = child
    }
    heap[at] = last
    return top
  }
}

/** A total order: a pool is offered from one side only as long as its other side has no price. */
function isBefore(x: Candidate, y: Candidate): boolean {
  if (x.nearWidth !== y.nearWidth) return x.nearWidth > y.nearWidth
  if (x.width !== y.width) return x.width > y.width
  if (x.value !== y.value) return x.value > y.value
  return x.edge.pool.id < y.edge.pool.id
}
