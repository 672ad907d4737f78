// Matching against a naive oracle on random books, and the fee.
import t from 'tap'
import { afterFee, feeOf } from '../../../core/book/fee.ts'
import { bestPrice, mergeLevels } from '../../../core/book/levels.ts'
import { matchOffer } from '../../../core/book/match.ts'
import { type BookOrder, byPriority, unitPrice } from '../../../core/book/order.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

function randomBook(random: Random): BookOrder[] {
  return Array.from({ length: random.integer(0, 12) }, (_, id) => {
    const bid = 1n + random.bigint(10_000n)
    const ask = 1n + random.bigint(10_000n)
    return { id: BigInt(id), account: `maker${id}`, bid, ask, unitPrice: unitPrice('sell', { bid, ask }, 4, 8) }
  })
}

/** Searches the best order at each step, comparing prices by cross products. */
function naive(bid: bigint, ask: bigint, book: BookOrder[]) {
  const rest = [...book]
  let left = bid
  let received = 0n
  const met: bigint[] = []
  while (left > 0n && rest.length > 0) {
    let best = 0
    for (let i = 1; i < rest.length; i++) {
      const a = rest[i] as BookOrder
      const b = rest[best] as BookOrder
      const cheaper = a.ask * b.bid - b.ask * a.bid
      if (cheaper < 0n || (cheaper === 0n && a.id < b.id)) best = i
    }
    const [order] = rest.splice(best, 1) as [BookOrder]
    if (ask > 0n && order.ask * ask > order.bid * bid) break
    const paid = left < order.ask ? left : order.ask
    const got = paid === order.ask ? order.bid : (order.bid * paid) / order.ask
    if (got === 0n) break
    met.push(order.id)
    left -= paid
    received += got
  }
  return { met, paid: bid - left, received }
}

t.test('random books match as a naive search for the best order does', async (t) => {
  const seed = seedFromEnvironment()
  const random = new Random(seed)
  const rounds = process.env.HEADWATER_TEST_LONG ? 50_000 : 2_000
  for (let round = 0; round < rounds; round++) {
    const book = randomBook(random)
    const bid = 1n + random.bigint(30_000n)
    const ask = random.chance(0.3) ? 0n : 1n + random.bigint(30_000n)
    const match = matchOffer({ bid, ask }, [...book].sort(byPriority))
    const got = { met: match.fills.map((fill) => fill.order.id), paid: match.paid, received: match.received }
    if (!t.strictSame(got, naive(bid, ask, book), `HEADWATER_SEED=${seed} round ${round}`)) return
    for (const { order, paid, received, left } of match.fills) {
      t.equal(received + (left?.bid ?? 0n), order.bid)
      t.equal(paid + (left?.ask ?? 0n), order.ask)
      t.ok(received * order.ask <= paid * order.bid, 'never better than the order offers')
    }
    if (match.rest) t.ok(match.rest.ask * bid >= ask * match.rest.bid, 'the rest asks no worse a ratio')
  }
})

t.test('the fee is rounded in favour of the market', async (t) => {
  t.equal(afterFee(1_000_000n, 20), 998_000n)
  t.equal(afterFee(999n, 20), 997n)
  t.equal(feeOf(999n, 20), 2n)
  t.equal(afterFee(1n, 20), 0n)
})

t.test('orders of one price are one level, the best first', async (t) => {
  const order = (id: bigint, price: bigint) => ({ id, account: 'a', bid: 10n, ask: 5n, unitPrice: price })
  const orders = [order(1n, 3n), order(2n, 7n), order(3n, 3n)]
  t.same(
    mergeLevels('sell', orders).map(({ unitPrice, bid, orders }) => [unitPrice, bid, orders]),
    [
      [3n, 20n, 2],
      [7n, 10n, 1],
    ],
  )
  t.equal(mergeLevels('buy', orders)[0]?.unitPrice, 7n)
  t.equal(bestPrice('buy', orders), 7n)
  t.equal(bestPrice('sell', orders), 3n)
  t.equal(bestPrice('sell', []), null)
})
