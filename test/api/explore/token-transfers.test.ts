// Transfers of a token against SQL, over a recorded chain, page by page.
import t from 'tap'
import { TOKEN_TRANSFERS } from '../../../api/explore/token/sql.ts'
import { MEDIUM_RECORDING } from '../../indexer/replay/medium-recording.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows and answers have every shape.
type Row = any

t.test('transfers of a token', async (t) => {
  const database = await testDatabase(t, { scene: MEDIUM_RECORDING })
  const { pool } = database
  const api = await testApi(t, database)
  const { rows } = await pool.query(
    `select lower(symbol) || '-' || contract as id, contract, symbol, array_agg(global_seq::text order by global_seq desc) as sequences
     from ledger.transfers where chain = 'wax' group by contract, symbol order by count(*) desc`,
  )
  t.ok(rows.length > 2)

  t.test('all pages together have each transfer once, newest first', async (t) => {
    for (const { id, contract, symbol, sequences } of rows as Row[]) {
      const path = `/api/v3/explore/token/${id.toUpperCase()}/transfers?limit=7`
      const found: Row[] = []
      let next: string | null = ''
      for (let pages = 0; next !== null && pages < 20; pages++) {
        const { status, body } = await api.get(next === '' ? path : `${path}&cursor=${next}`)
        t.equal(status, 200)
        t.equal(body.token, id)
        found.push(...body.facts)
        next = body.next
      }
      t.same(
        found.map(({ sequence }) => sequence),
        sequences.slice(0, found.length),
        id,
      )
      t.equal(found.length, Math.min(sequences.length, 140))
      t.ok(
        found.every(
          ({ dataset, row }) => dataset === 'transfers' && row.contract === contract && row.symbol === symbol,
        ),
      )
    }
  })

  t.test('a token that nobody knows is refused; one without transfers has none', async (t) => {
    t.equal((await api.get('/api/v3/explore/token/nothing-nowhere/transfers')).status, 404)
    const { id } = rows[0]
    const { body } = await api.get(`/api/v3/explore/token/${id}/transfers?cursor=1-1`)
    t.same([body.facts, body.next], [[], null], 'nothing is older than the first')
  })

  t.test('a page reads its own rows alone', async (t) => {
    const { contract, symbol } = rows[0]
    await pool.query('analyze ledger.transfers')
    const client = await pool.connect()
    await client.query('set enable_seqscan = off')
    const values = ['wax', contract, symbol, 'infinity', '9223372036854775807', 3]
    const plan = await client.query(`explain (analyze, costs off, timing off) ${TOKEN_TRANSFERS}`, values)
    client.release()
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
    t.match(text, /Index.*Scan.*transfers/)
    t.notMatch(text, /Rows Removed by Filter: [1-9]\d\d/)
  })
})
