// The newest blocks of the market's branch, without a database.
import t from 'tap'
import { Branch } from '../../../api/live-market/branch.ts'

const on = (branch: string, first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => ({ block: first + i, id: `${branch}${first + i}` }))

t.test('it has the blocks of its steps', async (t) => {
  const branch = new Branch()
  branch.restart({ block: 10, id: 'a10' })
  branch.add(10, on('a', 11, 13).reverse())
  for (const mark of on('a', 10, 13)) t.ok(branch.has(mark), mark.id)
  t.notOk(branch.has({ block: 14, id: 'a14' }))
  t.notOk(branch.has({ block: 12, id: 'b12' }))
})

t.test('a fork removes the blocks after the one that both branches share', async (t) => {
  const branch = new Branch()
  branch.restart({ block: 10, id: 'a10' })
  branch.add(10, on('a', 11, 15))
  branch.add(12, on('b', 13, 14))
  t.same(
    [...on('a', 11, 15), ...on('b', 13, 14)].filter((mark) => branch.has(mark)).map(({ id }) => id),
    ['a11', 'a12', 'b13', 'b14'],
  )
})

t.test('it remembers the newest 256, and none before a new load', async (t) => {
  const branch = new Branch()
  branch.restart({ block: 1, id: 'a1' })
  for (let num = 1; num < 300; num++) branch.add(num, on('a', num + 1, num + 1))
  t.notOk(branch.has({ block: 44, id: 'a44' }))
  t.ok(branch.has({ block: 45, id: 'a45' }))
  t.ok(branch.has({ block: 300, id: 'a300' }))
  branch.restart({ block: 400, id: 'a400' })
  t.notOk(branch.has({ block: 300, id: 'a300' }))
})
