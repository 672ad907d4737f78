// The steps that a fork may undo.
import t from 'tap'
import type { Changes } from '../../../api/live-market/advance.ts'
import { type Place, RecentSteps } from '../../../api/live-market/recent-steps.ts'

const place = (block: number): Place => {
  return { at: { block, id: `id ${block}` }, windowBlocks: {} } as unknown as Place
}
const changed = (pool: number) =>
  ({ pools: new Set([pool]), books: new Set(), closedBooks: new Set() }) as unknown as Changes

t.test('steps after a block are undone, and an unknown block is a bug, not an empty history', async (t) => {
  const steps = new RecentSteps()
  steps.restart(place(10))
  steps.add(place(10), place(11), changed(1), 5)
  steps.add(place(11), place(12), changed(2), 5)
  const { from, undone } = steps.after(place(10).at)
  t.same([from.at.block, [...undone.pools]], [10, [1, 2]])
  const unknown = { code: 'MARKET_STEP_UNKNOWN', message: /block 99/ }
  t.throws(() => steps.after(place(99).at), unknown)
  t.throws(() => steps.add(place(99), place(100), changed(3), 5), unknown)
  t.same(
    steps.marks().map(({ block }) => block),
    [12, 11, 10],
    'nothing is dropped',
  )
})
