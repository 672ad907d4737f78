// Accounts, tokens, positions of pools and large trades against SQL, over a recorded chain.
import type { Pool } from 'pg'
import t from 'tap'
import { largeTrades, MARKET_DEALS, POOL_POSITIONS, POOL_SWAPS } from '../../../api/explore/market/sql.ts'
import { MEDIUM_RECORDING } from '../../indexer/replay/medium-recording.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { until } from '../../support/until.ts'

const EXPLORE = '/api/v3/explore'
const HOUR = 3_600_000

// biome-ignore lint/suspicious/noExplicitAny: rows and answers have every shape.
type Row = any

/** Whether a text of 8 significant digits is near a double. */
const near = (text: string | null, value: number | null) =>
  value === null ? text === null : text !== null && Math.abs(Number(text) - value) <= 1e-7 * Math.abs(value) + 1e-15

t.test('a recorded chain', async (t) => {
  const database = await testDatabase(t, { scene: MEDIUM_RECORDING })
  const { pool } = database
  const api = await testApi(t, database)
  const get = async (url: string) => {
    const { status, body } = await api.get(`${EXPLORE}${url}`)
    t.equal(status, 200, url)
    return body
  }
  const sql = async (text: string, values: unknown[] = []): Promise<Row[]> => (await pool.query(text, values)).rows
  const [position] = await sql('select block_num::int4 as head, lib_num::int4 as lib, block_time from meta.position')
  // Prices as of the block; those in SQL are of the last minute.
  const { tokens } = (await api.get('/api/v3/market/tokens')).body
  const prices = new Map<string, { price: number; usd: number | null }>(
    tokens.flatMap(({ id, price, priceUsd }: Row) =>
      price === null ? [] : [[id, { price: Number(price), usd: priceUsd === null ? null : Number(priceUsd) }]],
    ),
  )
  t.ok(prices.size > 4)
  const listed = (await api.get('/api/v2/tokens')).body as Row[]
  const trusted = new Set(listed.filter((one) => one.is_trusted).map(({ id }) => id))
  t.ok(trusted.size > 0 && [...prices.keys()].some((id) => !trusted.has(id)), 'some priced tokens are not trusted')

  t.test('accounts: balances, positions, orders, and their sums', async (t) => {
    const accounts = await sql(
      `(select owner as account from state.positions where liquidity > 0 group by 1 order by count(*) desc limit 4)
       union (select account from state.orders group by 1 order by count(*) desc limit 3)
       union (select account from state.balances where amount > 0 group by 1 order by count(*) desc limit 3)`,
    )
    t.ok(accounts.length > 4)
    let closed = 0
    for (const { account } of accounts) {
      const answer = await get(`/account/${account}`)
      t.match(answer, { block: position.head, account, truncated: false })
      const balances = await sql(
        'select token_id as id, quantity::text, quantity::float8 as amount from head.balances where account = $1 and amount > 0 order by 1',
        [account],
      )
      const byId = [...answer.balances].sort((x, y) => (x.token.id < y.token.id ? -1 : 1))
      t.same(
        byId.map((one) => [one.token.id, one.amount]),
        balances.map(({ id, quantity }) => [id, quantity]),
      )
      for (const [i, { id, amount }] of balances.entries()) {
        const price = prices.get(id)
        t.ok(near(byId[i].value, price === undefined ? null : amount * price.price), `${id} is worth ${byId[i].value}`)
        t.ok(near(byId[i].valueUsd, price?.usd == null ? null : amount * price.usd))
      }
      const known = balances.filter(({ id }) => prices.has(id) && trusted.has(id))
      const sum =
        known.length === 0 && balances.length > 0
          ? null
          : known.reduce((all, { id, amount }) => all + amount * (prices.get(id)?.price ?? 0), 0)
      t.ok(near(answer.totals.balances.value, sum), `${account} holds ${sum}`)
      t.equal(answer.totals.balances.unvalued, balances.length - known.length)

      const positions = await sql(
        'select position_id::text as id from state.positions where owner = $1 and (liquidity > 0 or fees_a > 0 or fees_b > 0)',
        [account],
      )
      t.same(answer.positions.map((one: Row) => one.id).sort(), positions.map(({ id }) => id).sort())
      const v2 = (await api.get(`/api/v2/account/${account}/positions`)).body as Row[]
      for (const one of answer.positions) {
        const other = v2.find(({ id }) => String(id) === one.id)
        // The v2 API lists only positions with liquidity; closed ones here still have fees.
        if (one.liquidity === '0') closed++
        else
          t.match(other, {
            amountA: `${one.amountA} ${one.tokenA.symbol}`,
            amountB: `${one.amountB} ${one.tokenB.symbol}`,
            feesA: `${one.feesA} ${one.tokenA.symbol}`,
            inRange: one.inRange,
          })
        const [a, b] = [prices.get(one.tokenA.id)?.price, prices.get(one.tokenB.id)?.price]
        const whole = (x: string, y: string) => Number(x) + Number(y)
        const value =
          a === undefined || b === undefined
            ? null
            : whole(one.amountA, one.feesA) * a + whole(one.amountB, one.feesB) * b
        t.ok(near(one.value, value), `position ${one.id}`)
      }
      const orders = await sql(
        'select market_id::int4 as market, side, order_id::text as id, bid_amount, bid_decimals, bid_symbol from state.orders where account = $1 order by 1, 2, order_id',
        [account],
      )
      t.same(
        answer.orders.map((one: Row) => [one.market, one.side, one.id, Number(one.offered.amount)]),
        orders.map((one) => [one.market, one.side, one.id, Number(`${one.bid_amount}e-${one.bid_decimals}`)]),
      )
      for (const { side, offered, base, target } of answer.orders)
        t.equal(offered.token, side === 'buy' ? target.id : base.id)
    }
    t.ok(closed > 0, `${closed} positions have only fees`)
    t.match(await get('/account/nobody'), {
      balances: [],
      positions: [],
      orders: [],
      totals: { value: '0', unvalued: 0 },
    })
    t.equal((await api.get(`${EXPLORE}/account/ALICE`)).status, 400)
  })

  t.test('a balance that a reversible block changed is not final', async (t) => {
    const [token] = await sql(
      'select contract, symbol from state.supplies s order by (select count(*) from ledger.transfers t where t.symbol = s.symbol) desc limit 1',
    )
    const id = `${token.symbol.toLowerCase()}-${token.contract}`
    const changed = new Set(
      (
        await sql(
          `select from_account as a from ledger.transfers where contract = $1 and symbol = $2 and block_num > $3
           union select to_account from ledger.transfers where contract = $1 and symbol = $2 and block_num > $3`,
          [token.contract, token.symbol, position.lib],
        )
      ).map(({ a }) => a),
    )
    const { holders } = await get(`/token/${id}/holders?limit=1000`)
    t.ok(holders.length > 3)
    for (const { account, final } of holders) if (changed.has(account)) t.equal(final, false, account)
    t.ok(
      holders.every(
        ({ account, final }: Row) =>
          final || changed.size === 0 || changed.has(account) || position.lib < position.head,
      ),
    )
  })

  t.test('holders: the largest first, page by page', async (t) => {
    const supplies = await sql(
      `select lower(symbol) || '-' || contract as id, contract, symbol, supply::float8 as supply, decimals from state.supplies`,
    )
    t.ok(supplies.length > 2)
    for (const { id, contract, symbol, supply, decimals } of supplies) {
      const stored = await sql(
        'select account, amount::text from state.balances b where contract = $1 and symbol = $2 and amount > 0 order by b.amount desc, account desc',
        [contract, symbol],
      )
      const paged: Row[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Row = await get(`/token/${id}/holders?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
        paged.push(...page.holders)
        cursor = page.next
      }
      t.same(
        paged.map(({ account }) => account),
        stored.map(({ account }) => account),
        id,
      )
      t.same(
        paged.map(({ amount }) => amount.replace('.', '').replace(/^0+(?=\d)/, '')),
        stored.map(({ amount }) => amount),
      )
      for (const one of paged) t.ok(supply === 0 || near(one.share, (Number(one.amount) * 10 ** decimals) / supply))
      const token = await get(`/token/${id.toUpperCase()}`)
      t.same(token.top, paged.slice(0, 10))
      t.ok(near(token.price, prices.get(id)?.price ?? null), `the price of ${id}`)
    }
    t.equal((await api.get(`${EXPLORE}/token/nothing-nowhere`)).status, 404)
    t.equal((await api.get(`${EXPLORE}/token/nothing-nowhere/holders`)).status, 404)
    t.equal((await api.get(`${EXPLORE}/token/x/holders?cursor=1`)).status, 400)
  })

  t.test('the price of a token at the end of each hour', async (t) => {
    await checkHours(t, pool, get, prices, position.block_time.getTime())
  })

  t.test('liquidity of a pool by tick: the sums of its positions', async (t) => {
    const pools = await sql(
      'select pool_id::int4 as id, tick::int4, liquidity::text from state.pools where pool_id in (select p.pool_id from state.positions p where p.liquidity > 0)',
    )
    t.ok(pools.length > 3)
    for (const { id, tick, liquidity } of pools) {
      const answer = await get(`/pool/${id}/liquidity`)
      t.match(answer, { block: position.head, pool: id, tick, liquidity, complete: true })
      const nets = await sql(
        `select tick::int4, sum(net)::text as net from (
           select tick_lower as tick, liquidity as net from state.positions where pool_id = $1
           union all select tick_upper, -liquidity from state.positions where pool_id = $1) e
         group by 1 having sum(net) <> 0 order by 1`,
        [id],
      )
      t.same(
        answer.ticks.filter(({ net }: Row) => net !== '0'),
        nets,
      )
      const inRange = answer.ticks.filter((one: Row) => one.tick <= tick)
      t.equal(`${inRange.reduce((sum: bigint, { net }: Row) => sum + BigInt(net), 0n)}`, liquidity)
    }
    t.equal((await api.get(`${EXPLORE}/pool/99999/liquidity`)).status, 404)
    t.equal((await api.get(`${EXPLORE}/pool/x/liquidity`)).status, 400)
  })

  t.test('positions of a pool, by liquidity and by id', async (t) => {
    const pools = await sql(
      'select pool_id::int4 as id, count(*)::int4 as n from state.positions where liquidity > 0 group by 1 order by 2 desc limit 4',
    )
    t.ok(pools[0].n > 4)
    const orders = { liquidity: 'liquidity desc, position_id desc', id: 'position_id' }
    for (const { id } of pools)
      for (const [order, by] of Object.entries(orders)) {
        const stored = await sql(
          `select position_id::text as id from state.positions where pool_id = $1 and liquidity > 0 order by ${by}`,
          [id],
        )
        const whole = await get(`/pool/${id}/positions?limit=1000&order=${order}`)
        t.match(whole, { pool: id, next: null })
        t.same(
          whole.positions.map((one: Row) => one.id),
          stored.map((row) => row.id),
          order,
        )
        const paged: Row[] = []
        for (let cursor: string | null = ''; cursor !== null; ) {
          const page: Row = await get(
            `/pool/${id}/positions?limit=2&order=${order}${cursor === '' ? '' : `&cursor=${cursor}`}`,
          )
          paged.push(...page.positions)
          cursor = page.next
        }
        t.same(paged, whole.positions)
        if (order === 'liquidity')
          t.same((await get(`/pool/${id}/positions?limit=1000`)).positions, paged, 'the default')
      }
    t.equal((await api.get(`${EXPLORE}/pool/99999/positions`)).status, 404)
    for (const bad of ['x/positions', '0/positions?cursor=id-5', `0/positions?order=id&cursor=id-${'9'.repeat(19)}`])
      t.equal((await api.get(`${EXPLORE}/pool/${bad}`)).status, 400, bad)
    const [byLiquidity, byId] = await plans(pool, Object.values(POOL_POSITIONS), [
      ['wax', 0, 2, '5', '1'],
      ['wax', 0, 2, '5'],
    ])
    t.match(byLiquidity, /Index Scan.*positions__wax_liquidity/)
    t.match(byId, /Index Scan.*positions__wax_p/)
    for (const plan of [byLiquidity, byId]) t.notMatch(plan, '"Sort"', 'a page reads its own rows alone')
  })

  t.test('large trades, newest first, page by page', async (t) => {
    for (const usd of [100, 1000, 10_000]) {
      const stored = await sql(
        `select 'swaps' as dataset, global_seq::text as sequence, block_time from ledger.swaps where usd >= $1
         union all select 'deals', global_seq::text, block_time from ledger.deals where usd >= $1 order by 3 desc, 2 desc`,
        [usd],
      )
      const paged: Row[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Row = await get(`/large-trades?usd=${usd}&limit=50${cursor === '' ? '' : `&cursor=${cursor}`}`)
        paged.push(...page.facts)
        cursor = page.next
      }
      const key = ({ dataset, sequence }: Row) => `${sequence} ${dataset}`
      t.same(paged.map(key).sort(), stored.map(key).sort(), `${stored.length} trades of ${usd} USD`)
      t.ok(paged.every(({ row }) => Number(row.usd) >= usd))
      t.same(
        paged.map(({ time }) => time),
        paged
          .map(({ time }) => time)
          .sort()
          .reverse(),
      )
      if (usd === 100) t.ok(stored.length > 20)
    }
    t.equal((await api.get(`${EXPLORE}/large-trades?usd=7`)).status, 400)
    const [plan] = await plans(pool, [largeTrades(1000)], [['wax', 'infinity', '1', 10]])
    t.match(plan, /swaps__wax_large_1000/)
  })

  t.test('trades of an order-book market with both accounts, newest first', async (t) => {
    const [{ id, trades }] = (await sql(
      `select market_id::int4 as id, count(*)::int4 as trades from ledger.deals group by 1 order by 2 desc limit 1`,
    )) as [Row]
    t.ok(trades > 5, `${trades} trades`)
    const paged: Row[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const size = Math.ceil(trades / 3)
      const page: Row = await get(`/market/${id}/trades?limit=${size}${cursor === '' ? '' : `&cursor=${cursor}`}`)
      t.match(page, { block: position.head, market: id })
      paged.push(...page.facts)
      cursor = page.next
    }
    const stored = await sql(
      `select global_seq::text as sequence, encode(trx_id, 'hex') as transaction, bidder, asker, type, block_num <= $2 as final,
         unit_price::text as price from ledger.deals where market_id = $1 order by global_seq desc`,
      [id, position.lib],
    )
    t.same(
      paged.map(({ sequence, transaction, final, row }) => ({
        sequence,
        transaction,
        bidder: row.bidder,
        asker: row.asker,
        type: row.type,
        final,
        price: row.unit_price,
      })),
      stored,
    )
    for (const [url, status] of [
      ['/market/x/trades', 400],
      ['/market/2147483648/trades', 400],
      ['/market/999999/trades', 404],
    ])
      t.equal((await api.get(`${EXPLORE}${url}`)).status, status, url as string)
    const [plan] = await plans(pool, [MARKET_DEALS], [['wax', id, 'infinity', '1', 10]])
    t.match(plan, /deals__wax_pkey.*market_id = .*ROW\(/)
  })

  t.test('swaps of a pool, newest first, page by page, with exact amounts', async (t) => {
    const [{ id }] = await sql('select pool_id::int4 as id from ledger.swaps group by 1 order by count(*) desc limit 1')
    const paged: Row[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Row = await get(`/pool/${id}/trades?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
      t.equal(page.pool, id)
      paged.push(...page.facts)
      cursor = page.next
    }
    const stored = await sql(
      `select global_seq::text as sequence, encode(trx_id, 'hex') as transaction, sender, amount_a::text, amount_b::text,
         decimals_a::int4 as places from ledger.swaps where pool_id = $1 order by global_seq desc`,
      [id],
    )
    t.ok(stored.length > 6)
    t.same(
      paged.map(({ sequence, transaction, row }) => [sequence, transaction, row.sender, row.amount_a, row.amount_b]),
      stored.map(({ sequence, transaction, sender, amount_a, amount_b }) => [
        ...[sequence, transaction, sender, amount_a, amount_b],
      ]),
    )
    for (const [i, { row }] of paged.entries()) {
      t.equal(row.quantity_a.replace('.', '').replace(/^(-?)0+/, '$1'), stored[i].amount_a, 'no digit is lost')
      t.equal(row.quantity_a.split('.')[1]?.length ?? 0, stored[i].places)
    }
    for (const [url, status] of [
      ['/pool/x/trades', 400],
      ['/pool/999999/trades', 404],
    ])
      t.equal((await api.get(`${EXPLORE}${url}`)).status, status, url as string)
    const [plan] = await plans(pool, [POOL_SWAPS], [['wax', id, 'infinity', '1', 10]])
    t.match(plan, /swaps__wax_pkey.*pool_id = .*ROW\(/)
  })

  t.test('what the balances of an account were worth at the end of each hour', async (t) => {
    const [kept] = await sql(
      `select count(*)::int4 as rows, count(*) filter (where h.amount is distinct from b.amount)::int4 as wrong
       from state.balances b left join lateral (select amount from state.balance_hours h
         where (h.account, h.contract, h.symbol) = (b.account, b.contract, b.symbol) order by hour desc limit 1) h on true`,
    )
    t.ok(kept.rows > 20)
    t.equal(kept.wrong, 0, 'the newest row of each is the balance')
    // The recording is shorter than an hour. Its balances become those of two hours before, and these hours get prices.
    const [priced, unpriced] = [[...trusted].slice(1), [...trusted].slice(0, 1)]
    await sql(`update state.balance_hours set hour = hour - interval '2 hours'`)
    await sql(
      `insert into ledger.hour_snapshots (chain, hour, block_num, block_time, pools_without_usd, orders_without_usd, pools, markets)
       select chain, date_trunc('hour', block_time) - n * interval '1 hour', block_num, block_time, 0, 0, 0, 0
       from meta.position, generate_series(1, 2) n`,
    )
    await sql(
      `insert into ledger.price_hours (chain, hour, token_id, block_num, block_time, system_price, usd_price)
       select s.chain, s.hour, token, s.block_num, s.block_time, 0.25 * i, case when s.hour = (select max(hour) from ledger.hour_snapshots) then 3 * i end
       from ledger.hour_snapshots s, unnest($1::text[]) with ordinality u(token, i)`,
      [priced],
    )
    const accounts = await sql(
      `select account, array_agg(token_id) as ids, array_agg(quantity::float8) as amounts from head.balances
       where amount > 0 and token_id = any($1) group by 1 order by count(*) desc, 1 limit 4`,
      [[...trusted]],
    )
    t.ok(accounts.length > 2)
    for (const { account, ids, amounts } of accounts) {
      const { hours, next } = await get(`/account/${account}/value`)
      t.equal(next, null)
      t.equal(hours.length, 2)
      const unvalued = ids.filter((id: string) => unpriced.includes(id)).length
      const sum = amounts.reduce(
        (all: number, amount: number, i: number) => all + amount * (priced.indexOf(ids[i]) + 1),
        0,
      )
      const value = unvalued === ids.length ? null : sum
      for (const hour of hours) {
        t.equal(hour.unvalued, unvalued)
        t.ok(near(hour.value, value === null ? null : value / 4), `${account}: ${hour.value}`)
      }
      t.equal(hours[0].valueUsd, null, 'not 0')
      t.ok(near(hours[1].valueUsd, value === null ? null : value * 3), `${account}: ${hours[1].valueUsd}`)
    }
    t.match((await get('/account/nobody/value')).hours, [{ value: '0', unvalued: 0 }, { value: '0' }])
    t.equal((await get(`/account/${accounts[0].account}/value?limit=1`)).hours.length, 1)
    t.equal((await api.get(`${EXPLORE}/account/NOBODY/value`)).status, 400)
    await sql('update meta.position set first_block = 5, state_block = null')
    t.match(
      (await get(`/account/${accounts[0].account}/value`)).hours,
      [{ value: null }, { value: null }],
      'not indexed',
    )
    await sql('update meta.position set first_block = 2')
  })

  t.test(
    'a start in the middle of the chain without its full state: answers say that they are incomplete',
    async (t) => {
      const [{ account, id }] = await sql('select account, token_id as id from head.balances where amount > 0 limit 1')
      const urls = [
        ...[`/account/${account}`, `/token/${id}`, `/token/${id}/holders`],
        '/pool/1/liquidity',
        // The second page is empty.
        ...['/pool/1/positions', '/pool/1/positions?order=id&cursor=id-9000000000000000000'],
      ]
      const isComplete = async (expected: boolean, when: string) => {
        // Another block, so that no cached answer is taken.
        await sql('update meta.position set updated_at = clock_timestamp()')
        t.same(
          await Promise.all(urls.map(async (url) => (await get(url)).complete)),
          Array(urls.length).fill(expected),
          when,
        )
        // A count of holders that took long is kept for some time.
        const url = `${EXPLORE}/token/${id}/distribution`
        await until(`the distribution, ${when}`, async () => (await api.get(url)).body.complete === expected)
      }
      await isComplete(true, 'from the start of the chain')
      await sql('update meta.position set first_block = 5, state_block = 4')
      await isComplete(true, 'with its full state')
      await sql('update meta.position set state_block = null')
      await isComplete(false, 'without it')
      await sql('update meta.position set first_block = 2')
    },
  )

  // Last: it changes the chain.
  t.test('positions while blocks move the price, add positions and close some: each one once', async (t) => {
    const [{ id }] = await sql(
      'select pool_id::int4 as id from state.positions where liquidity > 0 group by 1 order by count(*) desc limit 1',
    )
    const open = async () =>
      (await sql('select position_id::text as id from state.positions where pool_id = $1 and liquidity > 0', [id])).map(
        (row): string => row.id,
      )
    const ids = await open()
    const seen = { liquidity: [] as string[], id: [] as string[] }
    const values = new Set<string>()
    for (const order of ['liquidity', 'id'] as const)
      for (let cursor: string | null = '', page = 1; cursor !== null; page++) {
        const answer: Row = await get(
          `/pool/${id}/positions?limit=2&order=${order}${cursor === '' ? '' : `&cursor=${cursor}`}`,
        )
        seen[order].push(...answer.positions.map((one: Row) => one.id))
        const whole: Row = await get(`/pool/${id}/positions?limit=1000`)
        values.add(JSON.stringify(whole.positions.map((one: Row) => ids.includes(one.id) && one.amountA)))
        cursor = answer.next
        // A block: the price falls by a few percent, one position opens and the smallest of the new ones closes.
        await sql(
          `update state.pools set sqrt_price_x64 = div(sqrt_price_x64 * 98, 100), tick = tick - 404 where pool_id = $1`,
          [id],
        )
        await sql(
          `insert into state.positions select (jsonb_populate_record(p, jsonb_build_object('position_id', 1000000 + $2::int8, 'liquidity', p.liquidity + $3::int8))).*
           from state.positions p where pool_id = $1 order by position_id limit 1`,
          [id, page + (order === 'id' ? 100 : 0), page % 2 === 0 ? 10 ** 12 : -1],
        )
        await sql('delete from state.positions where position_id = 1000001')
        await sql(
          `update meta.position set block_num = block_num + 1, head_num = head_num + 1, block_id = encode(sha256(block_id::bytea), 'hex')`,
        )
        await api.catchUp()
      }
    t.ok(values.size > 2, 'the price moves the amounts')
    for (const [order, found] of Object.entries(seen)) {
      t.equal(new Set(found).size, found.length, `${order}: none twice`)
      t.same(
        ids.filter((one) => !found.includes(one)),
        [],
        `${order}: none is lost`,
      )
    }
    t.ok(
      (await open())
        .filter((one) => !ids.includes(one))
        .every((one) => seen.id.includes(one) || Number(one) > 1_000_100),
      'by id, positions that open meanwhile come too',
    )
  })
})

/** Plans of statements. The planner prefers to sort the few rows of a test, so it may not. */
async function plans(pool: Pool, texts: readonly string[], values: readonly unknown[][]): Promise<string[]> {
  const client = await pool.connect()
  try {
    await client.query('set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off')
    const found: string[] = []
    for (const [i, text] of texts.entries())
      found.push(JSON.stringify((await client.query(`explain (format json) ${text}`, values[i] as unknown[])).rows))
    return found
  } finally {
    client.release()
  }
}

/** Prices by hour against the last swaps of the hours, as SQL multiplies them. */
async function checkHours(
  t: Pick<import('tap').Test, 'ok' | 'equal'>,
  pool: Pool,
  get: (url: string) => Promise<Row>,
  prices: ReadonlyMap<string, { price: number }>,
  now: number,
): Promise<void> {
  let seen = 0
  for (const [id, { price }] of prices) {
    const { hours, path, next } = await get(`/token/${id}/prices?limit=1000`)
    t.equal(next, null)
    const last = hours.at(-1)
    t.equal(last.over, false)
    t.ok(near(last.price, price), `${id}: the newest price is that of the market`)
    t.equal(Date.parse(last.time), Math.floor(now / HOUR) * HOUR)
    for (const { time, price: text } of hours.slice(-30)) {
      const { rows } = await pool.query(
        `select coalesce(s.sqrt_price_x64, c.sqrt_price_x64) as root, p.symbol_a, p.contract_a, p.decimals_a, p.symbol_b, p.contract_b, p.decimals_b
         from unnest($1::int8[]) with ordinality u(id, place) join state.pools p on p.pool_id = u.id
         left join lateral (select sqrt_price_x64 from ledger.swaps w where w.pool_id = u.id and block_time < $2 order by global_seq desc limit 1) s on true
         left join lateral (select sqrt_price_x64 from ledger.pool_creations w where w.pool_id = u.id and block_time < $2) c on true order by u.place`,
        [path, new Date(Date.parse(time) + HOUR)],
      )
      let at = id
      let expected: number | null = 1
      for (const row of rows) {
        const [a, b] = [
          `${row.symbol_a.toLowerCase()}-${row.contract_a}`,
          `${row.symbol_b.toLowerCase()}-${row.contract_b}`,
        ]
        const ofA =
          row.root === null ? null : (Number(row.root) / 2 ** 64) ** 2 * 10 ** (row.decimals_a - row.decimals_b)
        expected = expected === null || ofA === null ? null : at === a ? expected * ofA : expected / ofA
        at = at === a ? b : a
        seen++
      }
      t.ok(near(text, expected), `${id} at ${time}: ${text}, not ${expected}`)
    }
  }
  t.ok(seen > 10, `${seen} prices of pools`)
  const { hours } = await get(`/token/${[...prices.keys()].at(-1)}/prices?limit=2`)
  t.equal(hours.length, 2)
}
