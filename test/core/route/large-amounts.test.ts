// Amounts beyond 2^53, of which doubles do not know the last units: the parts add up to what was asked for all the same.
import t from 'tap'
import { Router } from '../../../core/route/router.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { type PricedToken, randomBook, randomPool } from './random-market.ts'
import { Replay } from './replay.ts'

const seed = seedFromEnvironment()
const FINE: PricedToken = { id: 'fine-contract', decimals: 18, worth: 1e-18 }

/** A few venues between two tokens, all of them about as large as the trade. */
function market(random: Random, other: PricedToken, books: number): Router {
  const router = new Router()
  for (let id = 0; id < 3; id++) router.putPool(randomPool(random, id, FINE, other, 10 ** (random.next() * 2)))
  for (let id = 0; id < books; id++) {
    const book = randomBook(random, id, FINE, other, 10 ** random.next(), random.integer(1, 4))
    router.putBook({ ...book, minBuy: 0n, minSell: 0n })
  }
  return router
}

/** Between 2^61 and 2^62, and no multiple of what doubles can tell apart there. */
function amountOf(random: Random): bigint {
  return (1n << 61n) + random.bigint(1n << 60n) * 2n + 1n
}

t.test(`an exact input is spent to the last unit (HEADWATER_SEED=${seed})`, async (t) => {
  const random = new Random(seed)
  let split = 0
  for (let round = 0; round < 30; round++) {
    const router = market(random, { id: 'other-contract', decimals: 4, worth: 1e-4 }, 2)
    const amount = amountOf(random)
    const route = router.exactIn({ input: FINE.id, output: 'other-contract', amount })
    if (route === null) continue
    if (route.parts.length > 1) split++
    t.equal(route.input, amount, `round ${round}`)
    t.strictSame(new Replay().run(route), { spent: amount, received: route.output }, `round ${round} executes`)
  }
  t.ok(split > 10, `${split} split`)
})

t.test(`an exact output is had to the last unit (HEADWATER_SEED=${seed})`, async (t) => {
  const random = new Random(seed)
  let split = 0
  for (let round = 0; round < 30; round++) {
    const router = market(random, { id: 'other-contract', decimals: 2, worth: 1e-2 }, 0)
    const amount = amountOf(random)
    const route = router.exactOut({ input: 'other-contract', output: FINE.id, amount })
    if (route === null) continue
    if (route.parts.length > 1) split++
    t.equal(route.output, amount, `round ${round}`)
    t.strictSame(new Replay().run(route), { spent: route.input, received: amount }, `round ${round} executes`)
  }
  t.ok(split > 10, `${split} split`)
})
