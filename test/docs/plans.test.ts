// Plans of the worked queries over many rows, without planner switches: a query for a transaction, an account, a pool,
// a key or a time range scans no large ledger table, and estimates of joins are close.
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import t from 'tap'
import { writePlanHistory } from '../../bench/plans/history.ts'
import { FIRST_SINCE } from '../../indexer/lake/sql.ts'
import { testDatabase } from '../support/database.ts'
import { workedQueries } from './sql-page.ts'

const isLong = process.env.HEADWATER_TEST_LONG !== undefined
/** Number of swaps, and of transfers, on the larger chain. */
const SWAPS = isLong ? 10_000_000 : 40_000
/** Smaller tables may be scanned completely. */
const LARGE = isLong ? 100_000 : 20_000
/** Estimates of joins with fewer rows are not checked. */
const MANY = 100
const MAX_TIMES = 10

/** Some hours after the start time in the worked queries. */
const HISTORY_END = Date.parse('2026-03-08T12:00:00Z')

interface PlanNode {
  'Node Type': string
  Schema?: string
  'Relation Name'?: string
  'Plan Rows': number
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** A query with one of these conditions must not scan a large table. */
const NAMES =
  /\b(trx_id|pool_id|market_id|account|sender|owner|bidder|id|nonce) = (?!\w*\.(pool_id|market_id|account))|block_(time|num) >=?|\) > \(/

/** Joins over whole tables, as data teams write them. Each is run in `head` and `final`. */
const JOINS: Record<string, string> = {
  'positions with their events and the prices of both tokens': `
    select s.position_id, e.type, e.quantity_a * a.usd_price + e.quantity_b * b.usd_price as usd
    from $side.positions s
    join $side.position_events e on e.chain = s.chain and e.position_id = s.position_id
    left join $side.token_prices a on a.chain = s.chain and a.token_id = s.token_a
    left join $side.token_prices b on b.chain = s.chain and b.token_id = s.token_b
    where s.chain = 'wax'`,
  'events of positions with their pools and prices': `
    select e.global_seq, e.quantity_a * a.usd_price as usd
    from $side.position_events e
    join $side.pools p on p.chain = e.chain and p.pool_id = e.pool_id
    join $side.token_prices a on a.chain = p.chain and a.token_id = p.token_a
    where e.chain = 'wax'`,
  'swaps with their pools and prices': `
    select s.global_seq, s.quantity_b * b.usd_price as usd
    from $side.swaps s
    join $side.pools p on p.chain = s.chain and p.pool_id = s.pool_id
    join $side.token_prices b on b.chain = s.chain and b.token_id = p.token_b
    where s.chain = 'wax'`,
  'transfers with tokens and prices': `
    select t.global_seq, t.quantity * p.usd_price as usd
    from $side.transfers t join $side.token_prices p on p.chain = t.chain and p.token_id = t.token_id
    where t.chain = 'wax'`,
  'orders with their markets and prices': `
    select o.order_id, o.quantity_bid * p.usd_price as usd
    from $side.orders o
    join $side.markets m on m.chain = o.chain and m.market_id = o.market_id
    left join $side.token_prices p on p.chain = m.chain and p.token_id = case o.side when 'buy' then m.target else m.base end
    where o.chain = 'wax'`,
  'ticks of pools of a token': `
    select t.tick from $side.ticks t join $side.pools p on p.chain = t.chain and p.pool_id = t.pool_id
    where t.chain = 'wax' and p.token_b = 'wax-eosio.token'`,
}

if (isLong) t.setTimeout(7_200_000)

t.test('plans over many rows', async (t) => {
  const { url } = await testDatabase(t)
  const [pools, markets, tokens] = isLong ? [6300, 1600, 4200] : [300, 75, 200]
  const wax = { chain: 'wax', systemToken: { symbol: 'WAX', decimals: 8 }, swaps: SWAPS, pools, markets, tokens }
  const telos = { chain: 'telos', systemToken: { symbol: 'TLOS', decimals: 4 }, swaps: SWAPS / 10, pools: pools / 10 }
  const seconds = await writePlanHistory(url, wax, HISTORY_END)
  await writePlanHistory(url, { ...telos, markets: Math.ceil(markets / 10), tokens: 60 }, HISTORY_END)
  t.comment(`${SWAPS} swaps: indexes in ${seconds.toFixed(1)} s`)
  const reader = new pg.Client({
    connectionString: url,
    options: '-c role=headwater_reader -c timezone=UTC -c jit=off',
  })
  await reader.connect()
  t.teardown(() => reader.end())
  const plan = async (sql: string, options = ''): Promise<PlanNode[]> => {
    const { rows } = await reader.query(`explain (format json, verbose${options}) ${sql}`)
    return nodes(rows[0]['QUERY PLAN'][0].Plan)
  }
  const rowsOf = new Map<string, number>(
    (
      await reader.query(`select relname, reltuples from pg_class where relnamespace::regnamespace::text = 'ledger'`)
    ).rows.map(({ relname, reltuples }) => [relname, Number(reltuples)]),
  )
  const readWhole = (found: PlanNode[]): string[] =>
    found
      .filter((node) => node['Node Type'].endsWith('Seq Scan') && node.Schema === 'ledger')
      .map((node) => node['Relation Name'] as string)
      .filter((name) => (rowsOf.get(name) ?? 0) >= LARGE)

  t.test('queries for few rows read no ledger table whole', async (t) => {
    const page = workedQueries(await readFile(new URL('../../docs/data/sql.md', import.meta.url), 'utf8'))
    const named = page.flatMap(({ title, sql }) =>
      statements(sql)
        .filter((statement) => NAMES.test(statement))
        .map((statement) => [title, statement] as const),
    )
    for (const [title, statement] of named) t.same(readWhole(await plan(statement)), [], title)
    t.ok(named.length >= 12, `${named.length} queries`)
    const swap = (await reader.query(`select trx_id from final.swaps where chain = 'wax' order by global_seq limit 1`))
      .rows[0]
    for (const view of ['swaps', 'transfers', 'position_events', 'deals', 'order_events'])
      for (const where of [
        `trx_id = '${swap.trx_id}'`,
        `block_time > '2026-03-08T11:00:00Z'`,
        `block_time between '2026-03-07' and '2026-03-07T02:00:00Z'`,
      ])
        for (const side of ['head', 'final']) {
          const sql = `select * from ${side}.${view} where chain = 'wax' and ${where}`
          t.same(readWhole(await plan(sql)), [], sql)
        }
  })

  t.test('a step of the lake reads the blocks of the step, and none after it', async (t) => {
    const from = `select min(block_num)::int4 as num, count(*)::int4 as count, min(block_time) as time from final.blocks where chain = 'wax'`
    const { num, count, time } = (await reader.query(from)).rows[0]
    const day = new Date(time.getTime() + 60 * 60_000).toISOString()
    const values = [`'wax'`, num, `'${day}'`]
    const sql = FIRST_SINCE.replace(/\$(\d)/g, (_, index) => `${values[Number(index) - 1]}`)
    t.same((await reader.query(sql)).rows, [{ num: num + 60 }])
    const read = (await plan(sql, ', analyze, timing off'))
      .filter((node) => /^blocks/.test(node['Relation Name'] ?? ''))
      .map((node) => (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0))
    t.ok(count > 1000, `${count} blocks`)
    t.ok(read.length > 0 && Math.max(...read) <= 61, `${read} rows`)
  })

  t.test('joins return about as many rows as estimated', async (t) => {
    for (const side of ['head', 'final'])
      for (const [what, sql] of Object.entries(JOINS)) {
        const found = await plan(sql.replaceAll('$side', side), ', analyze, timing off')
        const [root] = found as [PlanNode]
        t.ok((root['Actual Rows'] ?? 0) > 0, `${side}: ${what} has rows`)
        for (const node of [root, ...found.filter((one) => /Join|Nested Loop/.test(one['Node Type']))]) {
          const [estimated, actual] = [node['Plan Rows'], node['Actual Rows'] ?? 0]
          if ((node['Actual Loops'] ?? 0) === 0 || Math.max(estimated, actual) < MANY) continue
          const times = Math.max(estimated, actual) / Math.max(1, Math.min(estimated, actual))
          if (times > MAX_TIMES) t.fail(`${side}: ${what}: ${node['Node Type']} ${estimated} for ${actual}`)
        }
      }
  })
})

/** A node of a plan and all nodes below it. */
function nodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodes)]
}

/** The statements of a text that can be explained. */
function statements(sql: string): string[] {
  return sql
    .split(';')
    .map((one) => one.trim())
    .filter((one) => /^(select|with|declare)\b/.test(one))
}
