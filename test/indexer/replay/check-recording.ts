// Checks that hold for every indexed recording: comparison with the node's own tables and with the actions from an
// independent decoder.
import type { Pool } from 'pg'
import type { Test } from 'tap'
import { decodeActions, type OracleAction } from './actions.ts'
import { expectedCandles } from './expected-candles.ts'
import { EXPECTED_TABLES, expectedLedger, isLedgerAction } from './expected-ledger.ts'
import type { RecordedBlock } from './frames.ts'
import { PROFILE } from './index-recording.ts'
import { readRows, sameRows, type TextRow } from './text-rows.ts'

const ORDER: Record<string, string> = {
  blocks: 'o.block_num',
  pools: 'o.pool_id',
  positions: 'o.pool_id, o.position_id',
  ticks: 'o.pool_id, o.tick',
  orders: 'o.market_id, o.side, o.order_id',
  markets: 'o.market_id',
  bridge_routes: 'o.id',
  wdraws: 'o.id',
}

/** @returns the recorded actions, for checks of a single recording */
export function checkLedger(t: Test, pool: Pool, chain: string, blocks: RecordedBlock[]): OracleAction[] {
  const actions = decodeActions(blocks, (action) => isLedgerAction(PROFILE, action))
  const expected = expectedLedger(blocks, actions, PROFILE)
  for (const table of EXPECTED_TABLES) {
    t.test(`ledger.${table} holds the recorded actions in their order`, async (t) => {
      const found = await readRows(pool, `ledger.${table}`, chain, ORDER[table] ?? 'o.global_seq')
      // The order of a deal is not in the actions.
      if (table === 'deals') for (const deal of found) deal.order_id = null
      sameRows(t, found, expected.get(table)!, `ledger.${table}`)
    })
  }
  t.test('candles equal a fold of the recorded trades', async (t) => {
    const order = 'o.market_kind collate "C", o.market_id::text collate "C", o.resolution collate "C", o.bucket_time'
    sameRows(t, await readRows(pool, 'derive.candles', chain, order), expectedCandles(expected), 'derive.candles')
  })
  t.test('the order of a deal was placed by its asker at its price on the other side', async (t) => {
    const { rows } = await pool.query(
      `select count(*)::int4 as deals, count(d.order_id)::int4 as known, count(e.order_id)::int4 as placed
       from ledger.deals d left join ledger.order_events e on e.chain = d.chain and e.type = 'placed' and e.market_id = d.market_id
         and e.order_id = d.order_id and e.account = d.asker and e.unit_price = d.unit_price
         and e.side = case d.type when 'buymatch' then 'sell' else 'buy' end
       where d.chain = $1`,
      [chain],
    )
    const [{ deals, known, placed }] = rows
    t.comment(`${known} of ${deals} deals name their order, ${placed} of these were placed in the recording`)
    t.equal(placed, known)
  })
  t.test("undecoded actions are the stand-ins' put, del and emit, and nothing else", async (t) => {
    const { rows } = await pool.query(
      `select distinct account || '::' || name as action from ledger.undecoded_actions where chain = $1 and name not in ('put', 'del', 'emit')`,
      [chain],
    )
    t.same(rows, [])
    const count = await pool.query('select count(*)::int4 as n from ledger.undecoded_rows where chain = $1', [chain])
    t.equal(count.rows[0].n, 0)
  })
  return actions
}

export function checkState(t: Test, pool: Pool, chain: string, expected: Map<string, TextRow[]>): void {
  for (const [table, rows] of expected) {
    t.test(`state.${table} equals the node's own rows`, async (t) => {
      const order = ORDER[table]!
      sameRows(t, await readRows(pool, `state.${table}`, chain, order), sorted(rows, order), `state.${table}`)
    })
  }
}

function sorted(rows: TextRow[], order: string): TextRow[] {
  const columns = order.split(', ').map((column) => column.slice('o.'.length))
  return [...rows].sort((a, b) => {
    for (const column of columns) {
      const difference = compare(a[column]!, b[column]!)
      if (difference !== 0) return difference
    }
    return 0
  })
}

function compare(a: string, b: string): number {
  if (/^-?\d+$/.test(a)) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0
  return a < b ? -1 : a > b ? 1 : 0
}
