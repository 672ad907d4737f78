// Properties of all views: every stored column is in a view, `final` has only irreversible rows, and computed columns
// equal the program's own computation.
import pg from 'pg'
import t from 'tap'
import { amountA, amountB } from '../../core/amm/amounts.ts'
import { MAX_TICK, MIN_TICK, sqrtPriceAtTick } from '../../core/amm/ticks.ts'
import { testDatabase } from '../support/database.ts'
import { Random, seedFromEnvironment } from '../support/random.ts'
import { DEVNET_HISTORY } from './sql-history.ts'

/** Row ids of contract tables, which repeat other columns. No view shows them. */
const NOT_SHOWN = ['state.amm_balances.row_id', 'state.bans.row_id']

t.test('views over two days of two chains', async (t) => {
  const { url, pool } = await testDatabase(t, DEVNET_HISTORY)
  const ask = async (sql: string, ...values: unknown[]) => (await pool.query(sql, values)).rows

  t.test('every stored column of the chains is in a view of head and in one of final', async (t) => {
    const columns = `select format('%I.%I.%I', n.nspname, c.relname, a.attname) as name, a.attnum, c.oid from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        -- Those are the same in every row.
        and not (n.nspname = 'state' and a.atthasdef)
      where n.nspname in ('ledger', 'state', 'derive') and c.relkind = 'p' and c.relname <> 'orphaned_blocks'
        -- Sums of accounts, which only the boards read.
        and c.relname <> 'traders'`
    const used = (
      schemas: string,
    ) => `select d.refobjid, d.refobjsubid, v.oid as view, vn.nspname as schema from pg_depend d
      join pg_rewrite r on r.oid = d.objid join pg_class v on v.oid = r.ev_class join pg_namespace vn on vn.oid = v.relnamespace
      where d.classid = 'pg_rewrite'::regclass and vn.nspname in (${schemas})`
    const inHead = await ask(
      `select c.name from (${columns}) c
       where not exists (select from (${used(`'head'`)}) u where u.refobjid = c.oid and u.refobjsubid = c.attnum) order by 1`,
    )
    t.same(
      inHead.map(({ name }) => name),
      NOT_SHOWN,
    )
    // Through the view of `settled` with the table's name and all its columns.
    const inFinal = await ask(
      `select c.name from (${columns}) c
       where not exists (select from (${used(`'final'`)}) u where u.refobjid = c.oid and u.refobjsubid = c.attnum)
         and not exists (select from (${used(`'final'`)}) u join pg_attribute b on b.attrelid = u.refobjid and b.attnum = u.refobjsubid
           where u.refobjid = to_regclass('settled.' || quote_ident(split_part(c.name, '.', 2)))
             and quote_ident(b.attname) = split_part(c.name, '.', 3)) order by 1`,
    )
    t.same(
      inFinal.map(({ name }) => name),
      NOT_SHOWN,
    )
  })

  t.test('final has exactly the rows of irreversible blocks', async (t) => {
    const views = await ask(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'final' and c.relkind = 'v' and c.relname <> 'position'
         and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'block_num')
         and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'status') order by 1`,
    )
    let reversible = 0
    for (const { name } of views) {
      const [counts] = await ask(
        `select (select count(*)::int4 from head.${name} v join meta.position p using (chain) where v.block_num <= p.lib_num) as head,
           (select count(*)::int4 from final.${name}) as final, (select count(*)::int4 from head.${name}) as "all"`,
      )
      // In these two, block_num is the block up to which was counted.
      if (!['holder_counts', 'score_progress'].includes(name)) t.equal(counts.final, counts.head, name)
      reversible += counts.all - counts.head
    }
    t.ok(views.length > 25 && reversible > 50, `${reversible} rows are reversible`)
    const ends = await ask(
      `select x.block_num = p.lib_num and x.block_time = b.block_time as right from final.position x
       join meta.position p using (chain) join head.blocks b on b.chain = p.chain and b.block_num = p.lib_num`,
    )
    t.same(ends, [{ right: true }, { right: true }])
  })

  t.test('prices of ticks and amounts of positions equal the contract’s', async (t) => {
    const random = new Random(seedFromEnvironment())
    const ticks = [MIN_TICK, -1, 0, 1, MAX_TICK]
    for (let i = 0; i < 2000; i++) ticks.push(random.integer(MIN_TICK, MAX_TICK))
    const rows = await ask('select t, meta.tick_price(t)::text as price from unnest($1::int4[]) t', ticks)
    for (const { t: tick, price } of rows) if (BigInt(price) !== sqrtPriceAtTick(tick)) t.fail(`tick ${tick}: ${price}`)
    const positions = await ask(
      `select s.*, p.sqrt_price_x64 as now, p.decimals_a, s.amount_a::text as a, s.amount_b::text as b
       from head.positions s join head.pools p using (chain, pool_id)`,
    )
    t.ok(positions.length > 100)
    for (const row of positions) {
      const [low, high] = [sqrtPriceAtTick(row.tick_lower), sqrtPriceAtTick(row.tick_upper)]
      const price = BigInt(row.now)
      const now = price < low ? low : price > high ? high : price
      const liquidity = BigInt(row.liquidity)
      const expected = [amountA(liquidity, now, high, 'down'), amountB(liquidity, low, now, 'down')]
      t.same([BigInt(row.a), BigInt(row.b)], expected, `position ${row.position_id}`)
      t.equal(BigInt(row.quantity_a.replace('.', '')), expected[0])
    }
  })

  t.test('hours that are not counted yet are computed from their trades, with the same result', async (t) => {
    const hours = () => ask('select * from final.hour_totals order by chain, hour')
    const counted = await hours()
    const days = await ask('select * from final.day_totals order by chain, day')
    t.ok(counted.length > 100 && counted.some(({ spot_trades }) => spot_trades !== '0'))
    const client = new pg.Client(url)
    await client.connect()
    await client.query('begin; delete from derive.hour_totals; delete from derive.hour_users')
    const { rows } = await client.query('select * from final.hour_totals order by chain, hour')
    const { rows: daysNow } = await client.query('select * from final.day_totals order by chain, day')
    await client.query('rollback')
    await client.end()
    t.same(rows.map(numbers), counted.map(numbers))
    t.same(daysNow.map(numbers), days.map(numbers))
  })

  t.test('cosigned transactions are shown without the requester', async (t) => {
    const id = Buffer.alloc(32, 7)
    await pool.query(`insert into cosign.transactions values ('wax', $1, now())`, [id])
    await pool.query(
      `insert into cosign.counters select 'wax', scope, key, 'hour', date_trunc('hour', now()), 1
       from (values ('ip', '192.0.2.1'), ('account', 'alice'), ('all', '')) v(scope, key)`,
    )
    const client = new pg.Client({ connectionString: url, options: '-c role=headwater_reader' })
    await client.connect()
    const { rows } = await client.query('select trx_id, chain from head.cosigned_transactions')
    t.same(rows, [{ trx_id: id.toString('hex'), chain: 'wax' }])
    const totals = await client.query('select * from final.cosign_totals')
    t.same(
      totals.rows.map(({ period, transactions }) => [period, transactions]),
      [['hour', 1]],
    )
    t.notMatch(JSON.stringify([rows, totals.rows]), /192\.0\.2\.1|alice/)
    for (const table of ['counters', 'transactions', 'switches'])
      await t.rejects(client.query(`select from cosign.${table}`), { code: '42501' })
    await client.end()
  })

  t.test('holders are the balances above zero, with their part of the supply', async (t) => {
    const [sums] = await ask(
      `select count(*)::int4 as holders, sum(h.amount)::text as amount, round(sum(h.share), 12)::text as share,
         (select supply::text from head.tokens where chain = 'wax' and token_id = 'wax-eosio.token') as supply
       from head.holders h where chain = 'wax' and token_id = 'wax-eosio.token'`,
    )
    const [raw] = await ask(
      `select count(*)::int4 as holders from state.balances where chain = 'wax' and contract = 'eosio.token' and symbol = 'WAX' and amount > 0`,
    )
    t.equal(sums.holders, raw.holders)
    t.equal(sums.amount, sums.supply)
    t.equal(Number(sums.share), 1)
  })
})

/** Removes trailing zeros: sums of decimals in another order can have more of them. */
function numbers(row: Record<string, unknown>): Record<string, unknown> {
  const short = (value: unknown) =>
    typeof value === 'string' && /^-?\d+\.\d+$/.test(value) ? value.replace(/\.?0+$/, '') : value
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, short(value)]))
}
