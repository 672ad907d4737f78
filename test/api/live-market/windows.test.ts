// Windows of 24 hours, 7, 30 and 90 days move over months of trades. After every step, sums, extremes and reference prices
// equal those computed from the ledger's rows.
import type pg from 'pg'
import t from 'tap'
import { SILENT } from '../../../api/http/log.ts'
import { LiveMarket } from '../../../api/live-market/live-market.ts'
import type { Series } from '../../../api/live-market/model.ts'
import { testChain } from '../../support/api.ts'
import { keepBeforeImages } from '../../support/before-image.ts'
import { testDatabase } from '../../support/database.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

const DAY = 86_400_000
const START = Date.parse('2026-01-01T00:00:00.000Z')
const POOLS = [1, 2, 3]

const id = (block: number) => block.toString(16).padStart(8, '0') + 'ab'.repeat(28)

/** A chain of blocks hours apart, with random swaps and deals, written as the indexer writes them. */
class Months {
  private readonly pool: pg.Pool
  private readonly random: Random
  private block = 100
  /** Fee rates of the market, each with its first block. */
  private readonly rates: { block: number; fee: number }[] = []
  time = START
  private sequence = 1000

  constructor(pool: pg.Pool, random: Random) {
    this.pool = pool
    this.random = random
  }

  async begin(): Promise<void> {
    await this.pool.query(`select meta.add_chain('wax')`)
    await this.pool.query(
      `insert into meta.position (chain, first_block, block_num, block_id, block_time, lib_num, head_num, writer, indexed)
       values ('wax', 100, 100, $1, $2, 100, 100, gen_random_uuid(), true)`,
      [id(100), new Date(this.time)],
    )
    await this.header()
    for (const pool of POOLS)
      await this.pool.query(
        `insert into state.pools values ('wax', $1, true, 'eosio.token', 'WAX', 8, 100000000000, 'usdt.svc', 'USDT', 4, 1000000,
           3000, 0, 60, 1000, 18446744073709551616, 0, now(), 1, 1, 0, 0, 0, 0, 1000000)`,
        [pool],
      )
    await this.pool.query(
      `insert into state.markets values ('wax', 7, 'eosio.token', 'WAX', 8, 'usdt.svc', 'USDT', 4, 1, 4, 1, 8, false, 20)`,
    )
  }

  private header() {
    return this.pool.query(
      `insert into ledger.blocks values ('wax', $1, decode($2, 'hex'), decode($3, 'hex'), $4, 'prod')`,
      [this.block, id(this.block), id(this.block - 1), new Date(this.time)],
    )
  }

  /** Adds blocks, at most `most` hours apart, and sets the position to the last one. */
  async grow(blocks: number, most: number): Promise<void> {
    for (let i = 0; i < blocks; i++) {
      this.block++
      this.time += Math.ceil((this.random.next() * most * 3_600_000) / 500) * 500
      await this.header()
      if (this.random.next() < 0.05) await this.changeRate()
      for (let trades = Math.floor(this.random.next() * 4); trades > 0; trades--) await this.trade()
    }
    await this.pool.query(
      `update meta.position set block_num = $1, block_id = $2, block_time = $3, lib_num = $4, head_num = $1`,
      [this.block, id(this.block), new Date(this.time), this.block - 3],
    )
  }

  /** Before the first known rate, the first one applies. */
  rateAt(block: number): number {
    const rate = this.rates.findLast((one) => one.block <= block) ?? this.rates[0]
    return rate === undefined ? 20 : rate.fee
  }

  get rateChanges(): number {
    return this.rates.length
  }

  private async changeRate(): Promise<void> {
    const fee = Math.floor(this.random.next() * 5) * 10
    // The first one is the rate at which the market was opened.
    this.rates.push({ block: this.block, fee: this.rates.length === 0 ? 20 : fee })
    await keepBeforeImages(this.pool, 'markets', this.block)
    await this.pool.query(`update state.markets set fee = $1`, [this.rateAt(this.block)])
    await this.pool.query(
      `insert into ledger.market_fees select 'wax', 7, $1, $2, $3, 'eosio.token', 'WAX', 8, 'usdt.svc', 'USDT', 4`,
      [this.block, new Date(this.time), this.rateAt(this.block)],
    )
  }

  private async trade(): Promise<void> {
    const at = new Date(this.time)
    const pool = POOLS[Math.floor(this.random.next() * POOLS.length)] as number
    const amount = Math.ceil(this.random.next() * 1e12)
    const price = 10n ** 18n + BigInt(Math.floor(this.random.next() * 1e17))
    const usd = (this.random.next() * 1000).toFixed(8)
    const sequence = this.sequence++
    const isSpot = this.random.next() < 0.3
    if (isSpot)
      await this.pool.query(
        `insert into ledger.deals values ('wax', 7, $1, $2, $3, '\\x00', 'buymatch', 'alice', 'bob', $4, 5, 8, 4, $5, null, null, null, null, $6)`,
        [at, sequence, this.block, amount, price, usd],
      )
    else
      await this.pool.query(
        `insert into ledger.swaps values ('wax', $1, $2, $3, $4, '\\x00', 'alice', 'bob', $5, -5, 8, 4, $6, 1, 0, 1, 1, $7)`,
        [pool, at, sequence, this.block, amount, price, this.random.next() < 0.1 ? null : usd],
      )
    await this.pool.query(
      `select meta.refresh_candles('wax', array[$1], array[$2::int8], array[date_trunc('minute', $3::timestamptz)], null)`,
      [isSpot ? 'spot' : 'amm', isSpot ? 7 : pool, at],
    )
  }
}

const WINDOWS = { day: 1, week: 7, month: 30, quarter: 90, all: 36_500 } as const

/** Fees of the deals since a time, in 10^-18 USD, each at the rate of its block. */
async function dealFees(pool: pg.Pool, months: Months, since: Date): Promise<string> {
  const { rows } = await pool.query(
    `select block_num::int4 as block, round(usd * 1e18)::text as usd from ledger.deals where block_time >= $1`,
    [since],
  )
  return rows.reduce((sum, { block, usd }) => sum + BigInt(usd) * BigInt(months.rateAt(block)), 0n).toString()
}

async function expected(pool: pg.Pool, months: Months, kind: 'amm' | 'spot', market: number) {
  const now = months.time

  const [table, key, price, base, target] =
    kind === 'amm'
      ? ['swaps', 'pool_id', 'sqrt_price_x64', 'abs(amount_a)', 'abs(amount_b)']
      : ['deals', 'market_id', 'unit_price', 'amount_base', 'amount_target']
  const minute = Math.floor(now / 60_000) * 60_000
  const volumes: Record<string, unknown> = {}
  for (const [name, days] of Object.entries(WINDOWS)) {
    const { rows } = await pool.query(
      `select coalesce(sum(${base}), 0)::text as base, coalesce(sum(${target}), 0)::text as target, round(coalesce(sum(usd), 0) * 1e18)::text as usd,
         count(*)::int as trades, (count(*) filter (where usd is null))::int as "withoutUsd" from ledger.${table} where chain = 'wax' and ${key} = $1 and block_time >= $2`,
      [market, new Date(minute - days * DAY)],
    )
    const since = new Date(minute - days * DAY)
    volumes[name] = { ...rows[0], fees: kind === 'spot' ? await dealFees(pool, months, since) : '0' }
  }
  const text = `select max(${price}) filter (where block_time >= $2)::text as high, min(${price}) filter (where block_time >= $2)::text as low,
     (array_agg(${price} order by global_seq desc) filter (where block_time < $2))[1]::text as "before24",
     (array_agg(${price} order by global_seq desc) filter (where block_time < $3))[1]::text as "beforeWeek",
     (array_agg(${price} order by global_seq desc))[1]::text as last
     from ledger.${table} where chain = 'wax' and ${key} = $1`
  const { rows } = await pool.query(text, [market, new Date(minute - DAY), new Date(minute - 7 * DAY)])
  return { volumes, ...rows[0] }
}

function found({ volumes, high24, low24, before24, beforeWeek, last }: Series) {
  const sums = Object.entries(volumes).map(([name, { base, target, usd, fees, trades, withoutUsd }]) => [
    name,
    { base: String(base), target: String(target), usd: String(usd), fees: String(fees), trades, withoutUsd },
  ])
  const text = (price: bigint | null) => price?.toString() ?? null
  return {
    volumes: Object.fromEntries(sums),
    high: text(high24),
    low: text(low24),
    before24: text(before24),
    beforeWeek: text(beforeWeek),
    last: text(last),
  }
}

t.test('POOL-07 windows slide by whole minutes and never drift from the ledger', async (t) => {
  const { pool } = await testDatabase(t)
  const seed = seedFromEnvironment()
  const months = new Months(pool, new Random(seed))
  await months.begin()
  await months.grow(30, 10)
  const market = new LiveMarket(pool, testChain('wax'), SILENT)
  await market.catchUp()
  let loads = 0
  market.listen((_, changes) => {
    if (changes === null) loads++
  })
  // Hours apart for months, then blocks within minutes, then days without any.
  const steps: [number, number][] = [
    ...Array(60).fill([5, 16]),
    ...Array(20).fill([3, 0.01]),
    [1, 80],
    [2, 800],
    [4, 3],
  ]
  for (const [blocks, hours] of steps) {
    await months.grow(blocks, hours)
    await market.catchUp()
    const state = market.state
    t.equal(state?.at.time, months.time)
    for (const one of POOLS) t.same(found(state?.pools.get(one) as Series), await expected(pool, months, 'amm', one))
    t.same(found(state?.books.get(7) as Series), await expected(pool, months, 'spot', 7), `seed ${seed}`)
  }
  t.equal(loads, 0, 'all of it without loading again')
  const again = new LiveMarket(pool, testChain('wax'), SILENT)
  await again.catchUp()
  for (const one of POOLS)
    t.same(found(again.state?.pools.get(one) as Series), await expected(pool, months, 'amm', one))
  t.same(found(again.state?.books.get(7) as Series), await expected(pool, months, 'spot', 7))
  t.ok(months.rateChanges > 5, `${months.rateChanges} rates`)
})
