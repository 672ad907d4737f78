// Names of chains: configuration, queue and database have the same rule, and the longest name fits into all SQL names.
import t from 'tap'
import { loadConfig } from '../../config/load.ts'
import { isChainName } from '../../core/chain-name.ts'
import { rangeQueue } from '../../indexer/jobs/boss.ts'
import { testDatabase } from '../support/database.ts'

const LONGEST = 'a-chain-with-24-letters7'
const GOOD = ['w', 'wax', 'eos4', 'x-1', 'small-replay', 'a-b-c-1', LONGEST]
const BAD = [
  '',
  'Wax',
  '4eos',
  '-wax',
  'wax-',
  'wax--2',
  'wax_2',
  'wax.2',
  'wax 2',
  'w"x',
  "w'x",
  'wäx',
  'wax\n',
  `${LONGEST}8`,
]

/** Whether `work` succeeds; false when it is refused with this code. */
async function passes(code: string, work: () => unknown): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if ((error as { code: unknown }).code !== code) throw error
    return false
  }
}

t.test('configuration, queue and database accept and refuse the same names', async (t) => {
  t.equal(LONGEST.length, 24)
  const { pool } = await testDatabase(t)
  const configure = (rename: string) => loadConfig({ env: {}, program: { chains: ['dev'] }, rename })
  for (const [names, isGood] of [
    [GOOD, true],
    [BAD, false],
  ] as const) {
    for (const name of names) {
      const shown = JSON.stringify(name)
      t.equal(isChainName(name), isGood, shown)
      t.equal(await passes('INVALID_CONFIG', () => configure(name)), isGood, `configuration: ${shown}`)
      t.equal(await passes('INVALID_CHAIN_NAME', () => rangeQueue(name)), isGood, `queue: ${shown}`)
      t.equal(
        await passes('HW001', () => pool.query('select meta.add_chain($1)', [name])),
        isGood,
        `database: ${shown}`,
      )
    }
  }
})

t.test('the longest name is not cut off in names of partitions and indexes', async (t) => {
  const { pool } = await testDatabase(t)
  // Differs in its last letter: the names would collide if they were cut off.
  const other = `${LONGEST.slice(0, -1)}8`
  for (const chain of [LONGEST, other]) {
    await pool.query('select meta.add_chain($1)', [chain])
    await pool.query('select meta.build_indexes($1)', [chain])
  }
  const { rows } = await pool.query<{ chain: string; name: string; kind: string }>(
    `select p.chain, c.relname as name, c.relkind as kind
     from (select i.inhrelid as oid, pg_get_expr(r.relpartbound, r.oid) as chain from pg_inherits i join pg_class r on r.oid = i.inhrelid
       where r.relkind = 'r' and r.relnamespace <> 'undo'::regnamespace) p
     join pg_class c on c.oid = p.oid or c.oid in (select indexrelid from pg_index where indrelid = p.oid)`,
  )
  for (const { chain, name } of rows) {
    const [, wanted] = /\('(.*)'\)/.exec(chain) as RegExpExecArray
    t.ok(name.includes(`__${wanted}`), `${name} of ${wanted}`)
  }
  const kinds = (wanted: string) => rows.filter(({ kind }) => kind === wanted).length
  t.ok(kinds('r') >= 2 * 40 && kinds('i') >= 2 * 60, `${kinds('r')} partitions, ${kinds('i')} indexes`)
  const { rows: missing } = await pool.query(
    `select s.relation, s.name, chain from meta.secondary_indexes s cross join unnest($1::text[]) chain
     where to_regclass(format('%I.%I', split_part(relation, '.', 1), split_part(relation, '.', 2) || '__' || chain || '_' || name)) is null`,
    [[LONGEST, other]],
  )
  t.same(missing, [], 'every secondary index is there, by its own name')
})

t.test('a hyphen of a chain’s name is an underscore in names of variables', async (t) => {
  const env = { HEADWATER_SMALL_REPLAY_SOURCE_START_BLOCK: '7' }
  const { config } = loadConfig({ env, program: { chains: ['dev'] }, rename: 'small-replay' })
  t.equal(config.chains[0]?.source.startBlock, 7)
})

t.test('a chain is added while readers use other chains', async (t) => {
  const { pool } = await testDatabase(t)
  await pool.query(`select meta.add_chain('wax')`)
  const reader = await pool.connect()
  await reader.query('begin; select count(*) from ledger.swaps; select count(*) from derive.candles')
  const writer = await pool.connect()
  await writer.query(`set lock_timeout = '5s'`)
  await writer.query(`select meta.add_chain('eos')`)
  await reader.query('commit')
  writer.release(true)
  reader.release()
  const { rows } = await pool.query(
    `select replace(c.relname, '__eos', '') as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where c.relkind = 'r' and c.relname like '%\\_\\_eos' except
     select replace(c.relname, '__wax', '') from pg_inherits i join pg_class c on c.oid = i.inhrelid where c.relkind = 'r'`,
  )
  t.same(rows, [], 'with the partitions of every other chain')
})
