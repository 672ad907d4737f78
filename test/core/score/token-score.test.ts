// Token score v1, compared with figures computed by hand from the tables of its specification.
import t from 'tap'
import { roundTo } from '../../../core/score/round.ts'
import { type ScoreInputs, scoreToken } from '../../../core/score/token-score.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

const FULL: ScoreInputs = {
  uniqueTraders: 500,
  volumeUsd: 150_000,
  tvlUsd: 50_000,
  trades: 3000,
  holders: 1000,
  drawdown: 1,
  ageDays: 30,
}

t.test('a token that has everything has all points', async (t) => {
  t.same(scoreToken(FULL), {
    score: 100,
    components: { traders: 25, volume: 20, liquidity: 15, holders: 10, activity: 10, stability: 10, age: 10 },
    capsApplied: [],
  })
  t.same(scoreToken({ ...FULL, uniqueTraders: 9e9, volumeUsd: 9e15, trades: 1e9, ageDays: 4000 }).score, 100)
})

t.test('points between the bounds', async (t) => {
  const { components, score } = scoreToken({
    uniqueTraders: 137,
    volumeUsd: 1234.5,
    tvlUsd: 900,
    trades: 1001,
    holders: 77,
    drawdown: 0.61,
    ageDays: 10,
  })
  t.same(components, {
    traders: 6.85,
    volume: 8.77, // turnover 1.371666…, 1.271666… of 2.9
    liquidity: 11.28, // .64 and four fifths of .14
    holders: 0.77,
    activity: 2.6, // 33.36… a day: 23.36… of 90
    stability: 4.43, // .31 of .7
    age: 2.59, // 7 of 27
  })
  t.equal(score, 37) // 37.29
})

t.test('every corner of the curve of liquidity', async (t) => {
  const corners: [number, number][] = [
    [0, 0],
    [10, 0.75],
    [20, 1.5],
    [50, 2.7],
    [100, 4.2],
    [150, 5.25],
    [200, 6.3],
    [300, 7.8],
    [500, 9.6],
    [1000, 11.7],
    [1500, 12.9],
    [3000, 13.5],
    [5000, 14.1],
    [10_000, 14.55],
    [15_000, 14.78],
    [20_000, 14.93],
    [50_000, 15],
    [1e12, 15],
  ]
  for (const [tvlUsd, points] of corners)
    t.equal(scoreToken({ ...FULL, tvlUsd }).components.liquidity, points, `${tvlUsd} USD`)
})

t.test('below the lower bounds there are no points', async (t) => {
  const { components } = scoreToken({ ...FULL, volumeUsd: 5000, trades: 300, drawdown: 0.3, ageDays: 3 })
  t.same([components.volume, components.activity, components.stability, components.age], [0, 0, 0, 0])
  t.equal(scoreToken({ ...FULL, tvlUsd: 0, volumeUsd: 0.5 }).components.volume, 2.76, 'TVL counts as one USD at least')
})

t.test('volume counts up to a billion', async (t) => {
  const tvlUsd = 1e9
  t.equal(scoreToken({ ...FULL, tvlUsd, volumeUsd: 1e9 }).components.volume, 6.21)
  t.equal(scoreToken({ ...FULL, tvlUsd, volumeUsd: 3e9 }).components.volume, 6.21)
})

t.test('unknown inputs do not count in the attainable points', async (t) => {
  const unknown = scoreToken({ ...FULL, holders: null, drawdown: null, ageDays: null })
  t.same([unknown.score, unknown.components.holders, unknown.components.age], [100, 0, 0])
  t.equal(scoreToken({ ...FULL, uniqueTraders: 250, holders: null }).score, 86) // 77.5 of 90
})

t.test('caps', async (t) => {
  const capped = (changes: Partial<ScoreInputs>) => {
    const { score, capsApplied } = scoreToken({ ...FULL, ...changes })
    return [score, capsApplied]
  }
  t.same(capped({ trades: 0, tvlUsd: 1, uniqueTraders: 0 }), [0, ['trades_count_eq_0']])
  t.same(capped({ uniqueTraders: 19 }), [30, ['unique_traders_lt_20']])
  t.same(capped({ uniqueTraders: 20 })[1], [])
  t.same(capped({ tvlUsd: 19.99 }), [15, ['tvl_usd_lt_20']])
  t.same(capped({ tvlUsd: 20 }), [25, ['tvl_usd_lt_50']])
  t.same(capped({ tvlUsd: 50 }), [40, ['tvl_usd_lt_100']])
  t.same(capped({ tvlUsd: 199.99 }), [55, ['tvl_usd_lt_200']])
  t.same(capped({ tvlUsd: 200 })[1], [])
  t.same(capped({ uniqueTraders: 3, tvlUsd: 3 }), [15, ['unique_traders_lt_20', 'tvl_usd_lt_20']])
  t.same(capped({ uniqueTraders: 3, tvlUsd: 150 }), [30, ['unique_traders_lt_20', 'tvl_usd_lt_200']])
  const poor = { uniqueTraders: 1, volumeUsd: 0, trades: 1, holders: 1, drawdown: 0, ageDays: 0, tvlUsd: 1 }
  t.same(capped(poor), [0, ['unique_traders_lt_20', 'tvl_usd_lt_20']], 'a cap is named although the score is lower')
})

t.test('TOK-10 TOK-19 any token has 0 to 100, the sum of its points when nothing caps it', async (t) => {
  const random = new Random(seedFromEnvironment())
  const some = (most: number) => random.next() ** 3 * most
  for (let round = 0; round < 20_000; round++) {
    const inputs = {
      uniqueTraders: Math.floor(some(900)),
      volumeUsd: some(5e5),
      tvlUsd: some(9e4),
      trades: Math.floor(some(9000)),
      holders: Math.floor(some(3000)),
      drawdown: random.next(),
      ageDays: Math.floor(some(90)),
    }
    const { score, components, capsApplied } = scoreToken(inputs)
    const sum = Object.values(components).reduce((x, y) => x + y, 0)
    if (!Number.isInteger(score) || score < 0 || score > 100) t.fail(`${score} for ${JSON.stringify(inputs)}`)
    if (capsApplied.length === 0 && Math.abs(sum - score) > 0.5 + 1e-9) t.fail(`${sum} and ${score}`)
    if (sum + 0.5 + 1e-9 < score) t.fail(`${sum} is less than ${score}`)
  }
})

t.test('numbers are rounded as they are written', async (t) => {
  t.same(
    [roundTo(1.005, 2), roundTo(-1.005, 2), roundTo(1e-9, 8), roundTo(2.5e-8, 8), roundTo(123456789.12345679, 8)],
    [1.01, -1.01, 0, 3e-8, 123456789.12345679],
  )
  t.ok(Object.is(roundTo(-1e-9, 2), 0))
})
