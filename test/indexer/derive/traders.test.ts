// Counts of traders, updated from hour to hour, equal counts over the whole windows, for random trades.
import t from 'tap'
import { ScoreReader } from '../../../indexer/derive/scores/reader.ts'
import { testDatabase } from '../../support/database.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

const HOUR = 3_600_000
const END = Date.parse('2026-03-29T00:00:00Z')
const FIRST = END - 24 * HOUR
const TOKENS = ['a-one', 'b-two', 'rare-three']
/** Hours before FIRST with trades: more than the longest window. */
const HISTORY = 725

t.test('counts that continue from the previous hour equal counts of whole windows', async (t) => {
  const { pool } = await testDatabase(t)
  const seed = seedFromEnvironment()
  t.comment(`HEADWATER_SEED=${seed}`)
  const random = new Random(seed)
  const rows: { token: string; hour: Date; account: string }[] = []
  for (let at = FIRST - HISTORY * HOUR; at < END; at += HOUR) {
    for (const [i, token] of TOKENS.entries()) {
      for (let n = 0; n < 24; n++) {
        // From accounts that trade all the time to some that trade twice in a month.
        if (random.chance(0.6 / ((n + 1) * (i + 1)))) rows.push({ token, hour: new Date(at), account: `account${n}` })
      }
    }
  }
  await pool.query(
    `insert into derive.token_trader_hours (chain, token_id, hour, account)
     select 'wax', * from unnest($1::text[], $2::timestamptz[], $3::text[])`,
    [rows.map(({ token }) => token), rows.map(({ hour }) => hour), rows.map(({ account }) => account)],
  )
  const client = await pool.connect()
  t.teardown(() => client.release())
  const reader = new ScoreReader(client, 'wax')
  for (let hour = FIRST; hour <= END; hour += HOUR) {
    const whole = await reader.windows(hour, TOKENS, false)
    t.equal(whole.size, 3)
    t.ok(
      [...whole.values()].every((counts) => counts.uniqueTraders > 1 && counts.uniqueTradersPrev7d > 0),
      'each token is traded by several accounts',
    )
    const continued = await reader.windows(hour, TOKENS, true)
    t.strictSame(continued, whole, new Date(hour).toISOString())
    const known = [...whole].filter(([token]) => token !== 'rare-three' || hour >= FIRST + 12 * HOUR)
    for (const [token, { uniqueTraders, ...counts }] of known) {
      await client.query(
        `insert into derive.token_scores (chain, valid_from, token_id, details) values ('wax', $1, $2, $3)`,
        [new Date(hour), token, { metrics: { uniqueTraders }, ...counts }],
      )
    }
  }
})
