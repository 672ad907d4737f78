// Adds a dataset as docs/develop/datasets.md describes, in a copy of the source tree, to an indexed database.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { exportView } from '../../indexer/export/export.ts'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { verifyChain } from '../../indexer/verify/verify.ts'
import { indexExchange } from '../indexer/replay/index-recording.ts'
import { copySources } from '../mutants/planted.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { RECORDING } from './release-dump.ts'

const [FIRST_END, END] = [60, 100]

const PROJECTION = `// Liquidity that accounts ask the AMM to add.
import { TimePoint } from '../../../core/antelope/time-point.ts'
import type { Actions } from '../../../core/contracts/amm.ts'
import { int8 } from '../int8.ts'
import { type ActionProjection, ledger } from '../projection.ts'

export const liquidityOrder: ActionProjection<Actions, 'addliquid'> = {
  contract: 'amm',
  action: 'addliquid',
  rows: (a, at) => ({
    ledger: [
      ledger('liquidity_orders', at, {
        poolId: int8(a.poolId),
        owner: a.owner,
        amountA: a.tokenADesired.amount,
        decimalsA: a.tokenADesired.precision,
        deadline: TimePoint.ofSeconds(a.deadline),
      }),
    ],
  }),
}
`
const MIGRATION = `-- Liquidity that accounts ask the AMM to add.
select meta.register_dataset('ledger.liquidity_orders', 'Liquidity that accounts ask the AMM to add (addliquid).', array[
    ['pool_id', 'int8 not null', 'Pool id on the AMM contract.'],
    ['owner', 'text not null', 'Account that adds.'],
    ['amount_a', 'int8 not null', 'Raw units of token A that it wants to add.'],
    ['decimals_a', 'int2 not null', 'Precision of token A.'],
    ['deadline', 'timestamptz not null', 'Until when the contract may add it.']],
  key => 'pool_id', indexes => array[['owner', '(owner, block_time, global_seq)']]);
`
/** Acts as a process of the new version: migrates, then continues to index. */
const NEW_VERSION = `import { ReplaySource } from './indexer/source/replay.ts'
import { migrate } from './migrations/migrate.ts'
import { indexExchange } from './test/indexer/replay/index-recording.ts'

const [url, recording, end] = process.argv.slice(2) as [string, string, string]
console.log(JSON.stringify(await migrate(url)))
await indexExchange(url, 'wax', new ReplaySource(recording), Number(end))
`

/** Copies the tree and adds the dataset: projection, its line, migration. */
function scratchCopy(t: Test): string {
  const tree = temporaryFolder(t)
  copySources(tree)
  writeFileSync(join(tree, 'indexer/project/amm/liquidity-order.ts'), PROJECTION)
  writeFileSync(join(tree, 'migrations/forward/8001_liquidity_orders.sql'), MIGRATION)
  writeFileSync(join(tree, 'new-version.ts'), NEW_VERSION)
  const list = join(tree, 'indexer/project/projections.ts')
  const text = readFileSync(list, 'utf8').replace('  swap,\n', '  swap,\n  liquidityOrder,\n')
  writeFileSync(list, text.replace(/^import /m, "import { liquidityOrder } from './amm/liquidity-order.ts'\nimport "))
  return tree
}

t.test('a dataset is added to an indexed database by a projection, its line and a migration', async (t) => {
  const { url, pool } = await testDatabase(t)
  const rowsOf = async (sql: string) => (await pool.query(sql)).rows
  await indexExchange(url, 'wax', new ReplaySource(RECORDING), FIRST_END)
  await pool.query(`select meta.build_indexes('wax')`)
  const tree = scratchCopy(t)
  const args = ['--import=tsx', 'new-version.ts', url, RECORDING, String(END)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: tree })
  t.same(JSON.parse(stdout), ['forward/8001_liquidity_orders.sql', 'code'])

  const orders = await rowsOf(
    'select trx_id, quantity_a, deadline > block_time as later from head.liquidity_orders order by 1',
  )
  const minted = await rowsOf(
    `select distinct trx_id from head.position_events where type = 'mint' and block_num > ${FIRST_END} order by 1`,
  )
  t.ok(orders.length > 0)
  t.same(
    [...new Set(orders.map(({ trx_id }) => trx_id))],
    minted.map(({ trx_id }) => trx_id),
    'one order for each position that was minted after the upgrade',
  )
  t.ok(orders.every(({ quantity_a }) => Number(quantity_a) >= 0))

  const indexes = await rowsOf(`select indexname from pg_indexes where tablename = 'liquidity_orders__wax' order by 1`)
  t.same(
    indexes.map(({ indexname }) => indexname.replace(/^liquidity_orders__wax_/, '')),
    ['block_num_idx', 'block_time', 'entity', 'owner', 'pkey', 'transaction'],
  )
  const rights =
    await rowsOf(`select role, relation from unnest(array['headwater_reader', 'headwater_writer', 'headwater_api']) role,
    unnest(array['ledger.liquidity_orders', 'settled.liquidity_orders', 'head.liquidity_orders', 'final.liquidity_orders']) relation
    where not has_table_privilege(role, relation, 'select')`)
  t.same(rights, [
    { role: 'headwater_reader', relation: 'ledger.liquidity_orders' },
    { role: 'headwater_reader', relation: 'settled.liquidity_orders' },
  ])
  t.same(
    await rowsOf(`select has_table_privilege('headwater_writer', 'ledger.liquidity_orders', 'insert') as adds,
    has_table_privilege('headwater_writer', 'ledger.liquidity_orders', 'update') as changes`),
    [{ adds: true, changes: false }],
  )
  t.same(
    await rowsOf(`select a.attname from pg_attribute a where a.attrelid = 'final.liquidity_orders'::regclass
      and col_description(a.attrelid, a.attnum) is null`),
    [],
    'the dictionary has a text for every column',
  )

  await pool.query(`begin isolation level repeatable read; select meta.append_final('wax', 1000000); commit`)
  const published = await rowsOf("select encode(trx_id, 'hex') as trx_id from final_log.liquidity_orders order by 1")
  const final = await rowsOf('select trx_id from final.liquidity_orders order by 1')
  t.ok(final.length > 0)
  t.same(published, final, 'replicas get the final rows')
  t.same(await rowsOf(`select from pg_publication_tables where tablename = 'liquidity_orders'`), [{}])

  const out = join(tree, 'orders.csv')
  t.equal(await exportView({ url, view: 'liquidity_orders', format: 'csv', out }), final.length)
  t.match(
    readFileSync(out, 'utf8'),
    /^chain,block_num,block_time,global_seq,trx_id,pool_id,owner,amount_a,decimals_a,deadline,quantity_a\r?\n/,
  )
  t.ok((await verifyChain(url, 'wax')).ok)
})
