// Prepared lists exist before the first request, and a block updates only the entries that it changed.
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { type ListOf, listPieces, prepareList } from '../../../api/lists/live-list.ts'
import type { Changes } from '../../../api/live-market/advance.ts'
import type { LiveMarket, MarketListener, MarketState } from '../../../api/live-market/live-market.ts'
import { until } from '../../support/until.ts'

interface Pool {
  id: number
  price: number
}

/** A market with pools only, as lists see it. */
class PoolsOnly {
  state: MarketState | null = null
  readonly pools = new Map<number, Pool>()
  private listener: MarketListener = () => {}

  listen(listener: MarketListener): void {
    this.listener = listener
  }

  load(): void {
    this.state = { pools: this.pools } as unknown as MarketState
    this.listener(this.state, null)
  }

  set(id: number, price: number): void {
    this.pools.set(id, { id, price })
    const changes = { pools: new Set([id]), everything: false } as unknown as Changes
    this.listener(this.state as MarketState, changes)
  }

  get market(): LiveMarket {
    return this as unknown as LiveMarket
  }
}

/** Longer than a step of a list may take, milliseconds. */
const SLOW_MS = 5

/** Uses the processor for `SLOW_MS`. */
function slowly(): void {
  const end = performance.now() + SLOW_MS
  while (performance.now() < end);
}

/** Pools by id, and their list entries. @param slow  id of the pool whose entry takes longer than a step */
function listing(made: number[], slow?: number): ListOf<number, Pool> {
  return {
    key: 'all',
    items: ({ pools }) => pools as unknown as Map<number, Pool>,
    rank: (_state, { id }) => [id],
    json(_state, pool) {
      made.push(pool.id)
      if (pool.id === slow) slowly()
      return Buffer.from(JSON.stringify(pool))
    },
    touched: (_state, { pools }) => pools,
  }
}

t.test('a prepared list is computed without a request, in steps', async (t) => {
  const only = new PoolsOnly()
  for (let id = 0; id < 1000; id++) only.pools.set(id, { id, price: id })
  const made: number[] = []
  prepareList(only.market, listing(made, 500))
  await turn()
  t.equal(made.length, 0, 'nothing is computed before the market is loaded')
  only.load()
  while (made.length === 0) await turn()
  t.ok(made.length <= 501, `${made.length} of 1000 after the first step: the slow one ends it`)
  await until('all are made', () => made.length >= 1000)
  t.equal(made.length, 1000)

  const asked = listing([])
  const bytes = Buffer.concat(listPieces(only.market, only.state as MarketState, asked))
  t.same(JSON.parse(`${bytes}`), [...only.pools.values()])
  t.equal(made.length, 1000, 'who asks gets what has been made')

  only.set(7, 70)
  only.set(1000, 1)
  await until('both are made', () => made.length >= 1002)
  t.same(made.slice(1000), [7, 1000], 'only what a step has touched is made again')
  t.same(JSON.parse(Buffer.concat(listPieces(only.market, only.state as MarketState, asked)).toString()), [
    ...only.pools.values(),
  ])
})
