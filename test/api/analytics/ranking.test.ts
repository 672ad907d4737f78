// A ranking updated block by block equals a full sort, for few and for many changed items.
import { setImmediate as others } from 'node:timers/promises'
import t from 'tap'
import { type Direction, ranked, type Sorting } from '../../../api/analytics/ranking.ts'
import type { Changes } from '../../../api/live-market/advance.ts'
import type { LiveMarket, MarketListener } from '../../../api/live-market/live-market.ts'
import type { MarketState } from '../../../api/live-market/model.ts'
import { changesOf } from '../../support/changes.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

interface Thing {
  id: number
  value: number
}

const NONE = changesOf()

t.test('rankings follow added, removed, changed and replaced items', async (t) => {
  const seed = seedFromEnvironment()
  const random = new Random(seed)
  const things = new Map<number, Thing>()
  let tell: MarketListener = () => {}
  const listen = (listener: MarketListener) => {
    tell = listener
    return () => {}
  }
  const state = {} as MarketState
  const market = { listen, state } as unknown as LiveMarket
  let bonus = { value: new Map<number, number>(), ids: [] as number[] }
  const sorting = (): Sorting<Thing> => ({
    items: () => things,
    touched: (_state, { pools }) => pools,
    key: ({ id, value }) => value + (bonus.value.get(id) ?? 0),
    tie: ({ id }) => id,
    external: bonus,
  })
  const wanted = (sign: 1 | -1) => {
    const { key } = sorting()
    return [...things.values()].sort((x, y) => sign * (key(x) - key(y)) || x.id - y.id).map(({ id }) => id)
  }
  for (let step = 0; step < 300; step++) {
    // One in ten steps changes hundreds of items.
    const most = random.chance(0.1) ? 1500 : 20
    const touched = new Set<number>()
    for (let left = random.integer(0, most); left > 0; left--) {
      const id = random.integer(0, 700)
      touched.add(id)
      const known = things.get(id)
      if (random.chance(0.2)) things.delete(id)
      // Few values, so that many keys are equal.
      else if (known === undefined || random.chance(0.3)) things.set(id, { id, value: random.integer(0, 50) })
      else known.value = random.integer(0, 50)
    }
    const isUnknown = random.chance(0.03)
    tell(state, isUnknown ? null : ({ ...NONE, pools: touched } as Changes))
    if (random.chance(0.3)) {
      const ids = Array.from({ length: random.integer(0, 30) }, () => random.integer(0, 700))
      bonus = { value: new Map(ids.map((id) => [id, random.integer(1, 9)])), ids }
    }
    for (const direction of ['asc', 'desc'] as Direction[]) {
      if (random.chance(0.3)) continue
      // Sometimes the ranking is updated between requests, partly or completely.
      for (let turns = random.integer(0, 4); turns > 0; turns--) await others()
      const name = `seed ${seed}, step ${step}, ${direction}`
      const found = ranked(market, state, 'things', direction, sorting())
      const all = wanted(direction === 'asc' ? 1 : -1)
      t.equal(found.length, all.length, name)
      const from = random.integer(0, all.length)
      const before = from + random.integer(0, all.length)
      const ids = (items: Thing[]) => items.map(({ id }) => id)
      t.same(ids(found.slice(0, all.length)), all, name)
      t.same(ids(found.slice(from, before)), all.slice(from, before), `${name}, from ${from} to ${before}`)
      const some = new Set([...things.values()].filter(() => random.chance(0.02 * (step % 10))))
      const isOne = new Set([...some].map(({ id }) => id))
      t.same(
        ids(found.some(some)),
        all.filter((id) => isOne.has(id)),
        `${name}, some`,
      )
    }
  }
})
