// USD prices recorded while a chain was followed live stay in the database. Indexing the chain again there gives the
// same prices and values.
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { testDatabase } from '../../support/database.ts'
import { VALUATION } from '../../support/valuation.ts'
import { indexExchange, LinearSource } from '../replay/index-recording.ts'
import type { ForksFile } from '../replay/node-tables.ts'
import { storedValues } from './expected-values.ts'

const fixtures = new URL('../../fixtures/recordings/', import.meta.url).pathname
const path = `${fixtures}forks.ship.gz`
const truth = JSON.parse(await readFile(`${fixtures}forks.json`, 'utf8')) as ForksFile
const canonical = () => new LinearSource(path, Object.values(truth.canonical))
const QUOTED = { ...VALUATION, usd: { kind: 'http', maxAge: 600_000 } } as const

t.test('prices recorded live value a replay on the same database', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['live'] })
  await pool.query(`select meta.add_chain('live')`)
  /** A server's quote at a time of the chain, just before the blocks of the next minute. */
  const quote = (clock: string, usd: string) =>
    pool.query(`insert into meta.usd_quotes values ('live', $1, $2, 'quotes.test')`, [`2026-11-21T${clock}Z`, usd])
  await quote('00:15:00', '0.05')
  // Forks are followed live; each session ends before the next quote.
  const sessions = [
    ['00:16:59', '0.06'],
    ['00:17:59', '0.0712345'],
  ] as const
  for (const [index, [clock, usd]] of sessions.entries()) {
    await indexExchange(url, 'live', new ReplaySource(path), 40 + 100 * index, QUOTED)
    const { rows } = await pool.query(`select block_time as time from meta.position where chain = 'live'`)
    t.ok(rows[0].time < new Date(`2026-11-21T${clock}Z`), `block ${40 + 100 * index} is before ${clock}`)
    await quote(clock, usd)
  }
  await indexExchange(url, 'live', new ReplaySource(path), undefined, QUOTED)
  const facts = async () =>
    (await pool.query(`select to_jsonb(u) as row from ledger.usd_prices u where chain = 'live' order by block_num`))
      .rows
  const [prices, values] = [await facts(), await storedValues(pool, 'live')]
  t.same(
    prices.map(({ row }) => row.usd),
    [0.05, 0.06, 0.0712345],
  )
  t.ok(values.filter(({ usd }) => Number(usd) > 0).length > 100)

  await pool.query(`select meta.clear_chain('live')`)
  t.same(await facts(), [])
  await indexExchange(url, 'live', canonical(), undefined, QUOTED)
  t.same(await facts(), prices)
  t.same(await storedValues(pool, 'live'), values)
})
