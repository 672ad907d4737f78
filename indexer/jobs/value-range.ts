// Values the trades of a finished range when it is taken over, because only then the prices at its start are known.
// Works on the worker's journal minute by minute, as the indexer does block by block. Runs in the transaction that
// takes over the range: moves the valued rows to the ledger, and writes prices and USD facts to the staging set.

import type { ClientBase } from 'pg'
import { TimePoint } from '../../core/antelope/time-point.ts'
import type { Catalog } from '../store/catalog.ts'
import type { CopyBuffer } from '../store/copy/copy-buffer.ts'
import type { BlockRows, LedgerRow, StateRow } from '../store/rows.ts'
import { Segment } from '../store/segment.ts'
import type { PositionEventRow } from '../value/rows.ts'
import type { Valuer } from '../value/valuer.ts'
import { OrderedRows } from './ordered-rows.ts'
import { JOURNALED, type Journaled } from './price-journal.ts'
import {
  journalName,
  stagedJournal,
  stagedMinutes,
  stagedName,
  stagedPoints,
  stagedTrades,
  VALUED_TABLES,
  VALUES,
  type ValuedTable,
} from './sql.ts'
import { StagingSet, tablesOf } from './staging.ts'
import { ValuedMove } from './valued-move.ts'

export interface ValuedRange {
  chain: string
  setId: string
  lastBlock: number
  /** Of the range's first block. */
  stateBlock: number | undefined
}

interface StagedTrade {
  minute: number
  name: ValuedTable
  blockNum: string
  globalSeq: string
  id: string
  /** Null in events without amounts. */
  a: string | null
  b: string | null
}

interface StagedPoint {
  minute: number
  contract: string
  pair: string
  blockNum: string
  blockTime: Date
  pointId: string
  pointTime: Date
  median: string
}

type StagedVersion = { minute: number; present: boolean } & Record<string, unknown>

/** Block time of a slice, ms: its rows are moved while the next slice is valued. */
const SLICE = 300_000
const sliceOf = (minute: number) => Math.floor(minute / SLICE)

/**
 * Values the rows of a range and moves them to the ledger.
 *
 * @param writer  in the transaction that takes over the range
 * @param reader  another session, not in a transaction: reads rows while `writer` moves others
 * @param valuer  at the parent of the range. If the transaction rolls back, discard it.
 */
export async function valueRange(
  { writer, reader }: { writer: ClientBase; reader: ClientBase },
  catalog: Catalog,
  range: ValuedRange,
  valuer: Valuer,
): Promise<void> {
  const { chain, setId } = range
  const made: BlockRows = { ledger: [], state: [], candles: [] }
  const move = await ValuedMove.open(writer, catalog, setId)
  await reader.query('begin read only')
  try {
    await valueSlices(reader, range, { valuer, made, move })
  } finally {
    await Promise.allSettled([move.settle()])
    await reader.query('commit')
  }
  await move.settle()
  const segment = new Segment(catalog)
  segment.add(made)
  await StagingSet.resume(writer, chain, setId).write(segment)
}

async function valueSlices(
  reader: ClientBase,
  { setId, stateBlock, lastBlock }: ValuedRange,
  { valuer, made, move }: { valuer: Valuer; made: BlockRows; move: ValuedMove },
): Promise<void> {
  const staged = await StagedRange.open(reader, setId)
  const { rows: minutes } = await reader.query<{ minute: number; num: string; time: Date }>(stagedMinutes(setId))
  let from = 0
  for (const [index, { minute, num, time }] of minutes.entries()) {
    const first = { num: Number(num), time: time.getTime(), stateBlock }
    if (valuer.lags(first.time)) await valuer.catchUp(first.time)
    valuer.startMinute(first, made)
    const state = await staged.versions(minute)
    valuer.observe({ state, ledger: await staged.points(minute) })
    for (const trade of await staged.trades.of(minute)) addValue(move.values, trade, valuer)
    valuer.forget(state)
    const next = minutes[index + 1]
    if (next && sliceOf(next.minute) === sliceOf(minute)) continue
    const to = next ? Number(next.num) : lastBlock + 1
    await move.start(from, to)
    from = to
  }
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
    const reader = <T extends { minute: number }>(name: string, sql: string | null) =>
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
