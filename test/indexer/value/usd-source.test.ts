// The USD price of the system token from each source, at minute boundaries.

import t from 'tap'
import { TimePoint } from '../../../core/antelope/time-point.ts'
import { parseUsdPrice } from '../../../core/price/token-price.ts'
import { OracleUsd, QuotedUsd, usdSource } from '../../../indexer/value/usd-source.ts'

const MINUTE = 60_000
const point = (blockNum: number, median: bigint, pointMs = 0, pointId = 0n) => {
  const pointTime = TimePoint.ofMs(pointMs)
  return { blockNum, blockTime: blockNum * 500, median, pointTime, pointId, pair: 'waxpusd', contract: 'delphioracle' }
}
const options = { kind: 'oracle', contract: 'delphioracle', pair: 'waxpusd', decimals: 4, maxAge: 10 * MINUTE } as const

t.test('the oracle’s price is the median of its newest point', async (t) => {
  const oracle = new OracleUsd(options)
  t.equal(oracle.at(0).usd, null)
  oracle.note(point(10, 512n))
  t.same(oracle.at(MINUTE), { usd: 512n * 10n ** 12n, source: 'delphioracle waxpusd' })
  oracle.note({ ...point(11, 999n), pair: 'eosusd' })
  oracle.note({ ...point(11, 999n), contract: 'fake' })
  t.equal(oracle.at(MINUTE).usd, 512n * 10n ** 12n)
  // Rows of a block come in any order.
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ]) {
    const points = [point(12, 600n, 5, 9n), point(12, 700n, 6, 1n), point(12, 800n, 6, 2n)]
    const fresh = new OracleUsd(options)
    for (const at of order) fresh.note(points[at] as (typeof points)[0])
    t.equal(fresh.at(MINUTE).usd, 800n * 10n ** 12n)
    fresh.note(point(13, 0n))
    t.equal(fresh.at(MINUTE).usd, null, 'an oracle with a median of 0')
  }
  t.ok(oracle.at(5000 + 10 * MINUTE).usd)
  t.equal(oracle.at(5001 + 10 * MINUTE).usd, null, 'too old')
})

t.test('a quote applies once it is a minute old, until it is too old', async (t) => {
  const source = new QuotedUsd({ maxAge: 5 * MINUTE })
  t.equal(source.at(0).usd, null)
  source.quotes = [
    { quotedAt: 1000, usd: '0.01', source: 'a' },
    { quotedAt: 2 * MINUTE, usd: '0.02', source: 'b' },
  ]
  t.equal(source.at(MINUTE).usd, null)
  t.same(source.at(2 * MINUTE), { usd: 10n ** 14n, source: 'a' })
  t.equal(source.at(3 * MINUTE).source, 'b')
  t.equal(source.at(7 * MINUTE).source, 'b')
  t.equal(source.at(8 * MINUTE).usd, null)
})

t.test('a fixed price always applies, and without a source there is no price', async (t) => {
  t.same(usdSource({ kind: 'fixed', usd: 5n }).at(0), { usd: 5n, source: 'fixed' })
  t.equal(usdSource(null).at(0).usd, null)
})

t.test('USD prices are read exactly', async (t) => {
  t.equal(parseUsdPrice('0.0612345678901234567'), 612345678901234n)
  t.equal(parseUsdPrice('1'), 10n ** 16n)
  t.equal(parseUsdPrice('999999999.5'), 9999999995n * 10n ** 15n)
  for (const text of ['0', '0.00000000000000001', '', '-1', '1e3', '1.', '.5', '1000000000', 'NaN', ' 1'])
    t.equal(parseUsdPrice(text), null, text)
})
