// Distribution of a token over its holders: by hand, against the recorded chain, and its cost with very many holders.
import t from 'tap'
import { tokenDistribution } from '../../../api/explore/token/sql.ts'
import { MEDIUM_RECORDING } from '../../indexer/replay/medium-recording.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { until } from '../../support/until.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows and answers have every shape.
type Row = any

const MANY = process.env.HEADWATER_TEST_LONG ? 1_000_000 : 120_000
/** Pages of 8 kB that a request may read: those of the index alone, in which an entry has about 50 bytes. */
const MAX_PAGES = (MANY * 100) / 8192

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
      t.match(body, { token: id, holders: held.length })
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

  t.test('the role of the API may count', async (t) => {
    const client = await pool.connect()
    try {
      await client.query('set role headwater_api')
      await t.resolves(client.query(tokenDistribution('wax'), ['wax', 'eosio.token', 'WAX']))
    } finally {
      client.release(true)
    }
  })

  t.test('a token whose balances are not watched is refused', async (t) => {
    t.equal((await api.get('/api/v3/explore/token/nothing-nowhere/distribution')).status, 404)
  })

  t.test('very many holders are all counted, from an index alone', async (t) => {
    await sql(
      `insert into state.supplies (chain, contract, symbol, decimals, supply, max_supply, issuer)
       values ('wax', 'many.holders', 'MANY', 4, 1000000000000, 1000000000000, 'many.holders')`,
    )
    await sql(
      `insert into state.balances (chain, contract, symbol, account, decimals, amount)
       select 'wax', 'many.holders', 'MANY', 'holder' || n, 4, 1 + (n::int8 * 7919) % 5000000 from generate_series(1, $1::int) n`,
      [MANY],
    )
    // A snapshot that is open elsewhere keeps the pages from being marked as visible to all.
    await until('all pages are visible to all', async () => {
      await sql('vacuum (analyze) state.balances__wax')
      const [{ all }] = await sql(
        `select relallvisible = relpages as all from pg_class where relname = 'balances__wax'`,
      )
      return all
    })
    const { body } = await api.get('/api/v3/explore/token/many-many.holders/distribution')
    const sum = Array.from({ length: MANY }, (_, i) => 1 + (((i + 1) * 7919) % 5_000_000)).reduce(
      (all, one) => all + one,
      0,
    )
    t.equal(body.holders, MANY)
    t.equal(
      body.buckets.reduce((all: number, { amount }: Row) => all + Number(amount.replace('.', '')), 0),
      sum,
    )
    const [row] = await sql(`explain (analyze, buffers, format json) ${tokenDistribution('wax')}`, [
      'wax',
      'many.holders',
      'MANY',
    ])
    const [{ Plan: plan, 'Execution Time': time }] = row['QUERY PLAN']
    const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    t.comment(`${pages} pages, ${time} ms`)
    t.ok(pages < MAX_PAGES, `${pages} pages`)
    const text = JSON.stringify(plan)
    t.match(text, /Index Only Scan[^{]*balances__wax_amount/)
    t.notMatch(text, /"Seq Scan",[^{]*balances/)
  })
})
