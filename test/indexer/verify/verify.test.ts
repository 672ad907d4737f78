// Verification of an indexed recording: no finding without damage, and exactly one for each planted difference.
import type { Pool } from 'pg'
import t, { type Test } from 'tap'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { type VerifyReport, verifyChain } from '../../../indexer/verify/verify.ts'
import { testDatabase } from '../../support/database.ts'
import { indexRecording } from '../replay/index-recording.ts'

const path = new URL('../../fixtures/recordings/small.ship.gz', import.meta.url).pathname
const chain = 'wax'

interface Planted {
  name: string
  /** The check that must fail; null when it only notes something. */
  check: string | null
  table: string
  sql: string
  /** Expected text of its differences or notes. */
  says: RegExp
}

const PLANTED: Planted[] = [
  {
    name: 'a block that is missing',
    check: 'linkage',
    table: 'ledger.blocks',
    sql: 'delete from ledger.blocks where block_num = 5',
    says: /block after 4: expected 5, found 6/,
  },
  {
    name: 'a parent that is not the block before',
    check: 'linkage',
    table: 'ledger.blocks',
    sql: `update ledger.blocks set prev_id = decode(repeat('ab', 32), 'hex') where block_num = 60`,
    says: /parent of block 60: expected 0000003b[0-9a-f]{56}, found (ab){32}/,
  },
  {
    name: 'a row at another time than its block',
    check: 'linkage',
    table: 'ledger.hops',
    sql: `update ledger.hops set block_time = block_time + interval '1 second' where id = (select min(id) from ledger.hops)`,
    says: /ledger\.hops, block \d+: .*1 at another time/,
  },
  {
    name: 'a candle that closes elsewhere',
    check: 'candles',
    table: 'derive.candles',
    sql: `update derive.candles set close = close + 1 where market_kind = 'amm' and market_id = 0 and resolution = '15'`,
    says: /candle amm 0 15 2026-11-21T00:00:00.000Z/,
  },
  {
    name: 'a candle that is missing',
    check: 'candles',
    table: 'derive.candles',
    sql: `delete from derive.candles where market_kind = 'spot' and market_id = 1 and resolution = '1W'`,
    says: /candle spot 1 1W 2026-11-16T00:00:00.000Z: expected \{.*\}, found none/,
  },
  {
    name: 'a candle of no trade',
    check: 'candles',
    table: 'derive.candles',
    sql: `update derive.candles set bucket_time = '2026-10-01Z' where market_kind = 'spot' and market_id = 1 and resolution = '1M'`,
    says: /candle spot 1 1M 2026-10-01T00:00:00.000Z: expected none/,
  },
  {
    name: 'a reserve that is off by one raw unit',
    check: 'amm',
    table: 'state.pools',
    sql: 'update state.pools set reserve_b = reserve_b + 1 where pool_id = 3',
    says: /state\.pools 3 reserve_b/,
  },
  {
    name: 'fee growth that is off by one',
    check: 'amm',
    table: 'state.pools',
    sql: 'update state.pools set fee_growth_global_a_x64 = fee_growth_global_a_x64 - 1 where pool_id = 0',
    says: /state\.pools 0 fee_growth_global_a_x64/,
  },
  {
    name: 'a tick with other fee growth outside',
    check: 'amm',
    table: 'state.ticks',
    sql: 'update state.ticks set fee_growth_outside_b_x64 = fee_growth_outside_b_x64 + 1 where pool_id = 1 and tick = -82100',
    says: /state\.ticks 1\/-82100 fee_growth_outside_b_x64/,
  },
  {
    name: 'a tick that no position ends at',
    check: 'amm',
    table: 'state.ticks',
    sql: 'update state.ticks set tick = tick - 60 where pool_id = 1 and tick = -82100',
    says: /state\.ticks 1\/-82160: expected no row/,
  },
  {
    name: 'a position of another owner',
    check: 'amm',
    table: 'state.positions',
    sql: `update state.positions set owner = 'mallory' where pool_id = 0 and position_id = 0`,
    says: /state\.positions 0\/0 owner: expected dave, found mallory/,
  },
  {
    name: 'a position that is owed more fees than it earned',
    check: 'amm',
    table: 'state.positions',
    sql: 'update state.positions set fees_a = fees_a + 1 where pool_id = 2 and position_id = 6',
    says: /state\.positions 2\/6 feesA: expected at most 6024159, found 6024160/,
  },
  {
    name: 'a position with much less liquidity than it was given',
    check: 'amm',
    table: 'state.positions',
    sql: 'update state.positions set liquidity = liquidity / 2 where pool_id = 0 and position_id = 0',
    says: /state\.positions 0\/0 liquidity/,
  },
  {
    name: 'a swap that came to another result',
    check: 'amm',
    table: 'ledger.swaps',
    sql: 'update ledger.swaps set tick = tick + 1 where global_seq = (select min(global_seq) from ledger.swaps where pool_id = 5)',
    says: /pool 5, action \d+: the swap comes to another result than its log/,
  },
  {
    name: 'a balance that is off by one raw unit',
    check: 'supplies',
    table: 'state.balances',
    sql: `update state.balances set amount = amount - 1 where symbol = 'TLM' and account = 'alice'`,
    says: /sum of the balances of TLM at alien\.worlds: expected 200000000000000, found 199999999999999/,
  },
  {
    name: 'an open order that nobody placed',
    check: 'orders',
    table: 'state.orders',
    sql: `update state.orders set order_id = 9999 where market_id = 0 and side = 'buy' and order_id = 38`,
    says: /state\.orders market 0 buy 9999: expected placed before, found never placed/,
  },
  {
    name: 'an open order that was cancelled',
    check: 'orders',
    table: 'ledger.order_events',
    sql: `insert into ledger.order_events (chain, market_id, block_time, global_seq, block_num, trx_id, type, side, order_id, account)
      select chain, market_id, block_time, 999999999, block_num, trx_id, 'cancelled', side, order_id, account
      from ledger.order_events where type = 'placed' and market_id = 0 and side = 'buy' and order_id = 38`,
    says: /market 0 buy 38: expected gone, since it was cancelled/,
  },
  {
    name: 'an open order for more than was placed',
    check: 'orders',
    table: 'state.orders',
    sql: `update state.orders set bid_amount = bid_amount + 1000000000000 where market_id = 0 and side = 'buy' and order_id = 38`,
    says: /market 0 buy 38: expected at most the amounts that were placed/,
  },
]

t.test('an indexed recording verifies, and every planted difference is found', async (t) => {
  const { url, pool } = await testDatabase(t)
  await indexRecording(url, chain, new ReplaySource(path))
  const clean = await verifyChain(url, chain)
  t.ok(clean.ok)
  t.same(
    clean.checks.map(({ name, differences, notes }) => ({ name, differences, notes })),
    ['linkage', 'candles', 'amm', 'supplies', 'orders'].map((name) => ({ name, differences: [], notes: [] })),
  )
  t.ok(
    clean.checks.every(({ compared }) => compared > 0),
    'every check had something to compare',
  )

  for (const planted of PLANTED) {
    t.test(planted.name, async (t) => {
      const report = await withPlanted(pool, planted, () => verifyChain(url, chain))
      t.equal(report.ok, false)
      t.same(failed(report), [planted.check])
      t.match(findings(report, planted.check!), planted.says)
      t.not(report.digest.sha256, clean.digest.sha256, 'the digest tells too')
    })
  }

  t.test(
    'balances and orders that their actions do not give are noted: the contract may have rules of its own',
    async (t) => {
      const notesOf = async (name: string, table: string, sql: string) => {
        const planted = { name, check: null, table, sql, says: /^/ }
        const report = await withPlanted(pool, planted, () => verifyChain(url, chain))
        t.same(failed(report), [], name)
        return report.checks.flatMap(({ notes }) => notes).join('\n')
      }
      t.match(
        await notesOf(
          'two balances of a token that are exchanged',
          'state.balances',
          `update state.balances b set amount = o.amount from state.balances o
         where b.symbol = 'TLM' and o.contract = b.contract and o.symbol = b.symbol and o.chain = b.chain
           and (b.account, o.account) in (('alice', 'bob'), ('bob', 'alice'))`,
        ),
        /balance of alice in TLM at alien\.worlds is \d+, its transfers give \d+.*\nbalance of bob/,
      )
      t.match(
        await notesOf(
          'an open order of which half is left',
          'state.orders',
          `update state.orders set bid_amount = bid_amount / 2, ask_amount = ask_amount / 2
         where market_id = 0 and side = 'buy' and order_id = 38`,
        ),
        /state\.orders market 0 buy 38 offers \d+, its deals leave \d+/,
      )
    },
  )

  t.test('liquidity that a burn removed without a log is reported, and is not a failure', async (t) => {
    await silentBurn(t, pool)
    const report = await verifyChain(url, chain)
    t.same(failed(report), [])
    const { notes } = report.checks.find(({ name }) => name === 'amm')!
    t.match(
      notes.join('\n'),
      /state\.positions 0\/0 has 1 less liquidity .* a burn that rounds to nothing is not logged/,
    )
  })

  t.test('oracle points of the state’s block, just before the first block, are accepted', async (t) => {
    const point = (before: number) => ({
      name: '',
      check: null,
      table: 'ledger.oracle_points',
      sql: `insert into ledger.oracle_points (chain, pair, block_num, point_id, block_time, contract, owner, value, median, point_time)
        select chain, 'waxpusd', first_block - ${before}, 1, block_time, 'delphioracle', 'a', 1, 1, block_time
        from meta.position where chain = '${chain}'`,
      says: /^/,
    })
    t.same(failed(await withPlanted(pool, point(1), () => verifyChain(url, chain))), [])
    t.same(failed(await withPlanted(pool, point(2), () => verifyChain(url, chain))), ['linkage'])
  })

  t.test('a chain that is not indexed is an error that says so', async (t) => {
    await t.rejects(verifyChain(url, 'nowhere'), { code: 'UNKNOWN_CHAIN' })
  })
})

function failed(report: VerifyReport): string[] {
  return report.checks.filter(({ differing }) => differing > 0).map(({ name }) => name)
}

function findings(report: VerifyReport, check: string): string {
  const { differences, differing } = report.checks.find(({ name }) => name === check)!
  if (differences.length !== Math.min(differing, 20)) throw new Error('not the first twenty differences')
  return differences.map(({ what, expected, found }) => `${what}: expected ${expected}, found ${found}`).join('\n')
}

/** Changes a table, runs, and restores the table. */
async function withPlanted(
  pool: Pool,
  { table, sql }: Planted,
  run: () => Promise<VerifyReport>,
): Promise<VerifyReport> {
  await pool.query(`create table saved as table ${table}`)
  try {
    const { rowCount } = await pool.query(sql)
    if (!rowCount) throw new Error(`nothing was changed by: ${sql}`)
    return await run()
  } finally {
    await pool.query(`truncate ${table}; insert into ${table} select * from saved; drop table saved`)
  }
}

/** State after a burn of one unit of liquidity: its amounts round to zero, so the contract logs nothing. */
async function silentBurn(t: Test, pool: Pool): Promise<void> {
  const { rows } = await pool.query(
    `update state.positions set liquidity = liquidity - 1 where pool_id = 0 and position_id = 0 returning tick_lower as lower, tick_upper as upper`,
  )
  const { lower, upper } = rows[0]
  const ticks = await pool.query(
    `update state.ticks set liquidity_gross = liquidity_gross - 1, liquidity_net = liquidity_net - case tick when $1 then 1 else -1 end
     where pool_id = 0 and tick in ($1, $2)`,
    [lower, upper],
  )
  t.equal(ticks.rowCount, 2)
  await pool.query('update state.pools set liquidity = liquidity - 1 where pool_id = 0 and tick >= $1 and tick < $2', [
    lower,
    upper,
  ])
}
