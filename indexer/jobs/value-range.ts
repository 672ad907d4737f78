// Values the trades of a finished range when it is taken over, because only then the prices at its start are known.
// Works on the worker's journal minute by minute, as the indexer does block by block. Runs in the transaction that
// takes over the range, and writes values, prices and USD facts to the staging set.

import type { ClientBase } from 'pg'
import { TimePoint } from '../../core/antelope/time-point.ts'
import type { Catalog } from '../store/catalog.ts'
import { CopyBuffer } from '../store/copy/copy-buffer.ts'
import { copyIn } from '../store/copy/copy-in.ts'
import type { BlockRows, LedgerRow, StateRow } from '../store/rows.ts'
import { Segment } from '../store/segment.ts'
import type { PositionEventRow } from '../value/rows.ts'
import type { Valuer } from '../value/valuer.ts'
import { OrderedRows } from './ordered-rows.ts'
import { JOURNALED, type Journaled } from './price-journal.ts'
import {
  createValues,
  journalName,
  stagedJournal,
  stagedMinutes,
  stagedName,
  stagedPoints,
  stagedTrades,
  VALUED_TABLES,
  VALUES,
  type ValuedTable,
  valuesName,
} from './sql.ts'
import { StagingSet, tablesOf } from './staging.ts'

interface StagedTrade {
  minute: Date
  name: ValuedTable
  blockNum: string
  globalSeq: string
  id: string
  /** Null in events without amounts. */
  a: string | null
  b: string | null
}

interface StagedPoint {
  minute: Date
  contract: string
  pair: string
  blockNum: string
  blockTime: Date
  pointId: string
  pointTime: Date
  median: string
}

type StagedVersion = { minute: Date; present: boolean } & Record<string, unknown>

/**
 * @param valuer      at the parent of the range. If the transaction rolls back, discard it.
 * @param stateBlock  of the range's first block
 */
export async function valueRange(
  client: ClientBase,
  catalog: Catalog,
  range: { chain: string; setId: string; stateBlock: number | undefined },
  valuer: Valuer,
): Promise<void> {
  const { chain, setId, stateBlock } = range
  const staged = await StagedRange.open(client, setId)
  await client.query(createValues(setId))
  const made: BlockRows = { ledger: [], state: [], candles: [] }
  const { rows: minutes } = await client.query<{ minute: Date; num: string; time: Date }>(stagedMinutes(setId))
  const values = new CopyBuffer()
  for (const { minute, num, time } of minutes) {
    const first = { num: Number(num), time: time.getTime(), stateBlock }
    if (valuer.lags(first.time)) await valuer.catchUp(first.time)
    valuer.startMinute(first, made)
    const state = await staged.versions(minute.getTime())
    valuer.observe({ state, ledger: await staged.points(minute.getTime()) })
    for (const trade of await staged.trades.of(minute.getTime())) addValue(values, trade, valuer)
    valuer.forget(state)
    await copyIn(client, `staging.${valuesName(setId)} (${VALUES.join(', ')})`, values)
  }
  await client.query(`analyze staging.${valuesName(setId)}`)
  const segment = new Segment(catalog)
  segment.add(made)
  await StagingSet.resume(client, chain, setId).write(segment)
}

function addValue(values: CopyBuffer, { name, blockNum, globalSeq, id, a, b }: StagedTrade, valuer: Valuer): void {
  if (a === null || b === null) return
  const [x, y] = [BigInt(a), BigInt(b)]
  const row =
    name === 'deals'
      ? { marketId: BigInt(id), amountBase: x, amountTarget: y }
      : { poolId: BigInt(id), amountA: x, amountB: y }
  const usd = valuer.valueOf(name, row)
  const [priceA, priceB] = name === 'position_events' ? valuer.pricesOf(row as PositionEventRow) : []
  const fee = name === 'swaps' ? valuer.feeOf(BigInt(id), Number(blockNum)) : undefined
  const found = [usd, priceA, priceB]
  if (fee === undefined && found.every((value) => value === undefined)) return
  values.row(VALUES.length)
  values.int8(BigInt(globalSeq))
  for (const value of found) value === undefined ? values.null() : values.numeric(value)
  if (fee === undefined) values.null()
  else values.int4(fee)
}

/** The staged rows of a range, by minute. */
class StagedRange {
  private readonly journals: Map<Journaled, OrderedRows<StagedVersion>>
  private readonly oracle: OrderedRows<StagedPoint>
  readonly trades: OrderedRows<StagedTrade>

  private constructor(
    journals: Map<Journaled, OrderedRows<StagedVersion>>,
    oracle: OrderedRows<StagedPoint>,
    trades: OrderedRows<StagedTrade>,
  ) {
    this.journals = journals
    this.oracle = oracle
    this.trades = trades
  }

  static async open(client: ClientBase, setId: string): Promise<StagedRange> {
    const names = await tablesOf(client, setId)
    const reader = <T extends { minute: Date }>(name: string, sql: string | null) =>
      sql === null ? OrderedRows.none<T>(client) : OrderedRows.open<T>(client, `staged_${name}`, sql)
    const journals = new Map<Journaled, OrderedRows<StagedVersion>>()
    for (const table of Object.keys(JOURNALED) as Journaled[]) {
      const sql = names.has(journalName(setId, table)) ? stagedJournal(setId, table) : null
      journals.set(table, await reader<StagedVersion>(table, sql))
    }
    const hasRows = (name: string) => names.has(stagedName(setId, { schema: 'ledger', name }))
    const oracle = await reader<StagedPoint>('points', hasRows('oracle_points') ? stagedPoints(setId) : null)
    const traded = VALUED_TABLES.filter(hasRows)
    const trades = await reader<StagedTrade>('trades', traded.length > 0 ? stagedTrades(setId, traded) : null)
    return new StagedRange(journals, oracle, trades)
  }

  async versions(minute: number): Promise<StateRow[]> {
    const rows: StateRow[] = []
    for (const [table, journal] of this.journals)
      for (const row of await journal.of(minute)) rows.push({ table, row, present: row.present })
    return rows
  }

  async points(minute: number): Promise<LedgerRow[]> {
    const rows = await this.oracle.of(minute)
    return rows.map((row) => ({
      table: 'oracle_points',
      row: {
        contract: row.contract,
        pair: row.pair,
        blockNum: Number(row.blockNum),
        blockTime: row.blockTime.getTime(),
        pointId: BigInt(row.pointId),
        pointTime: TimePoint.ofMs(row.pointTime.getTime()),
        median: BigInt(row.median),
      },
    }))
  }
}
