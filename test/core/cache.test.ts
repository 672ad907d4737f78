// Caches: which values are computed again, evicted, and never cached.
import t from 'tap'
import { LRUCache, PromiseCache, perObject, VersionedCache } from '../../core/cache.ts'

t.test('one value for each object', async (t) => {
  let made = 0
  const of = perObject((key: { n: number }) => ({ n: key.n, made: ++made }))
  const [x, y] = [{ n: 1 }, { n: 1 }]
  t.equal(of(x), of(x))
  t.not(of(x), of(y), 'equal objects are not the same object')
  t.equal(made, 2)
})

t.test('another version or variant is computed again', async (t) => {
  const cache = new VersionedCache<object, number>()
  const key = {}
  let made = 0
  const get = (version: string, variant: string) => cache.get(key, version, variant, () => ++made)
  t.same([get('a', ''), get('a', ''), get('b', ''), get('b', 'x'), get('a', '')], [1, 1, 2, 3, 4])
  t.same([cache.get(key, 'a', '', () => 9)], [4])
})

t.test('the least recently used entry is evicted', async (t) => {
  const cache = new LRUCache<string, number>({ max: 2 })
  cache.set('a', 1).set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  t.same([cache.get('a'), cache.get('b'), cache.get('c')], [1, undefined, 3])
})

t.test('a value that is being fetched is shared, ages, and a failure is not cached', async (t) => {
  let now = 0
  let fetched = 0
  const cache = new PromiseCache<number>({ max: 2, maxAgeMs: 10, now: () => now })
  const fetch = async () => ++fetched
  t.same(await Promise.all([cache.get('a', fetch), cache.get('a', fetch)]), [1, 1])
  now = 9
  t.equal(await cache.get('a', fetch), 1)
  now = 10
  t.equal(await cache.get('a', fetch), 2, 'it is too old')
  await t.rejects(
    cache.get('b', () => Promise.reject(new Error('no'))),
    { message: 'no' },
  )
  t.equal(await cache.get('b', fetch), 3)
  cache.delete('b')
  t.equal(await cache.get('b', fetch), 4)
  await cache.get('c', fetch)
  t.equal(await cache.get('a', fetch), 6, 'evicted')
})
