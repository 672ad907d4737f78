// Boards equal independent queries over single rows, bounded by the hour that board.freshness names. Two days of two
// simulated chains; the last blocks are reversible.
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import t, { type Test } from 'tap'
import { BOARDS, refreshBoard } from '../../indexer/jobs/refresh-boards.ts'
import { testDatabase } from '../support/database.ts'
import { DEVNET_HISTORY } from './sql-history.ts'
import { workedQueries } from './sql-page.ts'

/** Hours that boards have, by chain. */
const FRESH = `(select r.chain, r.counted_to as until from board.freshness r where r.board = 'pool_days')`
const day = (time: string) => `date_trunc('day', ${time}, 'UTC')`
const CONTRACTS = `(select account from meta.accounts where chain = x.chain and role in ('amm', 'spot', 'otc'))`

/** Trades of accounts: senders of swaps, both sides of deals. */
const SIDES = `
  select x.chain, x.block_time, x.account, x.usd, x.is_swap from (
    select s.chain, s.block_time, s.sender as account, s.usd, true as is_swap from ledger.swaps s
    union all select d.chain, d.block_time, d.bidder, d.usd, false from ledger.deals d
    union all select d.chain, d.block_time, d.asker, d.usd, false from ledger.deals d
  ) x join ${FRESH} f on f.chain = x.chain and x.block_time < f.until where x.account not in ${CONTRACTS}`

/** Each trade with both of its tokens. */
const TOKEN_TRADES = `
  select x.chain, x.block_time, u.token_id, x.usd from (
    select s.chain, s.block_time, s.usd, p.token_a as a, p.token_b as b from ledger.swaps s join head.pools p using (chain, pool_id)
    union all
    select d.chain, d.block_time, d.usd, m.base, m.target from ledger.deals d join head.markets m using (chain, market_id)
  ) x join ${FRESH} f on f.chain = x.chain and x.block_time < f.until cross join lateral (values (x.a), (x.b)) u(token_id)`

/** Columns of each board, and the same from single rows. */
const EXPECTED: Readonly<Record<string, readonly [board: string, raw: string]>> = {
  pool_days: [
    `select chain, day, pool_id, swaps, volume_a, volume_b, volume_usd, swaps_without_usd, open, high, low, close, fees_usd, earned_usd, liquidity_usd
     from board.pool_days`,
    `select s.chain, ${day('s.block_time')}, s.pool_id, count(*), sum(abs(s.quantity_a)), sum(abs(s.quantity_b)), sum(s.usd),
       count(*) - count(s.usd), (array_agg(s.price order by s.global_seq))[1], max(s.price), min(s.price),
       (array_agg(s.price order by s.global_seq desc))[1], sum(s.usd_fee),
       sum(s.usd_fee * (1 - coalesce(1.0 / nullif(coalesce((select e.fee_protocol_new from ledger.protocol_fees e where e.chain = s.chain
         and e.pool_id = s.pool_id and e.type = 'set' and e.global_seq <= s.global_seq order by e.global_seq desc limit 1), c.fee_protocol), 0), 0))),
       (select h.usd from ledger.pool_hours h where h.chain = s.chain and h.pool_id = s.pool_id and ${day('h.hour')} = ${day('min(s.block_time)')}
         and h.hour < max(f.until) order by h.hour desc limit 1)
     from head.swaps s join ${FRESH} f on f.chain = s.chain and s.block_time < f.until join ledger.pool_creations c on c.chain = s.chain and c.pool_id = s.pool_id
     group by 1, 2, 3`,
  ],
  token_days: [
    `select chain, day, token_id, usd_open, usd_high, usd_low, usd_close, system_close, priced_hours, trades, volume_usd, trades_without_usd, holders
     from board.token_days where day >= '2026-03-01Z'`,
    `select chain, day, token_id, p.open, p.high, p.low, p.close, p.system, coalesce(p.hours, 0), coalesce(v.trades, 0), v.usd,
       coalesce(v.unknown, 0), h.holders
     from (select x.chain, ${day('x.hour')} as day, x.token_id, (array_agg(usd_price order by hour) filter (where usd_price is not null))[1] as open, max(usd_price) as high,
         min(usd_price) as low, (array_agg(usd_price order by hour desc))[1] as close, (array_agg(system_price order by hour desc))[1] as system,
         count(*)::int4 as hours from ledger.price_hours x join ${FRESH} f on f.chain = x.chain and x.hour < f.until group by 1, 2, 3) p
     full join (select chain, ${day('block_time')} as day, token_id, count(*) as trades, sum(usd) as usd, count(*) - count(usd) as unknown
         from (${TOKEN_TRADES}) y group by 1, 2, 3) v using (chain, day, token_id)
     full join (select distinct on (s.chain, s.token_id, ${day(`s.hour - interval '1 hour'`)}) s.chain, ${day(`s.hour - interval '1 hour'`)} as day,
         s.token_id, case when not s.truncated then s.holders end as holders from derive.holder_samples s join ${FRESH} f on f.chain = s.chain and s.hour <= f.until
         join ledger.hour_snapshots n on n.chain = s.chain and n.hour = s.hour - interval '1 hour'
         order by s.chain, s.token_id, ${day(`s.hour - interval '1 hour'`)}, s.hour desc) h using (chain, day, token_id)`,
  ],
  account_days: [
    `select chain, day, accounts, new_accounts, swaps, deal_sides, volume_usd, trades_without_usd from board.account_days`,
    `select chain, day, count(*), count(*) filter (where day = first_day), sum(swaps)::int8, sum(deals)::int8, sum(usd), sum(unknown)::int8
     from (select chain, ${day('block_time')} as day, account, count(*) filter (where is_swap) as swaps, count(*) filter (where not is_swap) as deals,
         sum(usd) as usd, count(*) - count(usd) as unknown, min(${day('min(block_time)')}) over (partition by chain, account) as first_day
       from (${SIDES}) y group by 1, 2, 3) z group by 1, 2`,
  ],
  leaders: [
    `select chain, days, place, account, volume_usd, swaps, deals from board.leaders`,
    `select chain, days, row_number() over (partition by chain, days order by usd desc, account collate "C")::int4, account, usd, swaps, deals
     from (select chain, account, sum(usd) as usd, count(*) filter (where is_swap) as swaps, count(*) filter (where not is_swap) as deals
       from (${SIDES}) y group by 1, 2) z cross join (values (0), (7), (30), (90)) d(days)`,
  ],
  bridge_days: [
    // The symbol of some withdrawals is only in the bridge's table, whose rows may go.
    `select chain, day, direction, domain, case direction when 'in' then symbol end, sum(legs)::int8, sum(amount) from board.bridge_days group by 1, 2, 3, 4, 5`,
    `select chain, day, direction, domain, case direction when 'in' then symbol end, count(*), sum(amount) from (
       select x.chain, ${day('x.arrival_time')} as day, 'in' as direction, x.domain, x.token as symbol, x.amount
         from head.deposits x join ${FRESH} f on f.chain = x.chain and x.arrival_time < f.until
       union all
       select x.chain, ${day('x.src_time')}, 'out', x.domain, null, x.amount
         from head.withdrawals x join ${FRESH} f on f.chain = x.chain and x.src_time < f.until) y
     group by 1, 2, 3, 4, 5`,
  ],
  trader_months: [
    `select chain, cohort, month, months, accounts, size, share, volume_usd from board.trader_months`,
    `select chain, date_trunc('month', min(block_time), 'UTC'), date_trunc('month', min(block_time), 'UTC'), 0, count(distinct account),
       count(distinct account), 1, sum(usd) from (${SIDES}) y group by 1`,
  ],
}

t.test('boards', async (t) => {
  const { url, pool } = await testDatabase(t, DEVNET_HISTORY)
  const ask = async (sql: string, ...values: unknown[]) => (await pool.query(sql, values)).rows
  const refreshAll = async () => {
    await pool.query('delete from meta.board_refreshes')
    for (const board of BOARDS) t.ok(await refreshBoard(url, board), board)
  }
  /** Rows of one of two queries that the other lacks. */
  const differences = ([left, right]: readonly [string, string]) =>
    ask(
      `with b as materialized (${left}), r as materialized (${right})
       select 'board' as of, x::text as row from (table b except all table r) x
       union all select 'rows', x::text from (table r except all table b) x order by 2 limit 6`,
    )
  const boardRows = async (database: Pick<pg.Client, 'query'>) => {
    const all: unknown[] = []
    for (const board of BOARDS) {
      const { rows } = await database.query(`select to_jsonb(b)::text as row from board.${board} b order by 1`)
      all.push(rows)
    }
    return all
  }
  const rowsOf = () => boardRows(pool)
  /** A transaction that is rolled back at the end of the test. */
  const snapshot = async (t: Test) => {
    const client = new pg.Client(url)
    await client.connect()
    t.teardown(() => client.end())
    await client.query(`set timezone = 'UTC'; begin isolation level repeatable read`)
    return client
  }

  t.test('each board equals the same from single rows', async (t) => {
    // The protocol's share of pool 0 changes in the middle of the history.
    await pool.query(
      `insert into ledger.protocol_fees (chain, pool_id, block_time, global_seq, block_num, trx_id, type, fee_protocol_old, fee_protocol_new)
       select chain, 0, block_time, global_seq, block_num, trx_id, 'set', p.fee_protocol, 4
       from (select distinct on (chain) * from ledger.swaps where block_time >= '2026-03-09T01:00:00Z' order by chain, block_time) s
       join state.pools p using (chain) where p.pool_id = 0`,
    )
    await refreshAll()
    for (const board of BOARDS) {
      const expected = EXPECTED[board]
      if (!expected) throw new Error(board)
      t.same(await differences(expected), [], board)
      const [{ rows }] = await ask(`select count(*)::int4 as rows from board.${board}`)
      t.ok(rows > 0, `${board} has rows`)
    }
    const yields = await ask(`select * from board.pool_days where liquidity_usd > 0 and earned_usd > 0`)
    t.ok(yields.length > 10)
    for (const { earned_usd, liquidity_usd, hours, yearly_yield } of yields)
      t.ok(Math.abs((Number(earned_usd) / Number(liquidity_usd) / hours) * 24 * 365 - Number(yearly_yield)) < 2e-6)
  })

  t.test('a history that begins within a day has the rest of its hours', async (t) => {
    const client = new pg.Client(url)
    await client.connect()
    t.teardown(() => client.end())
    await client.query('begin isolation level repeatable read')
    await client.query(
      `delete from derive.hour_totals where hour < '2026-03-08T15:00Z'; delete from meta.board_refreshes`,
    )
    const first = `day >= '2026-03-08Z'`
    for (const board of ['pool_days', 'token_days', 'account_days']) {
      await client.query('select meta.refresh_board($1)', [board])
      const { rows } = await client.query(
        `select array_agg(distinct hours order by hours) as hours from board.${board} where ${first} group by day order by day`,
      )
      t.same(rows, [{ hours: [9] }, { hours: [24] }, { hours: [15] }], board)
    }
    const { rows } = await client.query(
      `select earned_usd / liquidity_usd * 24 * 365 / yearly_yield as hours from board.pool_days
       where day = '2026-03-08Z' and yearly_yield > 0.01`,
    )
    t.ok(rows.length > 0)
    for (const { hours } of rows) t.equal(Math.round(Number(hours) * 100), 900)
    await client.query('rollback')
  })

  t.test('a number of holders that may be too low is not shown', async (t) => {
    const client = new pg.Client(url)
    await client.connect()
    t.teardown(() => client.end())
    await client.query('begin')
    await client.query(
      `update derive.holder_samples set truncated = token_id = 'wax-eosio.token' where chain = 'wax' and hour = '2026-03-10T15:00Z'`,
    )
    // No blocks: trades are not added twice.
    await client.query(`select meta.count_days('wax', 1, 0, '2026-03-10T14:00Z', '2026-03-10T14:00Z')`)
    const { rows } = await client.query(
      `select token_id = 'wax-eosio.token' as truncated, count(d.holders) = 0 as none, count(d.holders) = count(*) as all
       from derive.token_days d join derive.holder_samples using (chain, token_id)
       where chain = 'wax' and day = '2026-03-10Z' and hour = '2026-03-10T15:00Z' group by 1 order by 1`,
    )
    t.same(rows, [
      { truncated: false, none: false, all: true },
      { truncated: true, none: true, all: false },
    ])
    await client.query('rollback')
  })

  t.test('tokens that went out have the symbol of the bridge, or none', async (t) => {
    const [{ named, odd }] = await ask(
      `select count(*) filter (where b.symbol <> '')::int4 as named, count(*) filter (where b.symbol <> '' and not exists (
         select from head.withdrawals w where w.chain = b.chain and w.domain = b.domain and ${day('w.src_time')} = b.day
         and w.symbol = b.symbol group by () having sum(w.quantity) >= b.quantity))::int4 as odd
       from board.bridge_days b where b.direction = 'out'`,
    )
    t.equal(odd, 0)
    t.ok(named >= 3, `${named}`)
  })

  t.test('a burn that takes a bounced deposit back has the symbol of the deposit', async (t) => {
    const burned = await ask(
      `select ${day('w.src_time')} as day, w.domain, w.symbol, count(*)::int4 as legs, sum(w.quantity) as quantity,
         count(d.key)::int4 as bounced
       from head.withdrawals w join ${FRESH} f on f.chain = w.chain and w.src_time < f.until
       left join head.deposits d on d.chain = w.chain and d.back_id = w.id group by 1, 2, 3 order by 1, 2, 3`,
    )
    t.ok(burned.some(({ bounced }) => bounced > 0))
    t.same(
      await ask(
        `select b.day, b.domain, b.symbol, sum(b.legs)::int4 as legs, sum(b.quantity) as quantity
         from board.bridge_days b where b.direction = 'out' group by 1, 2, 3 order by 1, 2, 3`,
      ),
      burned.map(({ bounced: _, ...row }) => row),
    )
  })

  t.test('a burn that takes a bounced deposit back keeps its symbol when the row of the bridge goes', async (t) => {
    const client = await snapshot(t)
    const bounced = async () => {
      const { rows } = await client.query(
        `select w.chain, w.id, w.symbol, w.decimals, w.quantity from head.withdrawals w
         join head.deposits d on d.chain = w.chain and d.back_id = w.id order by 1, 2`,
      )
      return rows
    }
    const before = await bounced()
    t.ok(before.length > 0)
    t.ok(before.every(({ symbol, quantity }) => symbol !== null && quantity !== null))
    await client.query('delete from state.wdraws')
    t.same(await bounced(), before)
    await client.query('rollback')
  })

  t.test('the worked queries run as the reader and give the columns that the page names', async (t) => {
    const reader = new pg.Client({ connectionString: url, options: '-c role=headwater_reader -c timezone=UTC' })
    await reader.connect()
    t.teardown(() => reader.end())
    const queries = workedQueries(await readFile(new URL('../../docs/data/boards.md', import.meta.url), 'utf8'))
    t.ok(queries.length >= 9)
    for (const { title, sql, columns } of queries) {
      const { rows, fields } = await reader.query(sql)
      t.ok(rows.length > 0, title)
      t.same(
        fields.map(({ name }) => name),
        columns,
      )
    }
  })

  t.test('they are of the last counted hour, and say so', async (t) => {
    const fresh = await ask(
      `select r.board, r.chain, r.block_num = (select max(b.block_num) from ledger.blocks b where b.chain = r.chain and b.block_time < r.counted_to) as block,
         r.block_num <= p.lib_num as final, r.counted_to = '2026-03-10T15:00:00Z' as hour from board.freshness r join meta.position p using (chain)`,
    )
    t.equal(fresh.length, 2 * BOARDS.length)
    for (const { board, chain, ...row } of fresh)
      t.same(row, { block: true, final: true, hour: true }, `${board} ${chain}`)
    t.notOk(await refreshBoard(url, 'leaders'), 'nothing was counted since')
  })

  t.test('a fork changes none of them', async (t) => {
    const before = await rowsOf()
    for (const { chain, from } of await ask('select chain, lib_num + 1 as from from meta.position'))
      await pool.query('select meta.rewind($1, $2)', [chain, from])
    await refreshAll()
    t.same(await rowsOf(), before)
  })

  t.test('refreshes after every few hours, with a fork, give the rows of one refresh of all', async (t) => {
    const client = await snapshot(t)
    const before = await boardRows(client)
    await client.query(
      `delete from derive.hour_totals; delete from derive.hour_users; delete from derive.account_days; delete from derive.traders;
       delete from derive.token_days; delete from derive.bridge_days; delete from meta.board_refreshes`,
    )
    let steps = 0
    for (;;) {
      const { rows } = await client.query('select sum(meta.count_hours(chain, 11))::int4 as hours from meta.position')
      if (rows[0].hours === 0) break
      for (const board of BOARDS) await client.query('select meta.refresh_board($1)', [board])
      if (++steps === 2) await client.query('select meta.rewind(chain, lib_num + 1) from meta.position')
    }
    t.ok(steps > 4, `${steps} steps`)
    for (const [i, rows] of (await boardRows(client)).entries()) t.same(rows, before[i], `${BOARDS[i]}`)
    const { rows } = await client.query(
      `select chain, account, first_day, active_days, swaps, deals, volume_usd, trades_without_usd from derive.traders except
       select chain, account, min(day), count(*), sum(swaps), sum(deals), sum(volume_usd), sum(trades_without_usd) from derive.account_days group by 1, 2`,
    )
    t.same(rows, [])
  })

  t.test('a refresh computes the last days only, and all when the last block of the last one is gone', async (t) => {
    const client = await snapshot(t)
    const before = await boardRows(client)
    const changed = async (what: string) => {
      await client.query(`update board.pool_days set swaps = -1; update meta.board_refreshes set ${what}`)
      await client.query(`select meta.refresh_board('pool_days')`)
      const { rows } = await client.query(
        `select array_agg(distinct day::date::text) as days from board.pool_days where swaps > 0`,
      )
      return rows[0].days
    }
    t.same(await changed(`counted_to = counted_to - interval '1 hour'`), ['2026-03-10'])
    t.same(await changed(`counted_to = '2026-03-10Z'`), ['2026-03-10'])
    t.same(await changed(`counted_to = '2026-03-09T23:00Z'`), ['2026-03-09', '2026-03-10'])
    await changed(`counted_to = '2026-03-09T23:00Z', block_time = block_time - interval '1 second'`)
    t.same(await boardRows(client), before)
  })

  t.test('a refresh is the work of one process, whatever the planner thinks of the size', async (t) => {
    const [{ settings }] = await ask(
      `select proconfig as settings from pg_proc where oid = 'meta.refresh_board(text)'::regprocedure`,
    )
    t.ok(settings.includes('max_parallel_workers_per_gather=0'), `${settings}`)
  })

  t.test('windows of leaders and months of cohorts begin with their first day', async (t) => {
    const client = new pg.Client(url)
    await client.connect()
    t.teardown(() => client.end())
    await client.query('begin isolation level repeatable read')
    await client.query('delete from derive.account_days; delete from derive.traders; delete from meta.board_refreshes')
    const days = [0, 6, 7, 29, 30, 89, 90, 400]
    await client.query(
      `insert into derive.account_days select 'wax', timestamptz '2026-03-10Z' - d * interval '24 hours', 'after' || d, 1, 0, 1 + d, 0
       from unnest($1::int4[]) d union all select 'wax', '2026-03-10Z', 'after400', 1, 0, 9, 0`,
      [days],
    )
    await client.query(
      `insert into derive.traders select chain, account, min(day), count(*), sum(swaps), sum(deals), sum(volume_usd), sum(trades_without_usd)
       from derive.account_days group by 1, 2`,
    )
    for (const board of ['leaders', 'trader_months']) await client.query('select meta.refresh_board($1)', [board])
    const { rows } = await client.query(
      `select days, array_agg(account order by place) as accounts from board.leaders where chain = 'wax' group by 1 order by 1`,
    )
    const within = (last: number) =>
      days
        .filter((d) => d < last || d === 400)
        .map((d) => ({ account: `after${d}`, usd: d === 400 ? 9 : d + 1 }))
        .sort((x, y) => y.usd - x.usd)
        .map(({ account }) => account)
    t.same(
      rows.map(({ accounts, days }) => [days, accounts]).slice(1),
      [7, 30, 90].map((last) => [last, within(last)]),
    )
    t.equal(rows[0]?.accounts[0], 'after400')
    t.equal(rows[0]?.accounts.length, days.length)
    const { rows: cohorts } = await client.query(
      `select months, accounts::int4, size::int4 from board.trader_months where cohort = '2025-02-01Z' order by 1`,
    )
    t.same(cohorts, [
      { months: 0, accounts: 1, size: 1 },
      { months: 13, accounts: 1, size: 1 },
    ])
    await client.query('rollback')
  })

  t.test('a chain that was removed leaves the boards with their next refresh', async (t) => {
    const client = new pg.Client(url)
    await client.connect()
    t.teardown(() => client.end())
    // Indexed again up to the same hour before the next refresh.
    await client.query('begin isolation level repeatable read')
    await client.query(
      `create temp table counted on commit drop as select * from meta.position where chain = 'telos';
       create temp table blocks on commit drop as select * from ledger.blocks where chain = 'telos';
       create temp table hours on commit drop as select * from ledger.hour_snapshots where chain = 'telos';
       create temp table totals on commit drop as select * from derive.hour_totals where chain = 'telos';
       create temp table before on commit drop as select * from meta.counted_hours();
       select meta.clear_chain('telos');
       insert into meta.position select * from counted; insert into ledger.blocks select * from blocks;
       insert into ledger.hour_snapshots select * from hours; insert into derive.hour_totals select * from totals`,
    )
    t.same((await client.query('table before except select * from meta.counted_hours()')).rows, [])
    t.same((await client.query(`select meta.refresh_board('leaders') as done`)).rows, [{ done: true }])
    t.same((await client.query(`select from board.leaders where chain = 'telos'`)).rows, [])
    await client.query('rollback')

    await pool.query(`select meta.clear_chain('telos')`)
    t.same(await ask(`select distinct chain from board.freshness`), [{ chain: 'wax' }])
    for (const board of BOARDS) {
      t.ok(await refreshBoard(url, board), board)
      const chains = await ask(`select distinct chain from board.${board}`)
      t.same(chains, board === 'bridge_days' ? [] : [{ chain: 'wax' }], board)
    }
    t.same(await ask(`select distinct chain from board.freshness`), [{ chain: 'wax' }])
  })

  t.test('a refresh needs one snapshot, and a board that there is', async (t) => {
    await t.rejects(pool.query(`select meta.refresh_board('leaders')`), { code: 'HW052' })
    await t.rejects(refreshBoard(url, 'nothing' as never), { code: '22023' })
  })
})
