// Keys requested more than once, within one period or in two consecutive periods.
import t from 'tap'
import { RecentKeys } from '../../../api/http/recent-keys.ts'

t.test('a key is known in its period and in the next one', async (t) => {
  const asked = new RecentKeys(10)
  t.equal(asked.note('a'), false)
  t.equal(asked.note('a'), true)
  asked.begin()
  t.equal(asked.note('a'), true, 'of the period before')
  t.equal(asked.note('b'), false)
  asked.begin()
  asked.begin()
  t.equal(asked.note('a'), false, 'two periods later')
})

t.test('a full period ends early, so the memory is bounded', async (t) => {
  const asked = new RecentKeys(2)
  for (const key of ['a', 'b', 'c']) asked.note(key)
  t.equal(asked.note('a'), true, 'of the two before')
  for (const key of ['d', 'e', 'f']) asked.note(key)
  t.equal(asked.note('b'), false)
})

t.test('a longer key than usual is not remembered', async (t) => {
  const asked = new RecentKeys(10)
  const [usual, long] = ['/a?search='.padEnd(1000, 'x'), '/a?search='.padEnd(1001, 'x')]
  t.same([asked.note(usual), asked.note(usual)], [false, true])
  t.same([asked.note(long), asked.note(long)], [false, false], 'a long one is not kept')
})
