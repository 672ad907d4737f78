// Rows and candles of ranges that are taken over, compared with rows that are inserted with their values, and with the
// candles that the database computes from them.
import type pg from 'pg'
import t from 'tap'
import { CandleSums } from '../../../indexer/jobs/candle-sums.ts'
import type { ValuedTable } from '../../../indexer/jobs/sql.ts'
import { ValuedMove } from '../../../indexer/jobs/valued-move.ts'
import { type Catalog, readCatalog } from '../../../indexer/store/catalog.ts'
import { CopyBuffer } from '../../../indexer/store/copy/copy-buffer.ts'
import { copyIn } from '../../../indexer/store/copy/copy-in.ts'
import { DecimalNumber } from '../../../indexer/store/copy/numeric.ts'
import { columnList } from '../../../indexer/store/ledger.ts'
import { Segment } from '../../../indexer/store/segment.ts'
import { SETTINGS } from '../../../indexer/store/sql.ts'
import type { Valuer } from '../../../indexer/value/valuer.ts'
import { openClient } from '../../../net/postgres.ts'
import { testDatabase } from '../../support/database.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

const MINUTE = 60_000
/** A Sunday, the last hours of a month. */
const START = Date.UTC(2026, 4, 31, 20, 17, 30)
const EVENTS = ['mint', 'transfer'] as const

interface Row {
  table: ValuedTable
  blockTime: number
  row: Record<string, unknown>
}

/** Values as they depend on a row here. */
const usdOf = (id: bigint, a: bigint) => (id % 3n === 0n ? undefined : new DecimalNumber(a < 0n ? -a : a, 8))
const feeOf = (id: bigint, block: number) => (id % 4n === 0n || block < 5 ? undefined : 3000)
const priceOf = (id: bigint) => (id % 2n === 0n ? new DecimalNumber(id + 1n, 24) : undefined)
const valuer = {
  valueOf(table: string, row: Record<string, bigint>) {
    return table === 'deals'
      ? usdOf(row.marketId as bigint, row.amountBase as bigint)
      : usdOf(row.poolId as bigint, row.amountA as bigint)
  },
  feeOf,
  pricesOf: ({ poolId }: { poolId: bigint }) => [priceOf(poolId), undefined],
} as unknown as Valuer

/** Rows of blocks of 30 s. Those of a block are not in the order of their global sequences. */
function randomRows(random: Random, blocks: number): Row[] {
  const rows: Row[] = []
  for (let blockNum = 1; blockNum <= blocks; blockNum++) {
    // A quiet stretch, longer than an hour.
    if (blockNum > blocks / 2 && blockNum < blocks / 2 + 130) continue
    const blockTime = START + blockNum * 30_000
    const count = random.integer(0, 6)
    for (let i = 0; i < count; i++) {
      const at = {
        chain: 'wax',
        blockNum,
        blockTime,
        globalSeq: BigInt(blockNum * 100 + ((i * 5) % 7)),
        trxId: random.hex(32),
      }
      rows.push({ blockTime, ...randomRow(random, at) })
    }
  }
  return rows
}

function randomRow(random: Random, at: object): Pick<Row, 'table' | 'row'> {
  const table = random.pick(['swaps', 'swaps', 'deals', 'position_events'] as const)
  const id = BigInt(random.integer(0, 5))
  const [a, b] = [random.bigint(1n << 62n) - (1n << 61n), random.bigint(1n << 40n) - (1n << 39n)]
  const price = random.bigint(1n << BigInt(random.integer(1, 120)))
  if (table === 'deals') {
    const parties = { type: 'buymatch', bidder: 'alice', asker: 'bob', decimalsBase: 8, decimalsTarget: 4 }
    const amounts = { amountBase: a < 0n ? -a : a, amountTarget: b < 0n ? -b : b, unitPrice: price }
    return { table, row: { ...at, ...parties, marketId: id, ...amounts } }
  }
  const decimals = { decimalsA: 8, decimalsB: 4 }
  if (table === 'swaps') {
    const state = { sqrtPriceX64: price, liquidity: 5n, tick: 1, reserveA: 7n, reserveB: 8n, path: 0 }
    const amounts = { amountA: a, amountB: b, ...decimals }
    return { table, row: { ...at, poolId: id, sender: 'alice', recipient: 'bob', ...amounts, ...state } }
  }
  const type = random.pick(EVENTS)
  const amounts = type === 'mint' ? { amountA: a, amountB: b, ...decimals } : {}
  return { table, row: { ...at, poolId: id, type, positionId: 9n, owner: 'alice', ...amounts } }
}

/** The row with its values. */
function valued({ table, row }: Row): Row['row'] {
  if (table === 'deals') return { ...row, usd: usdOf(row.marketId as bigint, row.amountBase as bigint) }
  const [id, a] = [row.poolId as bigint, row.amountA as bigint | undefined]
  if (table === 'swaps') return { ...row, usd: usdOf(id, a as bigint), poolFee: feeOf(id, row.blockNum as number) }
  return a === undefined ? row : { ...row, usd: usdOf(id, a), usdPriceA: priceOf(id) }
}

/** Takes over the rows as ranges of so many minutes. */
async function takeOver(client: pg.Client, catalog: Catalog, rows: Row[], minutes: number): Promise<void> {
  let range = 0
  for (let first = 0; first < rows.length; ) {
    const begin = (rows[first] as Row).blockTime
    const found = rows.findIndex(({ blockTime }) => blockTime >= begin + minutes * MINUTE)
    const last = found < 0 ? rows.length : found
    const move = new ValuedMove(client, catalog, { chain: 'telos', setId: `9${range++}`, begin })
    await moveRows(move, catalog, rows.slice(first, last))
    first = last
  }
}

async function moveRows(move: ValuedMove, catalog: Catalog, rows: Row[]): Promise<void> {
  const minuteOf = ({ blockTime }: Row) => blockTime - (blockTime % MINUTE)
  for (const minute of new Set(rows.map(minuteOf))) {
    const segment = new Segment(catalog)
    const ledger = rows.filter((row) => minuteOf(row) === minute)
    segment.add({
      ledger: ledger.map(({ table, row }) => ({ table, row: { ...row, chain: 'telos' } })),
      ...{ state: [], candles: [] },
    })
    move.startMinute(minute)
    const trades = [...segment.ledger.values()].map(({ table, buffer }) => {
      return { table: table.name as ValuedTable, bytes: Buffer.from(buffer.tuples()) }
    })
    move.add({ state: [], trades }, valuer)
    if (minute % (3 * MINUTE) === 0) await move.start()
  }
  await move.end()
}

async function insertValued(client: pg.Client, catalog: Catalog, rows: Row[]): Promise<void> {
  const segment = new Segment(catalog)
  segment.add({ ledger: rows.map((row) => ({ table: row.table, row: valued(row) })), state: [], candles: [] })
  for (const { table, buffer } of segment.ledger.values())
    await copyIn(client, `${table.id} (${columnList(table)})`, buffer)
  const trades = rows.filter(({ table }) => table !== 'position_events')
  await client.query(`select meta.refresh_candles('wax', $1, $2, $3, null)`, [
    trades.map(({ table }) => (table === 'deals' ? 'spot' : 'amm')),
    trades.map(({ row }) => row.marketId ?? row.poolId),
    trades.map(({ blockTime }) => new Date(blockTime - (blockTime % MINUTE))),
  ])
}

/** Numbers of rows of a table that only one of the two chains has, and of all rows. */
async function differing(client: pg.Client, table: string): Promise<{ differing: number; rows: number }> {
  const of = (chain: string) => `select to_jsonb(x) - 'chain' from ${table} x where chain = '${chain}'`
  const { rows } = await client.query<{ differing: number; rows: number }>(
    `select (select count(*)::int from ((${of('wax')} except all ${of('telos')})
        union all (${of('telos')} except all ${of('wax')})) x) as differing,
      (select count(*)::int from ${table} where chain = 'wax') as rows`,
  )
  return rows[0] as { differing: number; rows: number }
}

t.test('rows and candles equal those of rows inserted with their values, however the ranges are cut', async (t) => {
  const { url } = await testDatabase(t, { chains: ['wax', 'telos'] })
  const client = openClient({ connectionString: url })
  t.teardown(() => client.end())
  await client.connect()
  await client.query(SETTINGS)
  const catalog = await readCatalog(client)
  const seed = seedFromEnvironment()
  t.comment(`HEADWATER_SEED=${seed}`)
  const rows = randomRows(new Random(seed), 1200)
  for (const minutes of [1_000_000, 45, 7]) {
    await client.query('begin')
    await insertValued(client, catalog, rows)
    await takeOver(client, catalog, rows, minutes)
    for (const table of ['ledger.swaps', 'ledger.deals', 'ledger.position_events', 'derive.candles']) {
      const found = await differing(client, table)
      t.equal(found.differing, 0, `${table}, ranges of ${minutes} minutes`)
      t.ok(found.rows > 400, `${found.rows} rows`)
    }
    await client.query('rollback')
  }
})

t.test('a market id above 2^53 is not confused with its neighbour', (t) => {
  const sums = new CandleSums('wax', START)
  const into = { fresh: new CopyBuffer(), continued: new CopyBuffer() }
  sums.startMinute(START - (START % MINUTE), into)
  for (const market of [2n ** 53n, 2n ** 53n + 1n]) {
    const place = { kind: 'amm' as const, market, blockNum: 1, globalSeq: 1 }
    sums.add({ ...place, price: 1n, base: 1n, target: 1n, usd: undefined })
  }
  sums.end(into)
  // All buckets began before the first block, which is half a minute after a minute's start.
  t.equal(into.continued.rows, 18)
  t.end()
})
