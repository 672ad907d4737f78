// The market that was moved on block by block is the market that is loaded at its block.
import type pg from 'pg'
import t from 'tap'
import { SILENT } from '../../../api/http/log.ts'
import type { Changes } from '../../../api/market/advance.ts'
import { LiveMarket } from '../../../api/market/live-market.ts'
import type { MarketState } from '../../../api/market/model.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { indexRecording } from '../../indexer/replay/index-recording.ts'
import { testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'

const recording = (name: string) => new URL(`../../fixtures/recordings/${name}.ship.gz`, import.meta.url).pathname
const CONFIG = testChain('wax')

function openMarket(pool: pg.Pool): LiveMarket {
  return new LiveMarket(pool, CONFIG, SILENT)
}

/** Everything that a state says, without when it was last changed. */
function facts(state: MarketState | null) {
  if (state === null) return null
  const { at, pools, books, tokens, poolsOf, booksOf, prices } = state
  const series = ({ changed: _, ...rest }: { changed: unknown; id: number }) => rest
  const ids = <T extends { id: number }>(sets: Map<string, Set<T>>) =>
    [...sets]
      .map(([token, set]) => [token, [...set].map(({ id }) => id).sort((a, b) => a - b)] as const)
      .filter(([, set]) => set.length > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
  const sorted = <T extends { id: number }>(map: Map<number, T>) =>
    [...map.values()].sort((a, b) => a.id - b.id).map((one) => series(one as never))
  return {
    at,
    pools: sorted(pools),
    books: sorted(books),
    tokens: [...tokens.keys()].sort(),
    poolsOf: ids(poolsOf),
    booksOf: ids(booksOf),
    prices: new Map(prices.byToken),
    usd: prices.usd,
  }
}

async function loadedFacts(pool: pg.Pool) {
  const fresh = openMarket(pool)
  await fresh.catchUp()
  return facts(fresh.state)
}

for (const name of ['medium', 'forks'])
  t.test(`${name}: moved on from place to place, the market is as if it were loaded there`, async (t) => {
    const { url, pool } = await testDatabase(t)
    const path = recording(name)
    await indexRecording(url, 'wax', new ReplaySource(path), 60)
    await pool.query(`select meta.build_indexes('wax')`)
    const market = openMarket(pool)
    await market.catchUp()
    let steps = 0
    let loads = 0
    market.listen((_, changes: Changes | null) => {
      steps++
      if (changes === null) loads++
    })
    const last = await lastBlock(path)
    for (let block = 61; block <= last; block += 1 + ((block * 7) % 67)) {
      await indexRecording(url, 'wax', new ReplaySource(path), block)
      await market.catchUp()
      if (block % 2 === 0) t.same(facts(market.state), await loadedFacts(pool), `at block ${block}`)
    }
    await indexRecording(url, 'wax', new ReplaySource(path))
    await market.catchUp()
    t.same(facts(market.state), await loadedFacts(pool), 'at the end')
    t.ok(steps >= 8, `${steps} steps, ${loads} of them loads`)
  })

async function lastBlock(path: string): Promise<number> {
  let last = 0
  for await (const { num } of new ReplaySource(path).blocks({ from: 0, have: [] }, new AbortController().signal))
    last = Math.max(last, num)
  return last
}
