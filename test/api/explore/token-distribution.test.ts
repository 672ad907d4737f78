// Distribution of a token over its holders: by hand, against the recorded chain, and its cost with very many holders.
import t from 'tap'
import { TOKEN_DISTRIBUTION } from '../../../api/explore/token/sql.ts'
import { MEDIUM_RECORDING } from '../../indexer/replay/medium-recording.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows and answers have every shape.
type Row = any

const MANY = 100_000
/** Pages of 8 kB that a request may read: one for each counted holder, whose row may be anywhere, and those of the index. */
const MAX_PAGES = 1.1 * MANY

t.test('distribution of a token', async (t) => {
  const database = await testDatabase(t, { scene: MEDIUM_RECORDING })
  const { pool } = database
  const api = await testApi(t, database)
  const sql = async (text: string, values: unknown[] = []): Promise<Row[]> => (await pool.query(text, values)).rows

  t.test('buckets and sums are those of the balances', async (t) => {
    const tokens = await sql(
      `select lower(symbol) || '-' || contract as id, supply::text, decimals::int4,
         (select array_agg(amount::text order by amount desc) from state.balances b
           where b.contract = s.contract and b.symbol = s.symbol and amount > 0) as amounts
       from state.supplies s`,
    )
    t.ok(tokens.length > 1)
    for (const { id, supply, decimals, amounts } of tokens) {
      const { status, body } = await api.get(`/api/v3/explore/token/${id.toUpperCase()}/distribution`)
      t.equal(status, 200)
      const held: bigint[] = (amounts ?? []).map(BigInt)
      const raw = (text: string) => BigInt(text.replace('.', ''))
      const total = (some: readonly bigint[]) => some.reduce((sum, one) => sum + one, 0n)
      t.match(body, { token: id, holders: held.length, truncated: false })
      for (const [i, count] of [1, 10, 50, 100].entries()) {
        const { amount, share, ...rest } = body.largest[i]
        t.same(rest, { count })
        const sum = total(held.slice(0, count))
        t.equal(raw(amount), sum, `${id}: the largest ${count}`)
        t.ok(Math.abs(Number(share) - Number(sum) / Number(supply)) < 1e-7)
      }
      for (const [i, { from, below, holders, amount }] of body.buckets.entries()) {
        const inside = held.filter((one) => one >= raw(from) && one < raw(below))
        t.same([holders, raw(amount)], [inside.length, total(inside)], `${id}: from ${from}`)
        t.match(from.replace('.', ''), /^0*10*$/)
        t.equal(raw(below), 10n * raw(from))
        t.equal(from.split('.')[1]?.length ?? 0, decimals)
        if (i > 0) t.equal(below, body.buckets[i - 1].from, 'without gaps')
      }
      t.equal(total(body.buckets.map(({ holders }: Row) => BigInt(holders))), BigInt(held.length))
    }
  })

  t.test('a token whose balances are not watched is refused', async (t) => {
    t.equal((await api.get('/api/v3/explore/token/nothing-nowhere/distribution')).status, 404)
  })

  t.test('the cost is bounded with more holders than are counted', async (t) => {
    await sql(
      `insert into state.supplies (chain, contract, symbol, decimals, supply, max_supply, issuer)
       values ('wax', 'many.holders', 'MANY', 4, 1000000000000, 1000000000000, 'many.holders')`,
    )
    await sql(
      `insert into state.balances (chain, contract, symbol, account, decimals, amount)
       select 'wax', 'many.holders', 'MANY', 'holder' || n, 4, 1 + (n * 7919) % 5000000 from generate_series(1, $1::int) n`,
      [MANY + 20_000],
    )
    await sql('vacuum analyze state.balances')
    const { body } = await api.get('/api/v3/explore/token/many-many.holders/distribution')
    t.match(body, { holders: MANY, truncated: true })
    const [row] = await sql(`explain (analyze, buffers, format json) ${TOKEN_DISTRIBUTION}`, [
      'wax',
      'many.holders',
      'MANY',
      MANY,
    ])
    const [{ Plan: plan, 'Execution Time': time }] = row['QUERY PLAN']
    const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    t.comment(`${pages} pages, ${time} ms`)
    t.ok(pages < MAX_PAGES, `${pages} pages`)
    const text = JSON.stringify(plan)
    t.match(text, /balances__wax_amount/)
    t.notMatch(text, /"Seq Scan",[^{]*balances/)
  })
})
