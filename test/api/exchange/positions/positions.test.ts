// Open positions over HTTP, compared with the real contract's payout right afterwards and with the raw rows.
import type { Pool as Database } from 'pg'
import t from 'tap'
import { ReplaySource } from '../../../../indexer/source/replay.ts'
import { indexExchange } from '../../../indexer/replay/index-recording.ts'
import { testApi } from '../../../support/api.ts'
import { testDatabase } from '../../../support/database.ts'
import { VALUATION } from '../../../support/valuation.ts'
import { bruteForcePrices } from '../brute-force-prices.ts'

const path = new URL('../../../fixtures/recordings/medium.ship.gz', import.meta.url).pathname
const Q64 = 1n << 64n
const Q128 = 1n << 128n

// biome-ignore lint/suspicious/noExplicitAny: parsed JSON
type Position = any

/** Raw units of an asset string. */
const raw = (asset: string) =>
  asset
    .split(' ')[0]!
    .replace('.', '')
    .replace(/^0+(?=\d)/, '')
const decimals = (asset: string) => asset.split(' ')[0]!.split('.')[1]?.length ?? 0

t.test('open positions', async (t) => {
  const database = await testDatabase(t)
  const whole = await testDatabase(t)
  await indexExchange(whole.url, 'wax', new ReplaySource(path))
  const { rows: collects } = await whole.pool.query(
    `select c.* from ledger.position_events c where c.type = 'collect' and (c.amount_a > 0 or c.amount_b > 0) and c.block_num > 150
       and not exists (select from ledger.swaps s where s.block_num = c.block_num and s.pool_id = c.pool_id)
       and (select count(*) filter (where type = 'collect') = 1 and count(*) filter (where type not in ('burn', 'collect')) = 0
         from ledger.position_events o where o.block_num = c.block_num and o.position_id = c.position_id)
     order by c.block_num`,
  )

  await t.test('POS-09 open fees equal the amounts that the contract pays in the next block', async (t) => {
    await indexExchange(database.url, 'wax', new ReplaySource(path), 100, VALUATION)
    await database.pool.query(`select meta.build_indexes('wax')`)
    const api = await testApi(t, database)
    let compared = 0
    for (const collect of collects.filter((_, place) => place % 4 === 0).slice(0, 8)) {
      await indexExchange(database.url, 'wax', new ReplaySource(path), Number(collect.block_num) - 1, VALUATION)
      await api.catchUp()
      const { body } = await api.get(`/api/v2/swap/pools/${collect.pool_id}/positions`)
      const position = body.find(({ id }: Position) => id === Number(collect.position_id))
      if (position === undefined) continue
      const paid = [collect.amount_a, collect.amount_b]
      t.same([raw(position.feesA), raw(position.feesB)], paid, `position ${position.id} at ${collect.block_num}`)
      compared++
    }
    t.ok(compared >= 3, `${compared} compared`)
  })

  await indexExchange(database.url, 'wax', new ReplaySource(path), undefined, VALUATION)
  await database.pool.query(
    `insert into state.locks (chain, position_id, unlock_time)
       select 'wax', position_id, case when position_id % 2 = 0 then timestamptz '2999-01-01 00:00:00+00' else timestamptz '2001-01-01 00:00:00+00' end
       from state.positions where liquidity > 0 and position_id % 3 <> 0`,
  )
  const api = await testApi(t, database)
  const { rows: pools } = await database.pool.query('select * from state.pools order by pool_id')
  const prices = await bruteForcePrices(database.pool, 'wax', 'wax-eosio.token', { threshold: 100 })
  const byPool = new Map<number, Position[]>()
  for (const { pool_id: id } of pools)
    byPool.set(Number(id), (await api.get(`/api/v2/swap/pools/${id}/positions`)).body)
  const all = [...byPool.values()].flat()

  t.test('POS-01 POS-03 POS-08 every open position as its row says, and no other', async (t) => {
    const { rows } = await database.pool.query(
      `select p.*, l.unlock_time, o.tick as now from state.positions p join state.pools o using (chain, pool_id)
       left join state.locks l using (chain, position_id) where p.liquidity > 0 order by p.pool_id, p.position_id`,
    )
    const { rows: empty } = await database.pool.query(
      'select count(*)::int as n from state.positions where liquidity = 0',
    )
    t.ok(empty[0].n > 0, 'some rows are of closed positions')
    t.equal(all.length, rows.length)
    for (const [place, row] of rows.entries()) {
      const lock = row.unlock_time === null ? null : row.unlock_time.getTime() / 1000
      t.match(all[place], {
        id: Number(row.position_id),
        pool: Number(row.pool_id),
        owner: row.owner,
        tickLower: row.tick_lower,
        tickUpper: row.tick_upper,
        liquidity: row.liquidity,
        feeGrowthInsideALastX64: row.fee_growth_inside_a_last_x64,
        feeGrowthInsideBLastX64: row.fee_growth_inside_b_last_x64,
        inRange: row.tick_lower <= row.now && row.now < row.tick_upper,
        closed: false,
        lockedUntil: lock,
        isLocked: lock !== null && lock > 2e9,
      })
    }
    t.ok(
      all.some(({ isLocked }) => isLocked) &&
        all.some(({ lockedUntil, isLocked }) => lockedUntil !== null && !isLocked),
    )
    t.ok(all.some(({ inRange }) => inRange) && all.some(({ inRange }) => !inRange))
  })

  t.test('POS-02 POS-09 GEN-09 amounts and fees are asset strings, worked out from the raw rows', async (t) => {
    for (const pool of pools) {
      const ticks = await ticksOf(database.pool, pool.pool_id)
      const positions = byPool.get(Number(pool.pool_id)) as Position[]
      for (const position of positions) {
        t.equal(position.amountA, `${position.amountA.split(' ')[0]} ${pool.symbol_a}`)
        t.same([decimals(position.amountA), decimals(position.feesA)], [pool.decimals_a, pool.decimals_a])
        t.same([decimals(position.amountB), decimals(position.feesB)], [pool.decimals_b, pool.decimals_b])
        const { rows } = await database.pool.query('select * from state.positions where position_id = $1', [
          position.id,
        ])
        for (const side of ['a', 'b'] as const) {
          const owed = owedFees(pool, rows[0], ticks, side)
          t.equal(raw(side === 'a' ? position.feesA : position.feesB), owed.toString(), `fees of ${position.id}`)
        }
        const [low, high] = [1.0001 ** (position.tickLower / 2), 1.0001 ** (position.tickUpper / 2)]
        const now = Math.min(Math.max(Number(pool.sqrt_price_x64) / 2 ** 64, low), high)
        const liquidity = Number(position.liquidity)
        const amounts = [liquidity * (1 / now - 1 / high), liquidity * (now - low)]
        for (const [place, text] of [position.amountA, position.amountB].entries()) {
          const difference = Math.abs(Number(raw(text)) - amounts[place]!)
          t.ok(
            difference <= 2 + 1e-6 * amounts[place]!,
            `amount ${place} of ${position.id}: ${text}, about ${amounts[place]}`,
          )
        }
      }
    }
  })

  t.test('POS-04 POS-06 values are the tokens and fees at current prices', async (t) => {
    for (const position of all) {
      const value = (asset: string, contract: string) =>
        Number(asset.split(' ')[0]) * (prices.get(`${asset.split(' ')[1]!.toLowerCase()}-${contract}`)?.price ?? 0)
      const pool = pools.find(({ pool_id: id }) => Number(id) === position.pool)
      const fees = value(position.feesA, pool.contract_a) + value(position.feesB, pool.contract_b)
      const tokens = value(position.amountA, pool.contract_a) + value(position.amountB, pool.contract_b)
      t.ok(Math.abs(position.totalFeesUSD - fees) < 1e-6 + 1e-9 * fees, `fees of ${position.id}`)
      t.ok(Math.abs(position.totalValue - fees - tokens) < 1e-6 + 1e-9 * tokens, `value of ${position.id}`)
      t.ok(Math.abs(position.pNl - position.collectedFees.inUSD - position.totalFeesUSD) < 1e-6, 'fees alone')
    }
    t.ok(all.some(({ totalValue }) => totalValue > 0))
  })

  t.test(
    'POS-05 POS-07 deposits and collected fees are sums of the logged events, at their values of that time',
    async (t) => {
      // If the value is unknown, the token with a price counts.
      const worth = (row: Record<string, string | null>, side: 'a' | 'b') =>
        (Number(row[`amount_${side}`] ?? 0) / 10 ** Number(row[`decimals_${side}`])) *
        Number(row[`usd_price_${side}`] ?? 0)
      const sum = (rows: Record<string, string | null>[]) =>
        rows.reduce((total, row) => total + Number(row.usd ?? worth(row, 'a') + worth(row, 'b')), 0)
      for (const { id, depositedUSDTotal, collectedFees } of all) {
        const { rows } = await database.pool.query(
          'select * from ledger.position_events where position_id = $1 order by global_seq',
          [id],
        )
        const of = (type: string) => rows.filter((row) => row.type === type)
        const deposited = sum(of('mint')) - sum(of('burn'))
        t.ok(Math.abs(depositedUSDTotal - deposited) < 1e-6, `deposits of ${id}`)
        const collected = of('collect')
        const tokens = (side: 'a' | 'b') =>
          collected.reduce((total, row) => total + Number(row[`amount_${side}`]) / 10 ** row[`decimals_${side}`], 0)
        t.ok(Math.abs(collectedFees.tokenA - tokens('a')) < 1e-7 + 1e-12 * tokens('a'))
        t.ok(Math.abs(collectedFees.tokenB - tokens('b')) < 1e-7 + 1e-12 * tokens('b'))
        t.ok(Math.abs(collectedFees.inUSD - sum(collected)) < 1e-6)
        t.equal(collectedFees.lastCollectTime, collected.at(-1)?.block_time.toISOString() ?? null)
      }
      t.ok(all.some(({ collectedFees }) => collectedFees.lastCollectTime !== null))
      t.ok(all.some(({ collectedFees }) => collectedFees.lastCollectTime === null))
      t.ok(all.some(({ depositedUSDTotal }) => depositedUSDTotal > 0))
    },
  )

  t.test('POS-07 deposits of a position that was merged into another one count for that one', async (t) => {
    // Three concurrent requests: the second uses the first one's read, the third uses the second one's.
    const [first, second, third] = all.filter(({ depositedUSDTotal }) => depositedUSDTotal > 0)
    const join = (from: Position, to: Position, place: number) =>
      database.pool.query(
        `insert into ledger.position_events (chain, pool_id, block_time, global_seq, block_num, trx_id, type, position_id, owner,
           recipient, tick_lower, tick_upper, liquidity, to_position_id, to_liquidity, merged)
         select chain, pool_id, block_time, $3, block_num, trx_id, 'transfer', $1, owner, 'bob', tick_lower, tick_upper, liquidity, $2,
           liquidity, true from ledger.position_events where position_id = $1 limit 1`,
        [from.id, to.id, 4e15 + place],
      )
    await join(first, second, 1)
    await join(second, third, 2)
    const depositOf = async ({ id, pool }: Position) =>
      (await api.get(`/api/v2/swap/pools/${pool}/positions`)).body.find((one: Position) => one.id === id)
        .depositedUSDTotal as number
    const [a, b, c] = [first, second, third].map(({ depositedUSDTotal }) => depositedUSDTotal)
    t.equal(await depositOf(first), a)
    t.ok(Math.abs((await depositOf(second)) - a - b) < 1e-6)
    t.ok(Math.abs((await depositOf(third)) - a - b - c) < 1e-6)
    await database.pool.query('delete from ledger.position_events where global_seq > 4e15')
  })

  t.test('ACC-06 positions of an account equal the lists of its pools', async (t) => {
    for (const owner of new Set(all.map((position) => position.owner))) {
      const { body } = await api.get(`/api/v2/account/${owner}/positions`)
      const own = all.filter((position) => position.owner === owner).sort((x, y) => x.id - y.id)
      t.same(body, own, owner)
    }
  })

  t.test('POS-10 ACC-10 ACC-11 an unknown pool or account has none', async (t) => {
    t.same((await api.get('/api/v2/swap/pools/424242/positions')).body, [])
    t.same((await api.get('/api/v2/account/nobody.here/positions')).body, [])
    t.equal((await api.get('/api/v2/swap/pools/abc/positions')).status, 400)
    t.ok((await api.get('/api/v2/account/NOT%20A%20NAME/positions')).status < 500)
  })
})

/** Fee growth outside of each tick. */
async function ticksOf(database: Database, pool: string): Promise<Map<number, { a: bigint; b: bigint }>> {
  const { rows } = await database.query('select * from state.ticks where pool_id = $1', [pool])
  return new Map(
    rows.map((row) => [row.tick, { a: BigInt(row.fee_growth_outside_a_x64), b: BigInt(row.fee_growth_outside_b_x64) }]),
  )
}

/** Owed fees by the definition of fee growth: global growth minus the growth below and above the range. */
function owedFees(
  pool: Record<string, string | number>,
  row: Record<string, string>,
  ticks: Map<number, { a: bigint; b: bigint }>,
  side: 'a' | 'b',
): bigint {
  const global = BigInt(pool[`fee_growth_global_${side}_x64`] as string)
  const outside = (tick: unknown) => ticks.get(Number(tick))?.[side] ?? 0n
  const lower = outside(row.tick_lower)
  const upper = outside(row.tick_upper)
  const below = Number(pool.tick) >= Number(row.tick_lower) ? lower : global - lower
  const above = Number(pool.tick) < Number(row.tick_upper) ? upper : global - upper
  const earned = global - below - above - BigInt(row[`fee_growth_inside_${side}_last_x64`] as string)
  const wrapped = ((earned % Q128) + Q128) % Q128
  return BigInt(row[`fees_${side}`] as string) + (wrapped * BigInt(row.liquidity as string)) / Q64
}
