// A process that counts as fast as it can, concurrently with others. Used by limits.test.ts.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { LimitCounter } from '../../cosign/limits.ts'

const [url, name] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 4, options: '-c role=headwater_cosigner' })
const most = 1_000_000
const limits = new LimitCounter(pool, 'wax', {
  ipHour: most,
  ipDay: most,
  accountHour: 100,
  accountDay: most,
  allHour: most,
  allDay: most,
  failuresHour: most,
  ipFailuresHour: most,
  reserveHour: most,
  reserveDay: most,
})
const id = (text: string) => createHash('sha256').update(text).digest('hex')
const wanted = [
  ...Array.from({ length: 60 }, (_, i) => id(`${name}-${i}`)),
  ...Array.from({ length: 20 }, (_, i) => id(`shared-${i}`)),
]

await pool.query('select')
process.once('message', async () => {
  const counts: Record<string, number> = {}
  const note = (kind: string) => (counts[kind] = (counts[kind] ?? 0) + 1)
  // One time for all processes, because the hour may end during the test.
  const now = Date.parse('2026-03-01T12:00:00Z')
  await Promise.all(
    wanted.map((transaction) =>
      limits.take({ transaction, address: '10.0.0.1', account: 'alice', isOwn: false }, false, now).then(
        ({ kind }) => note(kind),
        () => note('failed'),
      ),
    ),
  )
  await pool.end()
  process.send?.(counts, () => process.disconnect())
})
process.send?.('ready')
