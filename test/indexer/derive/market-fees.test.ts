// Fees of deals use the rate at the time of the deal, no matter when hours are counted, also for closed markets.
import t from 'tap'
import { compileAbi } from '../../../core/antelope/abi/compile.ts'
import { abiFile } from '../../../devnet/contracts/abi-file.ts'
import { countHours } from '../../../indexer/derive/hours/count.ts'
import { markets } from '../../../indexer/project/spot/spot.ts'
import { testDatabase } from '../../support/database.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-05-01T00:00:00Z')
/** One block every six minutes, ten an hour, from block 1. */
const timeOf = (block: number) => new Date(START + (block - 1) * (HOUR / 10))
const LAST = 61

t.test('a row of the markets table sets the fee rate from its block on; its removal does not', async (t) => {
  const abi = compileAbi(abiFile('svcdexmain'))
  const token = (code: string, contract: string) => ({ sym: { precision: 4, code }, contract })
  const asset = (amount: bigint, symbol: string) => ({ amount, precision: 4, symbol })
  const fields = { min_buy: asset(1n, 'ABC'), min_sell: asset(1n, 'XYZ'), frozen: false, fee: 35 }
  const row = { id: 7n, base_token: token('ABC', 'abc.test'), quote_token: token('XYZ', 'xyz.test'), ...fields }
  const at = { chain: 'wax', blockNum: 12, blockTime: START, primaryKey: 7n, present: true }
  const decoded = abi.decodeRow('markets', abi.encodeRow('markets', row)) as never
  const tokens = {
    ...{ baseContract: 'xyz.test', baseSymbol: 'XYZ', baseDecimals: 4 },
    ...{ targetContract: 'abc.test', targetSymbol: 'ABC', targetDecimals: 4 },
  }
  const rowsOf = (present: boolean) => markets.rows(decoded, { ...at, present } as never, undefined as never)
  t.match(rowsOf(true), {
    ledger: [
      { table: 'market_fees', row: { chain: 'wax', marketId: 7n, blockNum: 12, blockTime: START, fee: 35, ...tokens } },
    ],
    state: [{ table: 'markets', present: true }],
  })
  t.match(rowsOf(false), { ledger: [], state: [{ table: 'markets', present: false }] })
})

t.test('counting hours one by one and all at once gives the same rows', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['wax', 'live', 'replayed'] })
  const chains = ['live', 'replayed']
  for (const chain of chains) {
    await pool.query(`select meta.add_chain($1)`, [chain])
    await pool.query(
      `insert into meta.position (chain, first_block, block_num, block_id, block_time, lib_num, head_num, writer, indexed)
       values ($1, 1, $2, repeat('5e', 32), $3, 1, $2, gen_random_uuid(), true)`,
      [chain, LAST, timeOf(LAST)],
    )
    for (let hour = 0; hour < 6; hour++)
      await pool.query(
        `insert into ledger.hour_snapshots (chain, hour, block_num, block_time, pools_without_usd, orders_without_usd, pools, markets)
         values ($1, $2, $3, $4, 0, 0, 0, 1)`,
        [chain, new Date(START + hour * HOUR), 11 + hour * 10, timeOf(11 + hour * 10)],
      )
    // Market 1 changes its rate in the middle of an hour and is closed later. The first rate of market 2 is of block
    // 40.
    for (const [market, block, fee] of [
      [1, 1, 20],
      [1, 25, 35],
      [1, 26, 50],
      [2, 40, 10],
    ])
      await pool.query(
        `insert into ledger.market_fees (chain, market_id, block_num, block_time, fee, base_contract, base_symbol, base_decimals,
           target_contract, target_symbol, target_decimals)
         values ($1, $2, $3, $4, $5, 'xyz.test', 'XYZ', 4, 'abc.test', 'ABC', 4)`,
        [chain, market, block, timeOf(block as number), fee],
      )
    for (let block = 1; block <= LAST; block++)
      await pool.query(
        `insert into ledger.deals (chain, market_id, block_time, global_seq, block_num, trx_id, type, bidder, asker, amount_base,
           amount_target, decimals_base, decimals_target, unit_price, usd)
         select $1, m, $2, $3::int8 * 2 + m, $3, sha256(int8send($3)), 'buymatch', 'alice', 'bob', 1, 1, 4, 4, 100000000, m * 100 + $3::int8
         from generate_series(1, 2) m`,
        [chain, timeOf(block), block],
      )
  }
  const finalTo = (chain: string, block: number) =>
    pool.query(`update meta.position set lib_num = $2 where chain = $1`, [chain, block])
  const totals = async (chain: string, table: string) =>
    (
      await pool.query(
        `select hour, spot_volume::float8 as volume, round(spot_fees, 10)::float8 as fees from ${table} where chain = $1 order by hour`,
        [chain],
      )
    ).rows
  // By hand: the value of each deal times the rate at its block.
  const rateOf = (market: number, block: number) => (market === 2 ? 10 : block < 25 ? 20 : block < 26 ? 35 : 50)
  const expected = [...Array(6).keys()].map((hour) => {
    const sum = { hour: new Date(START + hour * HOUR), volume: 0, fees: 0 }
    for (let block = 1 + hour * 10; block <= 10 + hour * 10; block++)
      for (const market of [1, 2]) {
        sum.volume += market * 100 + block
        sum.fees += ((market * 100 + block) * rateOf(market, block)) / 10_000
      }
    return { ...sum, fees: Math.round(sum.fees * 1e10) / 1e10 }
  })
  for (const chain of chains) t.same(await totals(chain, 'head.hour_totals'), expected, `${chain}, not counted`)
  for (let hour = 0; hour < 6; hour++) {
    await finalTo('live', 11 + hour * 10)
    t.equal(await countHours({ chain: 'live', databaseUrl: url }), 1)
  }
  await finalTo('replayed', LAST)
  t.equal(await countHours({ chain: 'replayed', databaseUrl: url }), 6)
  for (const chain of chains) {
    t.same(await totals(chain, 'derive.hour_totals'), expected, chain)
    t.same(await totals(chain, 'final.hour_totals'), expected, `${chain}, as a view`)
  }
  const rates = await pool.query(
    `select market_id::int4 as market, fee from head.market_fees where chain = 'live' order by 1, block_num`,
  )
  t.same(
    rates.rows.map(({ market, fee }) => [market, fee]),
    [
      [1, 20],
      [1, 35],
      [1, 50],
      [2, 10],
    ],
  )
})
