// The recent steps of the market that a fork may undo: the block where each ended, and its changes.
import { BugError } from '../../core/errors.ts'
import type { Changes } from './advance.ts'
import type { BlockMark } from './model.ts'
import type { WindowName } from './rolling.ts'

/** A point from which the market can be advanced. */
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
  /** Changes of the step that ended here. */
  changes: Pick<Changes, 'pools' | 'books'>
}

export class RecentSteps {
  private steps: Step[] = []

  /** Starts over with a freshly loaded market. */
  restart({ at, windowBlocks }: Place): void {
    this.steps = [{ at, windowBlocks, changes: { pools: new Set(), books: new Set() } }]
  }

  /**
   * Adds the step from `from` to another place, and drops earlier steps after `from`.
   *
   * @param lib  last irreversible block: places before the last one at or below it are dropped
   * @throws BugError MARKET_STEP_UNKNOWN when no step ended at `from`
   */
  add(from: Place, { at, windowBlocks }: Place, all: Changes, lib: number): void {
    const changes = { pools: all.pools, books: new Set([...all.books, ...all.closedBooks]) }
    this.steps.splice(this.placeOf(from.at) + 1, this.steps.length, { at, windowBlocks, changes })
    // A fork can start no deeper than the last place at or below the irreversible block.
    let first = 0
    while ((this.steps[first + 1]?.at.block ?? Number.POSITIVE_INFINITY) <= lib) first++
    if (first > 0) this.steps.splice(0, first)
  }

  /** Blocks of all places, newest first. */
  marks(): BlockMark[] {
    return this.steps.map(({ at }) => at).reverse()
  }

  /**
   * The place at a block, and the changes of the steps after it.
   *
   * @param mark  one of `marks()`
   * @throws BugError MARKET_STEP_UNKNOWN for any other one
   */
  after(mark: BlockMark): { from: Place; undone: Touched } {
    const place = this.placeOf(mark)
    const undone: Touched = { pools: new Set(), books: new Set() }
    for (const { changes } of this.steps.slice(place + 1)) {
      for (const id of changes.pools) undone.pools.add(id)
      for (const id of changes.books) undone.books.add(id)
    }
    return { from: this.steps[place] as Step, undone }
  }

  /** @throws BugError MARKET_STEP_UNKNOWN */
  private placeOf(mark: BlockMark): number {
    const place = this.steps.findIndex(({ at }) => at.id === mark.id)
    if (place >= 0) return place
    throw new BugError('MARKET_STEP_UNKNOWN', `no recent step of the market ended at block ${mark.block}`, {
      place: { block: mark.block },
    })
  }
}
