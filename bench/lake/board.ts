// Generated rows of board.pool_days: the day totals that a lake holds.
import type { ViewColumn } from '../../indexer/export/view.ts'
import { POOLS, type PoolDays, startOf } from './generator.ts'
import { column, RowWriter } from './rows.ts'

/** Columns of board.pool_days. */
export const POOL_DAY_COLUMNS: readonly ViewColumn[] = [
  column('chain', 'text'),
  column('day', 'timestamptz'),
  column('pool_id', 'int8'),
  column('token_a', 'text'),
  column('token_b', 'text'),
  column('hours', 'int4'),
  column('open', 'numeric'),
  column('high', 'numeric'),
  column('low', 'numeric'),
  column('close', 'numeric'),
  column('swaps', 'int8'),
  column('volume_a', 'numeric'),
  column('volume_b', 'numeric'),
  column('volume_usd', 'numeric'),
  column('swaps_without_usd', 'int8'),
  column('fees_usd', 'numeric'),
  column('earned_usd', 'numeric'),
  column('liquidity_usd', 'numeric'),
  column('yearly_yield', 'numeric'),
]

/** Places of 10,000 of amounts and prices. */
const PLACES = 2

export class BoardWriter {
  readonly #out = new RowWriter({ isForFile: true })

  /** Data before the first day. */
  header(): Buffer {
    this.#out.header()
    return this.#out.take()
  }

  /** The pools with a swap on a day, in chunks of COPY. */
  *day(day: number, totals: PoolDays): Generator<Buffer> {
    for (let pool = 0; pool < POOLS; pool++) {
      if (totals.swaps[pool] === 0) continue
      this.#row(day, pool, totals)
      if (this.#out.isFull) yield this.#out.take()
    }
    yield this.#out.take()
  }

  /** Data after the last day. */
  end(): Buffer {
    this.#out.end()
    return this.#out.take()
  }

  #row(day: number, pool: number, { swaps, volumeA, volumeB }: PoolDays): void {
    const out = this.#out
    const usd = volumeA[pool] as number
    const price = 100_000 + pool * 37
    const fees = Math.floor((usd * 3) / 1000)
    out.row(POOL_DAY_COLUMNS.length)
    out.text('wax')
    out.time(startOf(day))
    out.int8(pool)
    out.text(`tok${pool % 1000}-token${pool % 100}.wam`)
    out.text('wax-eosio.token')
    out.int4(24)
    out.unbounded(String(price + (day % 4000)), PLACES)
    out.unbounded(String(price + 5000), PLACES)
    out.unbounded(String(price), PLACES)
    out.unbounded(String(price + ((day + 1) % 4000)), PLACES)
    out.int8(swaps[pool] as number)
    out.unbounded(String(usd), PLACES)
    out.unbounded(String(volumeB[pool]), PLACES)
    out.numeric(usd, PLACES)
    out.int8(0)
    out.unbounded(String(fees), PLACES)
    out.unbounded(String(Math.floor((fees * 5) / 6)), PLACES)
    out.unbounded(String(900_000_000_000 + pool * 1_000_003), PLACES)
    out.unbounded(String(1 + (pool % 9000)), 1)
  }
}
