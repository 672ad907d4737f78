// Candle buckets compared with PostgreSQL's calendar, which the stored candles use.
import fc from 'fast-check'
import t from 'tap'
import { bucketStart, RESOLUTIONS, shiftBucket, stepInterval } from '../../../core/candles/resolution.ts'
import { testDatabase } from '../../support/database.ts'

const time = fc.integer({ min: 0, max: Date.UTC(2105, 0, 1) })

t.test('CND-03 CND-13 buckets equal the database’s: weeks from Monday, calendar months', async (t) => {
  const { pool } = await testDatabase(t)
  const { rows: known } = await pool.query('select resolution from meta.resolutions order by place')
  t.same(
    known.map(({ resolution }) => resolution),
    RESOLUTIONS,
  )
  const times = fc.sample(time, { numRuns: 300, seed: 7 })
  for (const resolution of RESOLUTIONS) {
    const { rows } = await pool.query(
      `select (extract(epoch from s) * 1000)::float8 as start, (extract(epoch from meta.bucket_end($1, s)) * 1000)::float8 as end
       from unnest($2::float8[]) with ordinality u(ms, place) cross join lateral meta.bucket_start($1, to_timestamp(ms / 1000)) s
       order by place`,
      [resolution, times],
    )
    const ours = times.map((at) => {
      const start = bucketStart(resolution, at)
      return { start, end: shiftBucket(resolution, start, 1) }
    })
    t.same(ours, rows, resolution)
  }
})

t.test('CND-13 a week begins on Monday', async (t) => {
  t.equal(bucketStart('1W', Date.parse('2026-11-22T23:59:59.999Z')), Date.parse('2026-11-16T00:00:00Z'))
  t.equal(bucketStart('1W', Date.parse('2026-11-23T00:00:00Z')), Date.parse('2026-11-23T00:00:00Z'))
})

t.test('shifting a bucket forward and back gives the same bucket', (t) => {
  fc.assert(
    fc.property(fc.constantFrom(...RESOLUTIONS), time, fc.integer({ min: 0, max: 2000 }), (resolution, at, count) => {
      const start = bucketStart(resolution, at)
      const later = shiftBucket(resolution, start, count)
      return bucketStart(resolution, later) === later && shiftBucket(resolution, later, -count) === start
    }),
  )
  t.equal(stepInterval('1M'), '1 month')
  t.equal(stepInterval('1W'), '10080 minutes')
  t.end()
})
