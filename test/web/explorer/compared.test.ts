// Two markets in one chart.
import t from 'tap'
import { changeSince, comparedOf, comparedText, pricesAt, withNewer } from '../../../web/explorer/core/compared.ts'

const own = { kind: 'pool', id: 3 } as const
const candle = (time: number, close: number) => ({ time, close })

t.test('the address names the other market', async (t) => {
  t.same(comparedOf('market:3', own), { kind: 'market', id: 3 })
  t.equal(comparedText({ kind: 'pool', id: 7 }), 'pool:7')
  for (const text of [null, '', 'pool:3', 'pool:x', 'token:1', 'pool:1234567890123456', 'pool:-1'])
    t.equal(comparedOf(text, own), null, String(text))
})

t.test('prices of the other market at the candles of this one', async (t) => {
  const others = [candle(20, 2), candle(30, 3), candle(31, 4), candle(50, 5)]
  t.same(pricesAt([10, 20, 25, 40, 50, 60], others), [null, 2, 2, 4, 5, 5])
  t.same(pricesAt([10, 20], []), [null, null])
})

t.test('newer candles replace those of their times', async (t) => {
  const held = [candle(10, 1), candle(20, 2), candle(30, 3)]
  t.same(withNewer(held, [candle(30, 4), candle(40, 5)]), [candle(10, 1), candle(20, 2), candle(30, 4), candle(40, 5)])
  t.same(withNewer(held, []), held)
})

t.test('percent since the first candle in view', async (t) => {
  t.equal(changeSince([2, 4, 5], 0.4, 2), 25, 'a candle that is cut is not in view')
  t.equal(changeSince([null, null, 4, 3], -5, 3), -25, 'from the first known price')
  t.equal(changeSince([4, null], 0, 1), null)
  t.equal(changeSince([0, 1], 0, 1), null)
  t.equal(changeSince([], 0, -1), null)
})
