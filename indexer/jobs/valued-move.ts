// Moves the valued rows of a range to the ledger, and its candles to their table, a slice at a time, while the next slice
// is valued.
import type { ClientBase } from 'pg'
import type { Catalog } from '../store/catalog.ts'
import { CopyBuffer } from '../store/copy/copy-buffer.ts'
import { copyIn } from '../store/copy/copy-in.ts'
import { columnList } from '../store/ledger.ts'
import { Script } from '../store/script.ts'
import type { Valuer } from '../value/valuer.ts'
import { CandleSums } from './candle-sums.ts'
import { CANDLE_COLUMNS, candlesName, createCandles, mergeCandles, VALUED_TABLES, type ValuedTable } from './sql.ts'
import type { StagedMinute } from './staged-minutes.ts'
import { TradeRows } from './trade-rows.ts'

interface Target {
  rows: TradeRows
  /** Table with its column list. */
  into: string
}

/** Rows of a slice. */
interface Slice {
  trades: Map<ValuedTable, CopyBuffer>
  fresh: CopyBuffer
}

export class ValuedMove {
  private readonly client: ClientBase
  private readonly setId: string
  private readonly candles: CandleSums
  private readonly targets = new Map<ValuedTable, Target>()
  private slices: [Slice, Slice] = [emptySlice(), emptySlice()]
  /** Candles that began before the range. */
  private readonly continued = new CopyBuffer()
  /** Move of the previous slice. */
  private moving: Promise<void> = Promise.resolve()

  /**
   * @param client  in the transaction that takes over the range; only for this move until `settle`
   * @param begin   time of the range's first block, Unix milliseconds
   */
  constructor(client: ClientBase, catalog: Catalog, range: { chain: string; setId: string; begin: number }) {
    this.client = client
    this.setId = range.setId
    this.candles = new CandleSums(range.chain, range.begin)
    for (const name of VALUED_TABLES) {
      const table = catalog.get(`ledger.${name}`)
      if (table) this.targets.set(name, { rows: new TradeRows(table), into: `${table.id} (${columnList(table)})` })
    }
  }

  startMinute(minute: number): void {
    this.candles.startMinute(minute, { fresh: this.slices[0].fresh, continued: this.continued })
  }

  /** Values the trades of a minute. */
  add({ trades }: StagedMinute, valuer: Valuer | undefined): void {
    for (const { table, bytes } of trades) {
      const buffer = this.slices[0].trades.get(table) as CopyBuffer
      this.targets.get(table)?.rows.complete(bytes, valuer, this.candles, buffer)
    }
  }

  /** Starts to move the rows of the slice, after the previous one. @throws the previous slice's error */
  async start(): Promise<void> {
    await this.moving
    const [full, empty] = this.slices
    this.slices = [empty, full]
    this.moving = this.move(full)
    // Thrown by the next `start` or by `settle`.
    this.moving.catch(() => {})
  }

  /** Moves the last slice and the candles of the range's end. */
  async end(): Promise<void> {
    this.candles.end({ fresh: this.slices[0].fresh, continued: this.continued })
    await this.start()
    await this.moving
    if (this.continued.rows === 0) return
    await this.client.query(createCandles(this.setId))
    await copyIn(this.client, `staging.${candlesName(this.setId)} (${CANDLE_COLUMNS})`, this.continued)
    await this.client.query(mergeCandles(this.setId))
  }

  /** Waits until no statement is left, also after an error: the next one may be the rollback. */
  async settle(): Promise<void> {
    await this.moving.catch(() => {})
  }

  private async move({ trades, fresh }: Slice): Promise<void> {
    const script = new Script()
    for (const [name, buffer] of trades)
      if (buffer.rows > 0) script.copy((this.targets.get(name) as Target).into, buffer)
    if (fresh.rows > 0) script.copy(`derive.candles (${CANDLE_COLUMNS})`, fresh)
    if (!script.isEmpty) await script.run(this.client)
    for (const buffer of [...trades.values(), fresh]) buffer.clear()
  }
}

function emptySlice(): Slice {
  return { trades: new Map(VALUED_TABLES.map((name) => [name, new CopyBuffer()])), fresh: new CopyBuffer() }
}
