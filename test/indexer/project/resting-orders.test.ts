// The order that a deal hit, from the orders that its block changed.
import t from 'tap'
import { RestingOrders } from '../../../indexer/project/spot/resting-orders.ts'

const PLACE = { marketId: 7n, side: 'sell' as const, account: 'alice', unitPrice: 250_000_000n }

t.test('an order that an action places before the deal, without a row at the end of the block', async (t) => {
  const orders = new RestingOrders()
  const deal = { orderId: null as bigint | null }
  orders.addPlaced(PLACE, 4n)
  orders.addDeal(PLACE, deal)
  orders.resolve()
  t.equal(deal.orderId, 4n)
})

function resolved(fill: (orders: RestingOrders) => void): bigint | null {
  const orders = new RestingOrders()
  const deal = { orderId: null as bigint | null }
  orders.addDeal(PLACE, deal)
  fill(orders)
  orders.resolve()
  return deal.orderId
}

t.test('the only changed order of the account at the price, however often it changed', async (t) => {
  t.equal(
    resolved((orders) => orders.addChanged(PLACE, 4n)),
    4n,
  )
  t.equal(
    resolved((orders) => {
      orders.addChanged(PLACE, 4n)
      orders.addChanged(PLACE, 4n)
      for (const other of [{ marketId: 8n }, { side: 'buy' as const }, { account: 'bob' }, { unitPrice: 1n }])
        orders.addChanged({ ...PLACE, ...other }, 5n)
    }),
    4n,
  )
})

t.test('null without such an order, with two, and when an order could not be decoded', async (t) => {
  t.equal(
    resolved(() => {}),
    null,
  )
  t.equal(
    resolved((orders) => {
      orders.addChanged(PLACE, 4n)
      orders.addChanged(PLACE, 5n)
    }),
    null,
  )
  t.equal(
    resolved((orders) => {
      orders.addChanged(PLACE, 4n)
      orders.missOrder()
    }),
    null,
  )
})
