// An order that is kept from block to block is the one that sorting anew gives, however few or many items a block touches.
import t from 'tap'
import { type Direction, ranked, type Sorting } from '../../../api/analytics/ranking.ts'
import type { Changes } from '../../../api/market/advance.ts'
import type { LiveMarket, MarketListener } from '../../../api/market/live-market.ts'
import type { MarketState } from '../../../api/market/model.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

interface Thing {
  id: number
  value: number
}

const NONE = { pools: new Set(), books: new Set(), tokens: new Set(), everything: false, forkedAfter: null }

t.test('items come, go, change and are replaced', async (t) => {
  const seed = seedFromEnvironment()
  const random = new Random(seed)
  const things = new Map<number, Thing>()
  let tell: MarketListener = () => {}
  const listen = (listener: MarketListener) => {
    tell = listener
    return () => {}
  }
  const market = { listen } as unknown as LiveMarket
  const state = {} as MarketState
  let bonus = { value: new Map<number, number>(), ids: [] as number[] }
  const sorting = (): Sorting<Thing> => ({
    items: () => things,
    touched: (_state, { pools }) => pools,
    key: ({ id, value }) => value + (bonus.value.get(id) ?? 0),
    tie: ({ id }) => id,
    beside: bonus,
  })
  const wanted = (sign: 1 | -1) => {
    const { key } = sorting()
    return [...things.values()].sort((x, y) => sign * (key(x) - key(y)) || x.id - y.id).map(({ id }) => id)
  }
  for (let step = 0; step < 300; step++) {
    // One in ten steps touches hundreds.
    const most = random.chance(0.1) ? 1500 : 20
    const touched = new Set<number>()
    for (let left = random.integer(0, most); left > 0; left--) {
      const id = random.integer(0, 700)
      touched.add(id)
      const known = things.get(id)
      if (random.chance(0.2)) things.delete(id)
      // Few values: many keys are the same.
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
      const found = ranked(market, state, 'things', direction, sorting()).map(({ id }) => id)
      t.same(found, wanted(direction === 'asc' ? 1 : -1), `seed ${seed}, step ${step}, ${direction}`)
    }
  }
})
