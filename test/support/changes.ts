// A step's changes of the market, for tests that set only some members.
import type { Changes } from '../../api/live-market/advance.ts'

/** @param some  members that differ from a step that changed nothing */
export function changesOf(some: Partial<Changes> = {}): Changes {
  return {
    ...{ pools: new Set(), books: new Set(), closedBooks: new Set(), tokens: new Set() },
    ...{ everything: false, terms: false, farms: false, swaps: [], deals: [], forkedAfter: null },
    before: { block: 1, id: '01'.repeat(32), time: 0 },
    ...some,
  }
}
