// When the holders of a token are counted again.
import t from 'tap'
import { HolderCounts } from '../../../api/explore/token/holder-counts.ts'
import type { Statement } from '../../../api/kit/snapshot.ts'

const TOKEN = ['wax', 'eosio.token', 'WAX'] as const

/** Counts that take `took` ms each, of block 1, 2, 3... */
function counting(took: number) {
  const test = { now: 0, counts: 0, isOnChain: true, fails: false }
  const database = {
    query: async ({ name }: Statement) => {
      if (name === 'explore-is-block') return { rows: [{ isBlock: test.isOnChain }] }
      test.counts++
      test.now += took
      if (test.fails) throw new Error('no database')
      return { rows: [{ atBlock: test.counts, atId: 'aa' }] }
    },
  }
  const counts = new HolderCounts(database as never, () => test.now)
  return { test, block: async () => (await counts.of(TOKEN))?.atBlock }
}

t.test('a short count is made for each request', async (t) => {
  const { block } = counting(10)
  t.same([await block(), await block()], [1, 2])
})

t.test('a long one is used for twenty times as long', async (t) => {
  const { test, block } = counting(1000)
  t.equal(await block(), 1)
  test.now += 19_999
  t.equal(await block(), 1)
  test.now += 1
  t.equal(await block(), 2)
})

t.test('requests at the same time share a count', async (t) => {
  const { test, block } = counting(10)
  t.same(await Promise.all([block(), block(), block()]), [1, 1, 1])
  t.equal(test.counts, 1)
})

t.test('a count of a block that a fork replaced is made again', async (t) => {
  const { test, block } = counting(1000)
  t.equal(await block(), 1)
  test.isOnChain = false
  t.equal(await block(), 2)
})

t.test('a failure is not kept', async (t) => {
  const { test, block } = counting(1000)
  test.fails = true
  await t.rejects(block(), { message: 'no database' })
  test.fails = false
  t.equal(await block(), 2)
})
