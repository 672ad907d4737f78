// Rows that a worker keeps for the valuation of its range. Staged current rows have only their last version, but prices
// follow the pools minute by minute. The process that takes over the range computes the values.
import { minuteOf } from '../project/projection.ts'
import type { BlockRows, StateRow } from '../store/rows.ts'

/** Tables of `state` on which prices and values depend, with their key members. */
export const JOURNALED = {
  pools: ['poolId'],
  markets: ['marketId'],
  orders: ['marketId', 'side', 'orderId'],
} as const
export type Journaled = keyof typeof JOURNALED

export interface JournalRow {
  table: Journaled
  /** Start of the minute, Unix milliseconds. */
  minute: number
  row: StateRow
}

/** Keeps the last version of each row in each minute. A removal is kept in addition to the last version before it. */
export class PriceJournal {
  private minute = 0
  private readonly open = new Map<string, JournalRow>()
  private finished: JournalRow[] = []

  /** @param time  of the rows' block, Unix milliseconds; never decreases */
  note({ state }: Pick<BlockRows, 'state'>, time: number): void {
    const minute = minuteOf(time)
    if (minute !== this.minute) this.close()
    this.minute = minute
    for (const row of state) {
      if (!(row.table in JOURNALED)) continue
      const table = row.table as Journaled
      const id = JOURNALED[table].map((member) => (row.row as Record<string, unknown>)[member]).join(' ')
      this.open.set(`${table} ${id} ${row.present}`, { table, minute, row })
    }
  }

  /** Takes the rows of all finished minutes. */
  take(): JournalRow[] {
    const rows = this.finished
    this.finished = []
    return rows
  }

  /** Finishes the current minute. */
  close(): void {
    for (const row of this.open.values()) this.finished.push(row)
    this.open.clear()
  }
}
