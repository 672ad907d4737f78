// The steps of the market that a fork may take back: where each ended, and what it changed.
import type { Changes } from './advance.ts'
import type { BlockMark } from './model.ts'
import type { WindowName } from './rolling.ts'

/** A place from which the market can be moved on. */
export interface Place {
  at: BlockMark
  /** First block of each window. */
  windowBlocks: Record<WindowName, number>
}

/** Ids of pools and markets. */
export interface Touched {
  pools: Set<number>
  books: Set<number>
}

interface Step extends Place {
  /** What changed on the way to the place. */
  changes: Pick<Changes, 'pools' | 'books'>
}

export class RecentSteps {
  private steps: Step[] = []

  /** Starts over with a market that was loaded. */
  restart({ at, windowBlocks }: Place): void {
    this.steps = [{ at, windowBlocks, changes: { pools: new Set(), books: new Set() } }]
  }

  /**
   * Adds the step that led from a place to another one, and forgets the steps behind that place.
   *
   * @param lib  last irreversible block: what lies before it is forgotten too
   */
  add(from: Place, { at, windowBlocks }: Place, all: Changes, lib: number): void {
    const changes = { pools: all.pools, books: new Set([...all.books, ...all.closedBooks]) }
    this.steps.splice(this.placeOf(from.at) + 1, this.steps.length, { at, windowBlocks, changes })
    // The last place up to the irreversible block is the deepest from which a fork can lead.
    let first = 0
    while ((this.steps[first + 1]?.at.block ?? Number.POSITIVE_INFINITY) <= lib) first++
    if (first > 0) this.steps.splice(0, first)
  }

  /** Blocks of all places, newest first. */
  marks(): BlockMark[] {
    return this.steps.map(({ at }) => at).reverse()
  }

  /** A place by its block, and what the steps behind it have changed. */
  behind(mark: BlockMark): { from: Place; undone: Touched } {
    const place = this.placeOf(mark)
    const undone: Touched = { pools: new Set(), books: new Set() }
    for (const { changes } of this.steps.slice(place + 1)) {
      for (const id of changes.pools) undone.pools.add(id)
      for (const id of changes.books) undone.books.add(id)
    }
    return { from: this.steps[place] as Step, undone }
  }

  private placeOf(mark: BlockMark): number {
    return this.steps.findIndex(({ at }) => at.id === mark.id)
  }
}
