// What the relayer, its status and the live view ask of the journal reads open and recent transactions, not all of a year.
import t from 'tap'
import { BUSY, INSERT, LAST_ALARM, OPEN_OF_KEY, SIGNERS, SPENT, STATUS_KEYS } from '../../relay/sql.ts'
import { testDatabase } from '../support/database.ts'

const KEY = '0xab'
/** Pages of 8 kB. The journal of the test has some thousand. */
const MAX_PAGES = 200

interface Plan {
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }
}

t.test('the journal of a year costs no more than that of a day', async (t) => {
  const { pool } = await testDatabase(t)
  await pool.query(
    `insert into relay.intents (chain, signer, leg, action, step, nonce, hash, raw, state, cost_usd, fee_usd, created_at, ended_at)
     select 'mainnet', $1, 'w:' || i, 'release', 'light', i, 'h' || i, decode(repeat('ab', 300), 'hex'), 'done', 0.1, 0.2,
       now() - i * interval '15 minutes', now() - i * interval '15 minutes' + interval '1 minute' from generate_series(1, 30000) i`,
    [KEY],
  )
  await pool.query('analyze relay.intents')
  const [size] = (await pool.query(`select pg_relation_size('relay.intents') / 8192 as pages`)).rows
  t.ok(size.pages > 5 * MAX_PAGES, `the journal has ${size.pages} pages`)
  const token = '00000000-0000-4000-8000-000000000001'
  await pool.query('select relay.take_lease($1, $2, 60)', [KEY, token])
  const insertion = ['mainnet', KEY, 'w:0', 'release', 'light', 40_000, 'h0', Buffer.from(''), null, null]
  for (const [name, text, values] of [
    ['gas of a day', SPENT, [KEY]],
    ['actions in work', BUSY, [[KEY]]],
    ['the last alarm', LAST_ALARM, [KEY]],
    ['open transactions', OPEN_OF_KEY, [KEY]],
    ['keys', SIGNERS, []],
    ['the status', STATUS_KEYS, []],
    ['a new row', INSERT, [KEY, 'mainnet', ...insertion.slice(2), 1, 1, 1, 0.1, 0.2, 1, [], 100, [KEY], token]],
  ] as const) {
    const { rows } = await pool.query(`explain (analyze, buffers, format json) ${text}`, [...values])
    const { Plan: plan } = rows[0]['QUERY PLAN'][0] as Plan
    const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    t.ok(pages < MAX_PAGES, `${name}: ${pages} pages`)
  }
  const { rows } = await pool.query(STATUS_KEYS)
  t.match(rows, [{ signer: KEY, chain: 'mainnet', open: 1, done: 96, failed: 0 }])
})
