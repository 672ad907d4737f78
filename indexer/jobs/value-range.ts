// Values the trades of a finished range when it is taken over, because only then the prices at its start are known.
// Works on the worker's rows minute by minute, as the indexer does block by block. Runs in the transaction that takes over
// the range: writes trades and candles to their tables, and prices and USD facts to the staging set.

import type pg from 'pg'
import { TimePoint } from '../../core/antelope/time-point.ts'
import { itemAt } from '../../core/required.ts'
import type { Catalog } from '../store/catalog.ts'
import type { BlockRows, LedgerRow } from '../store/rows.ts'
import { Segment } from '../store/segment.ts'
import type { Valuer } from '../value/valuer.ts'
import { OrderedRows } from './ordered-rows.ts'
import { stagedMinutes, stagedName, stagedPoints } from './sql.ts'
import { StagedMinutes } from './staged-minutes.ts'
import { StagingSet, tablesOf } from './staging.ts'
import { ValuedMove } from './valued-move.ts'

export interface ValuedRange {
  chain: string
  setId: string
  /** Of the range's first block. */
  stateBlock: number | undefined
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

/** A minute of block time with its first block. */
interface Minute {
  /** Unix milliseconds. */
  minute: number
  num: number
  time: number
}

/** Block time of a slice, ms: its rows are moved while the next slice is valued. */
const SLICE = 300_000
const sliceOf = ({ minute }: Minute) => Math.floor(minute / SLICE)

/**
 * Values the rows of a range and moves them to the ledger, and their candles to their table.
 *
 * @param writer  in the transaction that takes over the range
 * @param reader  another session, not in a transaction: reads rows while `writer` moves others
 * @param valuer  at the parent of the range; without it, rows have no values. If the transaction rolls back, discard it.
 */
export async function valueRange(
  { writer, reader }: { writer: pg.Client; reader: pg.Client },
  catalog: Catalog,
  range: ValuedRange,
  valuer: Valuer | undefined,
): Promise<void> {
  const { chain, setId } = range
  const made: BlockRows = { ledger: [], state: [], candles: [] }
  await reader.query('begin read only')
  try {
    const minutes = await readMinutes(reader, setId)
    const move = new ValuedMove(writer, catalog, { chain, setId, begin: itemAt(minutes, 0).time })
    try {
      await valueSlices(reader, minutes, { catalog, range, valuer, made, move })
    } finally {
      await move.settle()
    }
  } finally {
    await reader.query('commit')
  }
  const segment = new Segment(catalog)
  segment.add(made)
  await StagingSet.resume(writer, chain, setId).write(segment)
}

interface RangeWork {
  catalog: Catalog
  range: ValuedRange
  valuer: Valuer | undefined
  made: BlockRows
  move: ValuedMove
}

async function valueSlices(reader: pg.Client, minutes: Minute[], work: RangeWork): Promise<void> {
  const { catalog, range, valuer, made, move } = work
  const { setId, stateBlock } = range
  const rows = await StagedMinutes.open(reader, catalog, setId)
  const oracle = await openPoints(reader, setId)
  for (const slice of slices(minutes)) {
    const staged = await rows.read(itemAt(slice, 0).minute, itemAt(slice, slice.length - 1).minute)
    for (const { minute, num, time } of slice) {
      if (valuer?.lags(time)) await valuer.catchUp(time)
      valuer?.startMinute({ num, time, stateBlock }, made)
      move.startMinute(minute)
      const found = staged.get(minute)
      valuer?.observe({ state: found?.state ?? [], ledger: (await oracle.of(minute)).map(oraclePoint) })
      if (!found) continue
      move.add(found, valuer)
      valuer?.forget(found.state)
    }
    await move.start()
  }
  await move.end()
}

async function readMinutes(client: pg.Client, setId: string): Promise<Minute[]> {
  const { rows } = await client.query<{ minute: number; num: string; time: Date }>(stagedMinutes(setId))
  return rows.map(({ minute, num, time }) => ({ minute, num: Number(num), time: time.getTime() }))
}

function* slices(minutes: readonly Minute[]): Generator<Minute[]> {
  let slice: Minute[] = []
  for (const minute of minutes) {
    if (slice[0] && sliceOf(slice[0]) !== sliceOf(minute)) {
      yield slice
      slice = []
    }
    slice.push(minute)
  }
  if (slice.length > 0) yield slice
}

async function openPoints(client: pg.Client, setId: string): Promise<OrderedRows<StagedPoint>> {
  const isThere = (await tablesOf(client, setId)).has(stagedName(setId, { schema: 'ledger', name: 'oracle_points' }))
  return isThere
    ? OrderedRows.open<StagedPoint>(client, 'staged_points', stagedPoints(setId))
    : OrderedRows.none<StagedPoint>(client)
}

function oraclePoint(row: StagedPoint): LedgerRow {
  return {
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
  }
}
