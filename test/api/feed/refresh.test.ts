// Times at which the feed refreshes: immediately for the first request, then at the end of each minute.

import t from 'tap'
import type { ChainContext } from '../../../api/chain-context.ts'
import { Assets } from '../../../api/feed/assets.ts'
import { Feed } from '../../../api/feed/feed.ts'
import { snapshotSteps } from '../../../api/feed/snapshot.ts'
import { readFeedAssets } from '../../../config/feed-assets.ts'
import { VersionedCache } from '../../../core/cache.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { until } from '../../support/until.ts'
import { CHAINS, chainConfig, writeScene } from './scene.ts'

const MINUTE = 60_000

t.test('the feed of a minute', async (t) => {
  const database = await testDatabase(t, { chains: CHAINS })
  await writeScene(database.pool)
  const { contexts } = await testApi(t, database, { chains: CHAINS.map(chainConfig) })
  const start = Math.floor(Date.now() / MINUTE) * MINUTE
  const clock = { now: start }
  const assets = readFeedAssets(undefined, [])
  const feed = new Feed(contexts, { assets, now: () => clock.now })
  t.teardown(async () => feed.close())

  t.test('answers come from the previous minute while the new feed is computed', async (t) => {
    const first = feed.current()
    t.equal(first?.refreshedAt, start)
    clock.now += MINUTE - 1
    t.equal(feed.current(), first, 'the same until the minute ends')
    clock.now++
    const made = feed.refresh()
    t.equal(feed.current(), first, 'while the next one is being made')
    await made
    const second = feed.current()
    t.equal(second?.refreshedAt, start + MINUTE)
    t.same(
      second?.markets.map(({ poolId }) => poolId),
      first?.markets.map(({ poolId }) => poolId),
    )
    await feed.refresh()
    t.equal(feed.current(), second, 'once a minute')
  })

  t.test('the first request of a minute does not wait', async (t) => {
    clock.now += 10 * MINUTE
    t.equal(feed.current()?.refreshedAt, clock.now)
  })

  t.test('an answer is never older than the minute before', async (t) => {
    const made = feed.refresh()
    clock.now += 2 * MINUTE
    t.equal(feed.current()?.refreshedAt, clock.now)
    await made
    t.equal(feed.current()?.refreshedAt, clock.now, 'what was begun before does not come back')
  })

  t.test('each chain is read in one step, so its markets are of one block', (t) => {
    const known = new Assets(
      assets,
      contexts.map(({ config }) => config),
    )
    const steps = [...snapshotSteps(contexts, known, 1000, clock.now, new VersionedCache())]
    t.equal(steps.length, CHAINS.length + 2)
    t.end()
  })

  t.test('a chain whose trades cannot be read does not block the trades of other chains', async (t) => {
    const [wax, telos] = ['wax', 'telos'].map((chain) => contexts.find((one) => one.chain === chain)) as ChainContext[]
    const broken = { ...telos, pool: { query: () => Promise.reject(new Error('not now')) } } as unknown as ChainContext
    const other = new Feed([broken, wax!], { assets, now: () => clock.now })
    t.teardown(async () => other.close())
    const { markets } = other.current()!
    t.equal(markets[0]?.chain, 'telos', 'the first one to be read')
    const unknown = () => other.recentOf(wax!).unknown('amm', [0, 1, 2])
    await until('the trades are read', () => unknown().length === 0)
    t.same(unknown(), [])
    t.same(other.recentOf(broken).unknown('amm', [0]), [0])
  })
})
