// The valuer alone, with hand-made blocks at the head and before it.
import type { Pool } from 'pg'
import t from 'tap'
import type { DecimalNumber } from '../../../indexer/store/copy/numeric.ts'
import type { LedgerRow, ProjectedBlock, StateRow } from '../../../indexer/store/rows.ts'
import type { ValuationOptions } from '../../../indexer/value/options.ts'
import { Valuer } from '../../../indexer/value/valuer.ts'
import { testDatabase } from '../../support/database.ts'
import { VALUATION } from '../../support/valuation.ts'

const MINUTE = 60_000
const NOW = Math.floor(Date.now() / MINUTE) * MINUTE

function block(num: number, time: number, ledger: LedgerRow[] = [], state: StateRow[] = []): ProjectedBlock {
  const header = { num, id: `${num}`, prevId: `${num - 1}`, time, producer: 'p', lib: 1, head: num }
  return { ...header, ledger, state, candles: [] }
}

/** A market of WAX for USDT. */
function market(present: boolean): StateRow {
  const tokens = { baseContract: 'usdt.tok', baseSymbol: 'USDT', targetContract: 'eosio.token', targetSymbol: 'WAX' }
  return { table: 'markets', row: { marketId: 7n, ...tokens }, present }
}

function deal(wax: bigint): LedgerRow {
  return { table: 'deals', row: { marketId: 7n, amountBase: 5n, amountTarget: wax } }
}

async function opened(t: { teardown(work: () => Promise<void>): void }, url: string, usd: ValuationOptions['usd']) {
  const valuer = await Valuer.open(url, 'wax', { ...VALUATION, usd }, null)
  t.teardown(() => valuer.close())
  const next = async (made: ProjectedBlock) => {
    if (valuer.lags(made.time)) await valuer.catchUp(made.time)
    return valuer.value(made)
  }
  return { valuer, next }
}

function worth({ ledger }: ProjectedBlock): string[] {
  return ledger
    .filter(({ table }) => table === 'deals')
    .map(({ row }) => String((row as { usd?: DecimalNumber }).usd?.units))
}

async function quote(pool: Pool, at: number, usd: string): Promise<void> {
  await pool.query(`insert into meta.usd_quotes values ('wax', $1, $2, 'quotes.test')`, [new Date(at), usd])
}

t.test('at the head, quotes since the last minute are read', async (t) => {
  const { url, pool } = await testDatabase(t)
  await pool.query(`select meta.add_chain('wax')`)
  const { valuer, next } = await opened(t, url, { kind: 'http', maxAge: 10 * MINUTE })
  const first = NOW - 2 * MINUTE
  await quote(pool, first - MINUTE, '0.05')
  t.same(worth(await next(block(2, first + 500, [deal(10n ** 8n)], [market(true)]))), ['5000000'])
  t.notOk(valuer.lags(first + 1000), 'once a minute is enough')
  await quote(pool, NOW, '0.08')
  t.same(worth(await next(block(3, NOW + MINUTE - 500, [deal(10n ** 8n)]))), ['5000000'], 'it is too young')
  t.ok(valuer.lags(NOW + MINUTE))
  const { ledger } = await next(block(4, NOW + MINUTE, [deal(10n ** 8n)]))
  t.match(ledger[0]?.row, { usd: { units: 8000000n } })
  t.match(ledger[1], {
    table: 'usd_prices',
    row: { blockNum: 4, blockTime: NOW + MINUTE, usd: { units: 800n, scale: 4 } },
  })
})

t.test('scores are used from their time on, whenever they were written', async (t) => {
  const { url, pool } = await testDatabase(t)
  await pool.query(`select meta.add_chain('wax')`)
  const { next } = await opened(t, url, { kind: 'fixed', usd: 10n ** 16n })
  const pools: StateRow = {
    table: 'pools',
    present: true,
    row: {
      ...{ poolId: 1n, active: true, contractA: 'eosio.token', symbolA: 'WAX', decimalsA: 8, reserveA: 10n ** 13n },
      ...{
        contractB: 'usdt.tok',
        symbolB: 'USDT',
        decimalsB: 8,
        reserveB: 10n ** 13n,
        sqrtPriceX64: 1n << 64n,
        liquidity: 1n,
      },
    },
  }
  const at = (minutes: number, num: number) =>
    block(num, NOW + minutes * MINUTE, [deal(10n ** 8n)], num === 2 ? [market(true), pools] : [])
  // 5 raw USDT are almost worthless, so that the mean is half of the one WAX once USDT is trusted.
  t.same(worth(await next(at(0, 2))), ['100000000'])
  t.same(worth(await next(at(1, 3))), ['100000000'])
  await pool.query(`insert into derive.score_snapshots values ('wax', $1, 'usdt-usdt.tok', 41)`, [
    new Date(NOW + 3 * MINUTE),
  ])
  t.same(worth(await next(at(2, 4))), ['100000000'])
  t.same(worth(await next(at(3, 5))), ['50000003'])
  await pool.query(`insert into derive.score_snapshots values ('wax', $1, 'other-token', 99)`, [
    new Date(NOW + 4 * MINUTE),
  ])
  t.same(worth(await next(at(4, 6))), ['100000000'], 'a snapshot replaces the one before it whole')
})

t.test('a market is valued in the block that removes it, and not after that', async (t) => {
  const { url, pool } = await testDatabase(t)
  await pool.query(`select meta.add_chain('wax')`)
  const { next } = await opened(t, url, { kind: 'fixed', usd: 10n ** 16n })
  t.same(worth(await next(block(2, NOW, [deal(10n ** 8n)]))), ['undefined'], 'of a market that is not known')
  t.same(worth(await next(block(3, NOW, [deal(10n ** 8n)], [market(true)]))), ['100000000'])
  t.same(worth(await next(block(4, NOW, [deal(10n ** 8n)], [market(false)]))), ['100000000'])
  t.same(worth(await next(block(5, NOW, [deal(10n ** 8n)]))), ['undefined'])
})

t.test('rows that a block computes late apply from the next block on', async (t) => {
  const { url, pool } = await testDatabase(t)
  await pool.query(`select meta.add_chain('wax')`)
  const { next } = await opened(t, url, { kind: 'fixed', usd: 10n ** 16n })
  const huge = await next({ ...block(2, NOW), more: [{ ledger: [], state: [market(true)], candles: [] }] })
  t.equal([...(huge.more ?? [])].length, 1)
  t.same(worth(await next(block(3, NOW, [deal(10n ** 8n)]))), ['100000000'])
})
