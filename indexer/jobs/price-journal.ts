// What a worker leaves for the valuation of its range beside the rows themselves: staged current rows are only the last
// version, but prices follow the pools minute by minute. Whoever takes the range over values it then, in its turn.
import { minuteOf } from '../project/projection.ts'
import type { BlockRows, StateRow } from '../store/rows.ts'

/** Tables of `state` whose rows prices and values depend on, with the members that tell their rows apart. */
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

/** Keeps the last version of each row in each minute; a removal stands beside the last version before it. */
export class PriceJournal {
  private minute = 0
  private readonly open = new Map<string, JournalRow>()
  private finished: JournalRow[] = []

  /** @param time  of the block whose rows these are, Unix milliseconds; never falls */
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

  /** Takes the rows of all minutes that are over. */
  take(): JournalRow[] {
    const rows = this.finished
    this.finished = []
    return rows
  }

  /** Ends the minute: nothing more of it comes. */
  close(): void {
    for (const row of this.open.values()) this.finished.push(row)
    this.open.clear()
  }
}
