// Pages of facts while new facts come and forks remove some.
import t from 'tap'
import { withFresh, withNewest, withoutBlocksAbove } from '../../../web/explorer/core/fact-pages.ts'

/** Facts by sequence, one block for each ten. */
const facts = (...sequences: number[]) =>
  sequences.map((sequence) => ({ block: Math.floor(sequence / 10), sequence: String(sequence) }))
const page = (next: string | null, ...sequences: number[]) => ({ facts: facts(...sequences), next })
const shown = (pages: readonly { facts: readonly { sequence: string }[] }[]) =>
  pages.flatMap((one) => one.facts.map(({ sequence }) => Number(sequence)))

t.test('new facts come first, and none is on two pages', async (t) => {
  const held = [page('a', 95, 91, 88), page('b', 82, 70, 9)]
  const merged = withNewest(held, page('n', 102, 95, 91))
  t.same(shown(merged), [102, 95, 91, 88, 82, 70, 9])
  t.equal(merged.at(-1)?.next, 'b', 'the end is the same')
  t.same(shown(withNewest(merged, page('n', 110, 102, 95))), [110, 102, 95, 91, 88, 82, 70, 9])
})

t.test('facts that a fork removed go, on later pages too', async (t) => {
  const held = [page('a', 95, 91, 88), page('b', 82, 70, 9)]
  t.same(shown(withoutBlocksAbove(held, 8)), [88, 82, 70, 9])
  t.same(shown(withNewest(held, page('n', 97, 96, 91))), [97, 96, 91, 88, 82, 70, 9], '95 was replaced by 96 and 97')
  const deep = withNewest(withoutBlocksAbove(held, 7), page('n', 75, 72, 70))
  t.same(shown(deep), [75, 72, 70, 9])
})

t.test('where facts between the pages are not known, the list starts again', async (t) => {
  const held = [page('a', 95, 91, 88), page('b', 82, 70, 9)]
  const newest = page('n', 130, 128, 96)
  t.same(withNewest(held, newest), [newest])
  const only = page(null, 8)
  t.same(withNewest(held, only), [only], 'the newest page has everything')
  t.same(withNewest([page('a')], newest), [newest])
  t.same(withNewest(held, page(null)), [page(null)])
})

t.test('facts of the stream come before the answer has them, once', async (t) => {
  const held = [page('a', 95, 91, 88), page('b', 82, 70, 9)]
  t.same(shown(withFresh(held, facts(102, 101, 95, 91))), [102, 101, 95, 91, 88, 82, 70, 9])
  t.same(shown(withFresh(held, facts(95))), [95, 91, 88, 82, 70, 9])
  t.same(shown(withFresh([page(null)], facts(7))), [7], 'the first fact')
  t.same(withFresh([], facts(7)), [])
})
