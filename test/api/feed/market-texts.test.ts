// JSON lists of the feed: a market's cached text equals a newly made one, for every site.
import t from 'tap'
import { MarketTexts } from '../../../api/feed/answers.ts'
import type { FeedMarket } from '../../../api/feed/market.ts'

t.test('a market is serialized once for each site, as long as it is the same object', async (t) => {
  const made: string[] = []
  const texts = new MarketTexts(({ poolId }, siteOf) => {
    made.push(poolId)
    return { poolId, url: siteOf({} as FeedMarket) }
  })
  const [one, two] = [{ poolId: 'one' }, { poolId: 'two' }] as [FeedMarket, FeedMarket]
  const list = (markets: FeedMarket[], site: string) => JSON.parse(texts.list(markets, site, () => site))
  t.same(list([one, two], 'a'), [
    { poolId: 'one', url: 'a' },
    { poolId: 'two', url: 'a' },
  ])
  t.same(list([two, one], 'a'), [
    { poolId: 'two', url: 'a' },
    { poolId: 'one', url: 'a' },
  ])
  t.same(made.splice(0), ['one', 'two'])
  const other = { poolId: 'one' } as FeedMarket
  t.equal(list([other, two], 'a').length, 2)
  t.same(made.splice(0), ['one'], 'the one that is another')
  t.same(list([two], 'b'), [{ poolId: 'two', url: 'b' }])
  t.same(list([], 'b'), [])
})
