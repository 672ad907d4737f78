// Completes the staged rows of a valued table with their values: bytes of binary COPY in and out. The other columns are
// copied as they are.
import { BugError } from '../../core/errors.ts'
import type { Table } from '../store/catalog.ts'
import type { CopyBuffer } from '../store/copy/copy-buffer.ts'
import { type DecimalNumber, readInteger } from '../store/copy/numeric.ts'
import { eachTuple, type Tuple } from '../store/copy/tuples.ts'
import type { PositionEventRow } from '../value/rows.ts'
import type { Valuer } from '../value/valuer.ts'
import type { CandleSums } from './candle-sums.ts'
import { VALUES, type ValuedTable } from './sql.ts'

/** Columns that the values of a row depend on. */
const READ = {
  swaps: { id: 'pool_id', a: 'amount_a', b: 'amount_b', price: 'sqrt_price_x64' },
  deals: { id: 'market_id', a: 'amount_base', b: 'amount_target', price: 'unit_price' },
  position_events: { id: 'pool_id', a: 'amount_a', b: 'amount_b', price: null },
} as const
const KINDS = { swaps: 'amm', deals: 'spot', position_events: null } as const

/** Values of a row, by column. */
type RowValues = Partial<Record<string, DecimalNumber | number>>

export class TradeRows {
  private readonly name: ValuedTable
  private readonly fields: number
  /** Places of columns in a row. */
  private readonly at: { id: number; a: number; b: number; price: number | null; blockNum: number; globalSeq: number }
  /** Columns to complete, in the order of the row. */
  private readonly completed: { name: string; place: number }[]

  /** @throws BugError UNKNOWN_COLUMN */
  constructor(table: Table) {
    const name = table.name as ValuedTable
    const place = (column: string) => {
      const index = table.columns.findIndex((known) => known.name === column)
      if (index < 0) throw new BugError('UNKNOWN_COLUMN', `${table.id} has no column ${column}`)
      return index
    }
    const { id, a, b, price } = READ[name]
    this.name = name
    this.fields = table.columns.length
    this.at = {
      ...{ id: place(id), a: place(a), b: place(b), price: price === null ? null : place(price) },
      ...{ blockNum: place('block_num'), globalSeq: place('global_seq') },
    }
    this.completed = table.columns.map((column, index) => ({ name: column.name, place: index }))
    this.completed = this.completed.filter((column) => VALUES.has(column.name))
  }

  /**
   * Values the rows of a minute, adds them to `into`, and trades to `candles`.
   *
   * @param valuer  in that minute; without it, rows have no values
   */
  complete(bytes: Buffer, valuer: Valuer | undefined, candles: CandleSums, into: CopyBuffer): void {
    eachTuple(bytes, this.fields, (tuple) => {
      const row = this.read(bytes, tuple)
      const values = valuer && row.a !== null && row.b !== null ? this.valuesOf(row, valuer) : {}
      this.write(bytes, tuple, values, into)
      const kind = KINDS[this.name]
      if (kind === null || this.at.price === null || row.a === null || row.b === null) return
      const start = itemOf(tuple.at, this.at.price)
      // The price outlives the bytes of its row.
      const field = Buffer.from(bytes.subarray(start, start + itemOf(tuple.length, this.at.price)))
      candles.add({
        ...{ kind, market: row.id, globalSeq: row.globalSeq, blockNum: row.blockNum },
        ...{ price: { value: readInteger(field, 0), field }, base: abs(row.a), target: abs(row.b) },
        usd: values.usd as DecimalNumber | undefined,
      })
    })
  }

  private read(bytes: Buffer, { at, length }: Tuple) {
    const int8 = (place: number) => bytes.readBigInt64BE(itemOf(at, place))
    const { id, a, b, blockNum, globalSeq } = this.at
    return {
      id: int8(id),
      a: itemOf(length, a) < 0 ? null : int8(a),
      b: itemOf(length, b) < 0 ? null : int8(b),
      blockNum: int8(blockNum),
      globalSeq: int8(globalSeq),
    }
  }

  private valuesOf(row: ReturnType<TradeRows['read']>, valuer: Valuer): RowValues {
    const { id, a, b, blockNum } = row
    if (this.name === 'deals') return { usd: valuer.valueOf('deals', { marketId: id, amountBase: a, amountTarget: b }) }
    const pool = { poolId: id, amountA: a, amountB: b }
    const usd = valuer.valueOf(this.name, pool)
    if (this.name === 'swaps') return { usd, pool_fee: valuer.feeOf(id, Number(blockNum)) }
    const [priceA, priceB] = valuer.pricesOf(pool as PositionEventRow)
    return { usd, usd_price_a: priceA, usd_price_b: priceB }
  }

  private write(bytes: Buffer, { start, end, at }: Tuple, values: RowValues, into: CopyBuffer): void {
    into.rows++
    let from = start
    for (const { name, place } of this.completed) {
      const value = values[name]
      if (value === undefined) continue
      // The field has no value: it ends where its value would begin, after the length.
      const field = itemOf(at, place)
      into.append(bytes, from, field - 4)
      if (typeof value === 'number') into.int4(value)
      else into.numeric(value)
      from = field
    }
    into.append(bytes, from, end)
  }
}

function itemOf(list: Int32Array, index: number): number {
  return list[index] as number
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value
}
