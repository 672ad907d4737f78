import t from 'tap'
import type { ChainContext } from '../../../api/chain-context.ts'
import type { Changes } from '../../../api/live-market/advance.ts'
import type { TokenRef } from '../../../api/live-market/model.ts'
import { cachedDepth } from '../../../api/market/depth.ts'
import { LiveRouter } from '../../../api/route/live-router.ts'
import { syntheticChain } from '../../../bench/route/chain.ts'
import { routedVenues, tokenOf } from '../../../bench/route/venues.ts'
import { BenchMarket } from '../../../bench/stream/market.ts'
import { testChain } from '../../support/api.ts'
import { Random } from '../../support/random.ts'

/** A depth over them takes many blocks of this test. */
const POOLS = 100
const chain = syntheticChain(new Random(1), POOLS, 20)
const [first, second] = chain.tokens.map(tokenOf) as [TokenRef, TokenRef]
const question = (...impacts: number[]) => ({ input: first, output: second, impacts })

/** A market as loaded from the database at block 1000. */
function scene(venues = routedVenues(chain)) {
  const config = { ...testChain('wax'), systemToken: first }
  const market = new BenchMarket(config, venues)
  const live = market.asLive()
  const context = () =>
    ({ chain: 'wax', market: live, router: new LiveRouter(config, live) }) as unknown as ChainContext
  return { market, context }
}

/** Makes a block that changes prices in each turn of the event loop, until the returned function is called. */
function blocks(market: BenchMarket, tell: (changes: Changes, count: number) => void): () => number {
  const random = new Random(2)
  let [count, isOver] = [0, false]
  const next = () => {
    if (isOver) return
    const pools = Array.from({ length: 20 }, () => random.integer(0, POOLS - 1))
    tell(market.advance(market.read({ pools, change: 'price' })), ++count)
    setImmediate(next)
  }
  setImmediate(next)
  return () => {
    isOver = true
    return count
  }
}

t.test('a depth that takes longer than a block is as of the block at which it began', async (t) => {
  const rest = JSON.parse((await cachedDepth(scene().context(), question(0.5, 1, 2, 5))).text)
  t.equal(rest.block, 1000)
  t.equal(rest.referenceKind, 'mid')
  const { market, context } = scene()
  const making = context()
  const asked = cachedDepth(making, question(0.5, 1, 2, 5))
  const stop = blocks(market, (changes) => market.tell(changes))
  t.same(JSON.parse((await asked).text), rest)
  t.ok(stop() > 5, 'blocks came in between')
  const later = JSON.parse((await cachedDepth(making, question(0.5, 1, 2))).text)
  t.equal(later.block, market.state.at.block)
  t.not(later.reference, rest.reference)
  t.not(later.levels[0].input, rest.levels[0].input)
  const anew = JSON.parse((await cachedDepth(context(), question(0.5, 1, 2))).text)
  t.same(later, anew, 'the next one is of the newest block, and of all that changed')
})

t.test('a depth starts again if a fork removes its block or the market is loaded again', async (t) => {
  for (const kind of ['fork', 'loading'] as const) {
    const { market, context } = scene()
    const asked = cachedDepth(context(), question(0.5, 1, 2, 5))
    let until = Number.POSITIVE_INFINITY
    const stop = blocks(market, (changes, count) => {
      if (count < 3) market.tell(changes)
      else {
        until = market.state.at.block
        stop()
        market.tell(kind === 'fork' ? { ...changes, forkedAfter: 999 } : null)
      }
    })
    const made = JSON.parse((await asked).text)
    t.equal(made.block, until, kind)
    t.same(made, JSON.parse((await cachedDepth(context(), question(0.5, 1, 2, 5))).text))
  }
})

t.test('at most a hundred computations of a depth may wait', async (t) => {
  const { pools, books } = routedVenues(chain)
  const { context } = scene({ pools: pools.slice(0, 5), books: books.slice(0, 0) })
  const own = context()
  const asked = await Promise.allSettled(Array.from({ length: 105 }, (_, i) => cachedDepth(own, question(1 + i / 100))))
  const reasons = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason.statusCode] : []))
  t.same(reasons, Array(5).fill(503))
  t.ok((await cachedDepth(own, question(7))).text, 'there is room again')
})
