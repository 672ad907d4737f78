// Current rows compared with a node's tables: equal, and each planted difference on either side is found.
import t, { type Test } from 'tap'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { checkAgainst } from '../../../indexer/verify/against/check-against.ts'
import type { CheckReport } from '../../../indexer/verify/report.ts'
import { testDatabase } from '../../support/database.ts'
import { startTableServer, type TableServer } from '../../support/table-server.ts'
import { indexRecording, PROFILE } from '../replay/index-recording.ts'
import { recordedTables } from './recorded-tables.ts'

const path = new URL('../../fixtures/recordings/small.ship.gz', import.meta.url).pathname
const chain = 'wax'
const COMPARED = [
  'pools',
  'positions',
  'ticks',
  'orders',
  'markets',
  'balances',
  'amm_settings',
  'amm_balances',
  'bridge_routes',
]

t.test('current rows are compared with a node’s', async (t) => {
  const { url, pool } = await testDatabase(t)
  const { position } = await indexRecording(url, chain, new ReplaySource(path))
  const node = await startTableServer(t, await recordedTables(path))
  node.head = position.num
  const compare = () =>
    checkAgainst({
      url,
      chain,
      nodeUrl: node.url,
      chainId: null,
      accounts: { ...PROFILE, wrap: 'wrap.svc' },
      attempts: 4,
      pauseMs: 10,
      waitMs: 400,
    })

  t.test('the indexed rows equal the node’s', async (t) => {
    const reports = await compare()
    t.same(failed(reports), [])
    for (const table of COMPARED) t.ok(reportOf(reports, table).compared > 0, `${table} has rows to compare`)
  })

  t.test('pages of any length are put together', async (t) => {
    node.pageRows = 3
    t.same(failed(await compare()), [])
    node.pageRows = 1000
  })

  t.test('a row that the node does not have is found', async (t) => {
    await pool.query(`insert into state.orders select chain, market_id, side, 4711, account, bid_amount, bid_symbol, bid_decimals, ask_amount,
      ask_symbol, ask_decimals, unit_price, order_time from state.orders where market_id = 0 and side = 'buy' and order_id = 38`)
    const reports = await compare()
    t.same(failed(reports), ['orders'])
    t.match(reportOf(reports, 'orders').differences, [{ what: /"order_id" : 4711/, expected: 'none' }])
    await pool.query('delete from state.orders where order_id = 4711')
  })

  t.test('a row that only the node has is found', async (t) => {
    await pool.query('create table saved as select * from state.positions where pool_id = 2 and position_id = 6')
    await pool.query('delete from state.positions where pool_id = 2 and position_id = 6')
    const reports = await compare()
    t.same(failed(reports), ['positions'])
    t.match(reportOf(reports, 'positions').differences, [{ what: /"pool_id" : 2, "position_id" : 6/, found: 'none' }])
    await pool.query('insert into state.positions select * from saved')
  })

  t.test('a balance that differs is found', async (t) => {
    const change = (by: number) =>
      pool.query(`update state.balances set amount = amount + $1 where account = 'swap.svc' and symbol = 'TLM'`, [by])
    await change(1)
    const reports = await compare()
    t.same(failed(reports), ['balances'])
    await change(-1)
  })

  t.test('a row of the node that no ABI decodes is found', async (t) => {
    const rows = node.tables.get('swap.svc/swap.svc/pools')!
    const [key, value] = [...rows][0]!
    rows.set(key, value.slice(0, 20))
    const reports = await compare()
    t.same(failed(reports), ['pools', 'rows'])
    t.match(reportOf(reports, 'rows').differences, [{ what: /swap\.svc\/swap\.svc\/pools 0: / }])
    rows.set(key, value)
  })

  t.test('a row whose last change could not be decoded is named', async (t) => {
    await pool.query(`insert into state.stale_rows values ('wax', 'swap.svc', 'swap.svc', 'pools', 1, 12, now(), false, 'pools', '{1}',
      'TRUNCATED', 'too short')`)
    const reports = await compare()
    t.same(failed(reports), ['stale rows'])
    t.match(reportOf(reports, 'stale rows').differences, [
      {
        what: 'swap.svc/swap.svc/pools 1',
        expected: 'the change of block 12',
        found: /older row in state\.pools.*too short/,
      },
    ])
    await pool.query('delete from state.stale_rows')
  })

  t.test('a row that moves while it is read is read again', async (t) => {
    const late = await moving(t, node)
    const reports = await compare()
    t.ok(late.reads > 2, 'the older row was read, then the newer one')
    t.same(failed(reports), [])
    t.same(reportOf(reports, 'pools').notes, [])
  })

  t.test('a row that changes at every read is noted and is not a difference', async (t) => {
    const rows = node.tables.get('swap.svc/swap.svc/pools')!
    const [key, value] = [...rows][0]!
    let turn = 0
    node.onRead = () => {
      // Changes the fee; any change would do.
      const other = value.slice()
      other[9] = ++turn % 250
      rows.set(key, other)
    }
    const reports = await compare()
    t.same(failed(reports), [])
    t.match(reportOf(reports, 'pools').notes, [/"pool_id" : 0\} changed at every read/])
    node.onRead = () => {}
    rows.set(key, value)
  })

  t.test('rows of the node whose ABI was never indexed are found, not skipped', async (t) => {
    const { rows } = await pool.query(`delete from ledger.abis where account = 'swap.svc' returning *`)
    const reports = await compare()
    t.ok(failed(reports).includes('rows'), 'the report of rows that cannot be compared')
    const unknown = reportOf(reports, 'rows')
    t.ok(unknown.differences.some(({ what }) => what === 'swap.svc/pools: no ABI of swap.svc is indexed'))
    for (const row of rows)
      await pool.query(`insert into ledger.abis select (jsonb_populate_record(null::ledger.abis, $1)).*`, [
        JSON.stringify({ ...row, abi: `\\x${row.abi.toString('hex')}` }),
      ])
    t.same(failed(await compare()), [])
  })

  t.test('a lagging indexer is reported instead of its differences', async (t) => {
    await pool.query('create table changed as select * from state.pools')
    await pool.query('update state.pools set liquidity = liquidity + 1')
    node.head = position.num + 500
    const message = new RegExp(`at block ${position.num}, the node at ${node.head}: rows changed by the 500 blocks`)
    await t.rejects(compare(), { code: 'INDEXER_LAGS', message, hint: /status/ })
    node.head = position.num + 2
    const [reports] = await Promise.all([
      compare(),
      // The indexer reaches the node's block.
      pool.query('update meta.position set block_num = block_num + 2'),
    ])
    t.same(failed(reports), ['pools'])
    await pool.query('update meta.position set block_num = block_num - 2')
    await pool.query('update state.pools p set liquidity = c.liquidity from changed c where c.pool_id = p.pool_id')
    node.head = position.num
    t.same(failed(await compare()), [])
  })

  t.test('a node of another chain is refused', async (t) => {
    const options = { url, chain, nodeUrl: node.url, accounts: PROFILE, chainId: '00'.repeat(32) }
    await t.rejects(checkAgainst(options), { code: 'OTHER_CHAIN' })
  })
})

/** The node first has an older row, then the indexed one. */
async function moving(t: Test, node: TableServer): Promise<{ reads: number }> {
  const rows = node.tables.get('swap.svc/swap.svc/pools')!
  const [key, value] = [...rows][0]!
  const older = value.slice()
  older[9] = 77
  rows.set(key, older)
  const state = { reads: 0 }
  node.onRead = (table) => {
    if (table === 'pools') state.reads++
    else if (state.reads > 0) rows.set(key, value)
  }
  t.teardown(() => {
    node.onRead = () => {}
    rows.set(key, value)
  })
  return state
}

function failed(reports: CheckReport[]): string[] {
  return reports.filter(({ differing }) => differing > 0).map(({ name }) => name.replace('against ', ''))
}

function reportOf(reports: CheckReport[], table: string): CheckReport {
  return reports.find(({ name }) => name === `against ${table}`)!
}
