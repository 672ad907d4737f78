// Comparison of digests of rows, without a database.
import t from 'tap'
import { digestsOf, forgetDigests, unloggedChanges } from '../../../api/live-market/unlogged.ts'

const rows = (...ids: number[]) => ids.map((id) => ({ id, digest: `of ${id}` }))

t.test('items with another digest, with none before and with none now are changed', async (t) => {
  const known = digestsOf(rows(1, 2, 3), rows(7))
  const found = digestsOf([...rows(1, 4), { id: 2, digest: 'another' }], rows(7))
  t.same(unloggedChanges(known, found), { pools: [2, 3, 4], books: [] })
})

t.test('an item that a step changed counts as changed, even if it has no rows any more', async (t) => {
  const known = digestsOf(rows(1, 2, 3), rows(7, 8))
  forgetDigests(known, [2, 3, 9], [8])
  t.same(unloggedChanges(known, digestsOf(rows(1, 2), rows(7, 8))), { pools: [2, 3, 9], books: [8] })
})
