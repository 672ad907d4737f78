// The explorer's facts against the tables of the ledger, over a recorded chain.
import type { Pool } from 'pg'
import t from 'tap'
import { DATASETS } from '../../../api/explore/facts.ts'
import { ACTIVITY_FACTS } from '../../../api/explore/sql.ts'
import { MEDIUM_RECORDING } from '../../indexer/replay/medium-recording.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'

const EXPLORE = '/api/v3/explore'

interface Fact {
  dataset: string
  sequence: string
  transaction: string
  block: number
  final: boolean
  row: Record<string, unknown>
}

/** Tables of the ledger whose rows are made by actions, as the database lists them. */
async function actionTables(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'trx_id'
     where c.relnamespace = 'ledger'::regnamespace and c.relkind = 'p' and exists (
       select from pg_attribute b where b.attrelid = c.oid and b.attname = 'global_seq') order by 1`,
  )
  return rows.map(({ name }) => name)
}

const keyOf = ({ dataset, sequence }: Fact) => `${sequence} ${dataset}`

/** Keys of all rows with a condition, in the order of the chain. */
async function keys(pool: Pool, condition: (table: string) => string | null): Promise<string[]> {
  const parts = (await actionTables(pool)).flatMap((table) => {
    const found = condition(table)
    return found === null ? [] : [`select global_seq, '${table}' as name from ledger.${table} where ${found}`]
  })
  const { rows } = await pool.query(`${parts.join(' union all ')} order by 1, 2`)
  return rows.map(({ global_seq, name }) => `${global_seq} ${name}`)
}

/** Columns that name the account of an activity, written down apart from the program. */
const SIDES: Record<string, string[]> = {
  claim_events: ['owner'],
  deals: ['bidder', 'asker'],
  deposit_events: ['account'],
  deposits: ['sender', 'beneficiary'],
  incentive_events: ['account'],
  order_events: ['account'],
  position_events: ['owner', 'recipient'],
  swaps: ['sender', 'recipient'],
  transfers: ['from_account', 'to_account'],
  withdrawal_events: ['account'],
  withdrawals: ['sender'],
}

t.test('a recorded chain', async (t) => {
  const database = await testDatabase(t, { scene: MEDIUM_RECORDING })
  const { pool } = database
  const api = await testApi(t, database)
  const get = async (url: string) => (await api.get(`${EXPLORE}${url}`)).body

  t.test('every table of actions of an Antelope chain is a dataset', async (t) => {
    const { rows } = await pool.query(
      `select split_part(relation, '.', 2) as name from meta.datasets where relation like 'ledger.%'`,
    )
    const registered = new Set(rows.map(({ name }) => name))
    const evm = ['vault_deposits', 'withdrawal_outcomes', 'vault_changes', 'stored_roots', 'learned_policies']
    const tables = (await actionTables(pool)).filter((name) => registered.has(name) && !evm.includes(name))
    t.same(DATASETS.map(({ name }) => name).sort(), tables)
  })

  t.test('transactions: every fact, in order, with the columns of its view', async (t) => {
    const { rows } = await pool.query(
      `(select distinct on (pool_id) encode(trx_id, 'hex') as id from ledger.swaps order by pool_id, global_seq desc)
       union (select encode(trx_id, 'hex') from ledger.deals limit 20)
       union (select encode(trx_id, 'hex') from ledger.position_events limit 20)`,
    )
    t.ok(rows.length > 30)
    for (const { id } of rows) {
      const { facts } = (await get(`/tx/${id}`)) as { facts: Fact[] }
      t.same(facts.map(keyOf), await keys(pool, () => `trx_id = decode('${id}', 'hex')`), id)
      for (const { dataset, sequence, row, transaction } of facts) {
        t.equal(transaction, id)
        const stored = await pool.query(
          `select to_jsonb(v)::text as row from ${['hops', 'withdrawals'].includes(dataset) ? 'ledger' : 'head'}.${dataset === 'deposits' ? 'deposit_logs' : dataset} v where global_seq = $1`,
          [sequence],
        )
        // Numbers of the text as texts, without passing them through a double.
        const exact = JSON.parse(stored.rows[0].row.replace(/([:[] ?)(-?\d[\d.eE+-]*)(?=[,\]}])/g, '$1"$2"'))
        for (const name of ['chain', 'block_num', 'block_time', 'global_seq', 'trx_id']) delete exact[name]
        t.same(row, exact)
      }
    }
    t.equal((await api.get(`${EXPLORE}/tx/${rows[0].id.toUpperCase()}`)).status, 200, 'capital letters')
    t.equal((await api.get(`${EXPLORE}/tx/${'ab'.repeat(32)}`)).status, 404)
    t.equal((await api.get(`${EXPLORE}/tx/abc`)).status, 400)
  })

  t.test('blocks by number and by id, page by page, with their finality', async (t) => {
    const { rows: position } = await pool.query(
      'select lib_num::int4 as lib, block_num::int4 as head from meta.position',
    )
    const { lib, head } = position[0]
    const { rows } = await pool.query(
      `select block_num::int4 as num, encode(block_id, 'hex') as id, producer from ledger.blocks
       where block_num in ($1, $2) or block_num = (select block_num from ledger.swaps group by 1 order by count(*) desc limit 1)`,
      [lib, lib - 1],
    )
    for (const { num, id, producer } of rows) {
      const stored = await keys(pool, () => `block_num = ${num}`)
      const whole = await get(`/block/${num}`)
      t.match(whole, { num, id, producer, final: num <= lib, next: null })
      t.same(whole.facts.map(keyOf), stored)
      t.same(await get(`/block/${id}`), whole)
      const paged: string[] = []
      for (let after = '-1'; after !== null; ) {
        const page = await get(`/block/${num}?limit=2${after === '-1' ? '' : `&after=${after}`}`)
        paged.push(...page.facts.map(keyOf))
        after = page.next
      }
      t.same(paged, stored)
    }
    const other = rows[0].id.replace(/.$/, (digit: string) => (digit === '0' ? '1' : '0'))
    t.equal((await api.get(`${EXPLORE}/block/${other}`)).status, 404, 'an id of another branch')
    t.equal((await api.get(`${EXPLORE}/block/${head + 1}`)).status, 404)
    t.equal((await api.get(`${EXPLORE}/block/x1`)).status, 400)
    t.equal((await api.get(`${EXPLORE}/block/${head}?after=9999999999999999999`)).status, 400)
  })

  t.test('facts above the last irreversible block are not final', async (t) => {
    const { rows } = await pool.query(
      `select max(block_num)::int4 as num, min(block_num)::int4 as first from ledger.swaps`,
    )
    const { num, first } = rows[0]
    await pool.query('update meta.position set lib_num = $1', [num - 1])
    const finality = async (block: number) => {
      const { final, facts } = await get(`/block/${block}`)
      return [final, ...new Set(facts.map((fact: Fact) => fact.final))]
    }
    t.same(await finality(num), [false, false])
    t.same(await finality(first), [true, true])
  })

  t.test('activity of accounts, page by page, over all datasets and of some', async (t) => {
    const { rows } = await pool.query(
      `select account from (select sender as account from ledger.swaps union all select bidder from ledger.deals
         union all select owner from ledger.position_events union all select from_account from ledger.transfers) a
       group by 1 order by count(*) desc limit 12`,
    )
    const read = async (url: string) => {
      const found: Fact[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await get(`${url}&limit=97${cursor === '' ? '' : `&cursor=${cursor}`}`)
        found.push(...page.facts)
        cursor = page.next
      }
      return found.map(keyOf)
    }
    const stored = async (account: string, only: string[]) =>
      (
        await keys(pool, (table) => {
          const columns = SIDES[table]
          return columns === undefined || !only.includes(table) ? null : `'${account}' in (${columns.join(', ')})`
        })
      ).reverse()
    const sorted = (found: string[]) => [...found].sort()
    for (const { account } of rows) {
      const expected = await stored(account, Object.keys(SIDES))
      const found = await read(`/account/${account}/activity?`)
      t.same(sorted(found), sorted(expected), account)
      t.same(
        found.map((one) => one.split(' ')[0]),
        expected.map((one) => one.split(' ')[0]),
        'newest first',
      )
      t.same(
        sorted(await read(`/account/${account}/activity?kind=deals,swaps`)),
        sorted(await stored(account, ['deals', 'swaps'])),
      )
      t.same(sorted(await read(`/account/${account}/transfers?`)), sorted(await stored(account, ['transfers'])))
    }
    const { rows: starts } = await pool.query(
      'select p.first_block::int4 as block, b.block_time as time from meta.position p join ledger.blocks b on b.block_num = p.first_block',
    )
    const [start] = starts
    const begins = { firstBlock: start.block, firstBlockTime: start.time.toISOString() }
    t.match(await get('/account/nobody/activity'), { facts: [], next: null, ...begins })
    t.match(await get('/account/nobody/transfers'), { facts: [], next: null, ...begins })
    for (const url of [`/tx/${'ab'.repeat(32)}`, '/block/4000000000'])
      t.match(await get(url), {
        statusCode: 404,
        message: `history begins with block ${start.block} (${begins.firstBlockTime})`,
      })
    t.equal((await api.get(`${EXPLORE}/account/alice/activity?cursor=999999999999999-1`)).status, 200)
    t.equal((await api.get(`${EXPLORE}/account/alice/activity?kind=blocks`)).status, 400)
    t.equal((await api.get(`${EXPLORE}/account/ALICE/activity`)).status, 400)
  })

  t.test('who gets a position, or its fees, sees it in the activity', async (t) => {
    for (const type of ['collect', 'mint']) {
      const { rows } = await pool.query(
        `update ledger.position_events set type = $1, recipient = 'heir' where global_seq =
           (select min(global_seq) from ledger.position_events where type = $2) returning global_seq::text as sequence, owner`,
        [type === 'mint' ? 'transfer' : type, type],
      )
      const [{ sequence, owner }] = rows
      for (const account of ['heir', owner]) {
        const { facts } = await get(`/account/${account}/activity?kind=position_events&limit=1000`)
        t.equal(facts.filter((fact: Fact) => fact.sequence === sequence).length, 1, `${type}, ${account}`)
      }
    }
  })

  t.test('each column of an account is read through an index', async (t) => {
    const client = await pool.connect()
    try {
      await client.query('begin; set local enable_seqscan = off')
      const names = DATASETS.map(({ name }) => name)
      const values = ['wax', 'heir', 'infinity', '9223372036854775807', 50, names]
      const { rows } = await client.query(`explain (costs off) ${ACTIVITY_FACTS}`, values)
      // With sequential scans off, one stands in a plan only where no index serves.
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      t.notMatch(plan, /Seq Scan on (?!position\b|meta)/)
      for (const column of ['owner', 'recipient']) t.match(plan, `position_events__wax_${column}`)
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})
