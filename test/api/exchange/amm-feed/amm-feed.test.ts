// The feed of AMM pools over HTTP, compared with SQL over pools and swaps.
import { Decimal } from 'decimal.js'
import t from 'tap'
import { testApi } from '../../../support/api.ts'
import { testDatabase } from '../../../support/database.ts'
import { priceText, toNumber } from '../expected-candles.ts'
import { id, NFT, NOW, POOLS, TLM, USDT, WAX, WAX_SCENE } from '../scene.ts'

const PAIR = `${id(TLM)}_${id(WAX)}`

interface Ticker {
  ticker_id: string
  pool_id: string
  liquidity_in_usd: number
  [member: string]: unknown
}

const close = (x: number, y: number) => Math.abs(x - y) <= 1e-9 * Math.max(Math.abs(x), Math.abs(y))

t.test('the feed of AMM pools', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const { pool } = database
  const api = await testApi(t, database)
  const get = async (path: string) => (await api.get(path)).body

  t.test('AMM-01 AMM-02 pairs: one for each active pool, in its own order of tokens', async (t) => {
    const active = POOLS.filter((one) => one.active)
    t.ok(active.length < POOLS.length)
    t.same(
      await get('/api/v2/amm/pairs'),
      active.map(({ pool: number, a, b }) => ({
        ticker_id: `${id(a)}_${id(b)}`,
        base: { id: id(a), contract: a.contract, symbol: a.symbol, precision: a.decimals },
        target: { id: id(b), contract: b.contract, symbol: b.symbol, precision: b.decimals },
        pool_id: String(number),
      })),
    )
  })

  t.test('AMM-03 AMM-04 the value of pools: a limit from below, and the order of tickers', async (t) => {
    const tickers: Ticker[] = await get('/api/v2/amm/tickers')
    const values = tickers.map((one) => one.liquidity_in_usd)
    t.same(
      values,
      [...values].sort((x, y) => y - x),
    )
    t.same(tickers.map((one) => one.pool_id).sort(), ['0', '2', '3', '4'])
    t.ok(values[0]! > values[1]! && values.at(-1) === 0)
    for (const least of [values[1]!, values[1]! + 0.01, 1e12]) {
      const wanted = tickers.filter((one) => one.liquidity_in_usd >= least).map((one) => one.pool_id)
      for (const list of ['tickers', 'pairs']) {
        const found: Ticker[] = await get(`/api/v2/amm/${list}?min_liquidity_usd=${least}`)
        t.same(found.map((one) => one.pool_id).sort(), [...wanted].sort(), `${list} of ${least}`)
      }
    }
    t.equal((await api.get('/api/v2/amm/tickers?min_liquidity_usd=x')).status, 400)
    t.same(await get('/api/v2/amm/tickers?hide_scam=maybe'), tickers, 'GEN-17')
  })

  t.test('AMM-05 AMM-06 AMM-07 GEN-11 GEN-13 prices and volumes', async (t) => {
    const { rows } = await pool.query(
      `select p.pool_id::int4 as id, p.fee, p.decimals_a, p.decimals_b, p.sqrt_price_x64::text as price, coalesce(d.a, 0)::text as a,
         coalesce(d.b, 0)::text as b, coalesce(d.usd, 0)::float8 as usd, d.high::text as high, d.low::text as low
       from state.pools p left join lateral (
         select sum(abs(amount_a)) as a, sum(abs(amount_b)) as b, sum(usd) as usd, max(sqrt_price_x64) as high, min(sqrt_price_x64) as low
         from ledger.swaps s where s.pool_id = p.pool_id and block_time >= date_trunc('minute', $1::timestamptz) - interval '24 hours'
       ) d on true`,
      [new Date(NOW)],
    )
    const tickers: Ticker[] = await get('/api/v2/amm/tickers')
    for (const { id: number, fee, decimals_a, decimals_b, ...row } of rows.filter((one) => POOLS[one.id]!.active)) {
      const found = tickers.find((one) => one.pool_id === String(number))!
      const price = (root: string) => Number(priceText(root, decimals_a, decimals_b, false))
      const near = (member: string, wanted: number) =>
        t.ok(close(found[member] as number, wanted), `${member} of pool ${number}`)
      near('last_price', price(row.price))
      t.equal(found.base_volume, toNumber(row.a, decimals_a))
      t.equal(found.target_volume, toNumber(row.b, decimals_b))
      near('volume_usd_24h', row.usd)
      t.equal(found.fee_percent, fee / 10_000)
      if (row.high === null) t.same([found.high, found.low], [null, null])
      else {
        near('high', price(row.high))
        near('low', price(row.low))
      }
      t.same([found.base_cmc_ucid, found.target_cmc_ucid, found.global_ticker_id], [null, null, null])
    }
    const never = tickers.find((one) => one.ticker_id === `${id(WAX)}_${id(NFT)}`)!
    t.same([never.high, never.low, never.base_volume, never.liquidity_in_usd], [null, null, 0, 0])
  })

  t.test('AMM-08 trades need a ticker with an active pool', async (t) => {
    const status = async (query: string) => (await api.get(`/api/v2/amm/historical_trades${query}`)).status
    t.same([await status(''), await status('?ticker_id='), await status('?ticker_id=x')], [400, 400, 400])
    t.equal(await status(`?ticker_id=${id(WAX)}_${id(TLM)}`), 404, 'the other order is another ticker')
    t.equal(await status(`?ticker_id=${id(USDT)}_${id(TLM)}`), 404)
    t.equal(await status(`?ticker_id=${PAIR}&type=foo`), 400)
    await pool.query('update state.pools set active = false where pool_id in (0, 2)')
    const other = await testApi(t, database)
    t.equal(
      (await other.get(`/api/v2/amm/historical_trades?ticker_id=${PAIR}`)).status,
      404,
      'all its pools are inactive',
    )
    await pool.query('update state.pools set active = true where pool_id in (0, 2)')
  })

  t.test('AMM-09 AMM-10 AMM-11 GEN-06 trades of all active pools, the newest, oldest first', async (t) => {
    const stored = async (limit: number, condition = 'true') => {
      const { rows } = await pool.query(
        `select * from (select global_seq::text as id, pool_id::text as pool, amount_a::text as a, amount_b::text as b,
           floor(date_part('epoch', block_time)) as at, encode(trx_id, 'hex') as trx from ledger.swaps
         where pool_id in (0, 2) and ${condition} order by global_seq desc limit ${limit}) s order by id::int8`,
      )
      return rows.map(({ id: trade, pool: number, a, b, at, trx }) => {
        const [base, target] = [toNumber(a.replace('-', ''), 4), toNumber(b.replace('-', ''), 8)]
        return {
          trade_id: trade,
          price: new Decimal(target).div(base).toNumber(),
          base_volume: base,
          target_volume: target,
          trade_timestamp: at,
          type: a.startsWith('-') ? 'buy' : 'sell',
          trx_id: trx,
          ticker_id: PAIR,
          pool_id: number,
        }
      })
    }
    const path = `/api/v2/amm/historical_trades?ticker_id=${PAIR}`
    const trades = async (query: string) => {
      const found = await get(`${path}${query}`)
      return found
    }
    const same = (found: { price: number }[], wanted: { price: number }[], what: string) => {
      const bare = (all: { price: number }[]) => all.map(({ price: _, ...rest }) => rest)
      t.same(bare(found), bare(wanted), what)
      t.ok(
        found.every(({ price }, i) => close(price, wanted[i]!.price)),
        `prices of ${what}`,
      )
    }
    same(await trades(''), await stored(200), 'default')
    same(await trades('&limit=0'), await stored(1000), 'limit 0')
    same(await trades('&limit=4000'), await stored(1000), 'limit 4000')
    same(await trades('&limit=9&type=buy'), await stored(9, 'amount_a < 0'), 'buys')
    same(await trades('&limit=9&type=sell'), await stored(9, 'amount_a > 0'), 'sells')
    const pools = new Set((await trades('&limit=0')).map((trade: { pool_id: string }) => trade.pool_id))
    t.same([...pools].sort(), ['0', '2'], 'pool 1 is not active')
    const [from, to] = [Math.floor(NOW / 1000) - 5 * 86_400, Math.floor(NOW / 1000) - 86_400]
    const within = `block_time >= to_timestamp(${from}) and block_time < to_timestamp(${to + 1})`
    same(await trades(`&start_time=${from}&end_time=${to}&limit=0`), await stored(1000, within), 'a range')
  })

  t.test('GEN-13 a swap of which one side rounds to nothing has the price of the pool', async (t) => {
    await pool.query(
      `insert into ledger.swaps select chain, pool_id, block_time + interval '1 hour', 7000000, block_num, trx_id, sender, recipient, 0, 5,
         decimals_a, decimals_b, sqrt_price_x64, liquidity, tick, reserve_a, reserve_b, usd
       from ledger.swaps where pool_id = 3 order by global_seq desc limit 1`,
    )
    const [trade] = await get(`/api/v2/amm/historical_trades?ticker_id=${id(WAX)}_${id(USDT)}&limit=1`)
    const { rows } = await pool.query(
      'select sqrt_price_x64::text as price from ledger.swaps where global_seq = 7000000',
    )
    t.ok(close(trade.price, Number(priceText(rows[0].price, 8, 6, false))))
    t.same([trade.base_volume, trade.target_volume, trade.type], [0, 0.000005, 'buy'])
    await pool.query('delete from ledger.swaps where global_seq = 7000000')
  })
})
