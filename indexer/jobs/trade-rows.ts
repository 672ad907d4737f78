// Completes the staged rows of a valued table with their values: bytes of binary COPY in and out. The other columns are
// copied as they are.
import { BugError } from '../../core/errors.ts'
import type { Table } from '../store/catalog.ts'
import type { CopyBuffer } from '../store/copy/copy-buffer.ts'
import { type DecimalNumber, readInteger } from '../store/copy/numeric.ts'
import { eachTuple, type Tuple } from '../store/copy/tuples.ts'
import type { Valuer } from '../value/valuer.ts'
import type { CandleSums, CandleTrade } from './candle-sums.ts'
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
const NO_VALUES: RowValues = {}

export class TradeRows {
  private readonly name: ValuedTable
  private readonly fields: number
  /** Places of columns in a row. */
  private readonly at: { id: number; a: number; b: number; price: number; blockNum: number; globalSeq: number }
  /** Columns to complete, in the order of the row. */
  private readonly completed: { name: string; place: number }[]
  /** The trade of a row, used again for each. */
  private readonly trade: CandleTrade | null

  /** @throws BugError UNKNOWN_COLUMN */
  constructor(table: Table) {
    const name = table.name as ValuedTable
    const { id, a, b, price } = READ[name]
    this.name = name
    this.fields = table.columns.length
    this.at = {
      ...{ id: placeOf(table, id), a: placeOf(table, a), b: placeOf(table, b) },
      price: price === null ? -1 : placeOf(table, price),
      ...{ blockNum: placeOf(table, 'block_num'), globalSeq: placeOf(table, 'global_seq') },
    }
    this.completed = table.columns
      .map((column, place) => ({ name: column.name, place }))
      .filter((column) => VALUES.has(column.name))
    const kind = KINDS[name]
    const empty = { market: 0n, blockNum: 0, globalSeq: 0, price: 0n, base: 0n, target: 0n, usd: undefined }
    this.trade = kind && { kind, ...empty }
  }

  /**
   * Values the rows of a minute, adds them to `into`, and trades to `candles`.
   *
   * @param valuer  in that minute; without it, rows have no values
   */
  complete(bytes: Buffer, valuer: Valuer | undefined, candles: CandleSums, into: CopyBuffer): void {
    const { trade } = this
    eachTuple(bytes, this.fields, (tuple) => {
      const { at, length } = tuple
      // Transfers and locks have no amounts.
      if (itemOf(length, this.at.a) < 0 || itemOf(length, this.at.b) < 0) {
        this.write(bytes, tuple, NO_VALUES, into)
        return
      }
      const id = bytes.readBigInt64BE(itemOf(at, this.at.id))
      const a = bytes.readBigInt64BE(itemOf(at, this.at.a))
      const b = bytes.readBigInt64BE(itemOf(at, this.at.b))
      const blockNum = wholeNumber(bytes, itemOf(at, this.at.blockNum))
      const values = valuer ? this.valuesOf(valuer, id, a, b, blockNum) : NO_VALUES
      this.write(bytes, tuple, values, into)
      if (trade === null) return
      trade.market = id
      trade.blockNum = blockNum
      trade.globalSeq = wholeNumber(bytes, itemOf(at, this.at.globalSeq))
      trade.price = readInteger(bytes, itemOf(at, this.at.price))
      trade.base = a < 0n ? -a : a
      trade.target = b < 0n ? -b : b
      trade.usd = values.usd as DecimalNumber | undefined
      candles.add(trade)
    })
  }

  private valuesOf(valuer: Valuer, id: bigint, a: bigint, b: bigint, blockNum: number): RowValues {
    if (this.name === 'deals') return { usd: valuer.valueOf('deals', { marketId: id, amountBase: a, amountTarget: b }) }
    const pool = { poolId: id, amountA: a, amountB: b }
    const usd = valuer.valueOf(this.name, pool)
    if (this.name === 'swaps') return { usd, pool_fee: valuer.feeOf(id, blockNum) }
    const [priceA, priceB] = valuer.pricesOf(pool)
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

function placeOf({ id, columns }: Table, name: string): number {
  const place = columns.findIndex((column) => column.name === name)
  if (place < 0) throw new BugError('UNKNOWN_COLUMN', `${id} has no column ${name}`)
  return place
}

function itemOf(list: Int32Array, index: number): number {
  return list[index] as number
}

/** An int8 of a chain: block numbers and global sequences are below 2^53. */
function wholeNumber(bytes: Buffer, at: number): number {
  return bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4)
}
