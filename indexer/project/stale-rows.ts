// Marks contract rows whose last change could not be decoded, until a later change of the row can be. The set in memory
// has every row that may be marked. Rows are never removed from the set, because a fork may restore a mark. To clear a
// mark twice is harmless.
import { TimePoint } from '../../core/antelope/time-point.ts'
import type { UndecodedRow } from '../decode/decoded.ts'
import type { StateRow } from '../store/rows.ts'
import type { StoredMark } from '../store/stale-marks.ts'
import type { CurrentKey } from './projection.ts'

/** Identifies a contract's row. */
export type RowKey = Pick<UndecodedRow, 'code' | 'scope' | 'scopeRaw' | 'table' | 'primaryKey' | 'present'>

export class StaleRows {
  /** Rows that were marked at some time. */
  private readonly known = new Set<string>()

  /** Loads the marks of the database. */
  load(marks: Iterable<StoredMark>): void {
    for (const { contract, scope, tableName, primaryKey } of marks)
      this.known.add(keyOf({ code: contract, scope, table: tableName, primaryKey }))
  }

  has(row: Pick<RowKey, 'code' | 'scope' | 'table' | 'primaryKey'>): boolean {
    return this.known.size > 0 && this.known.has(keyOf(row))
  }

  /** Current row that removes a row's mark. */
  markRemoval(row: RowKey): StateRow {
    return { table: 'stale_rows', row: markKey(row), present: false }
  }

  /** Current rows that mark a row as stale. For a removed row with a known key: the removal of the current row. */
  markRows(row: UndecodedRow, block: { num: number; time: number }, { table, key }: CurrentKey): StateRow[] {
    if (!row.present && key !== null) {
      const removed = { table, row: key, present: false }
      return this.has(row) ? [removed, this.markRemoval(row)] : [removed]
    }
    this.known.add(keyOf(row))
    const mark = {
      ...markKey(row),
      changedBlock: block.num,
      changedAt: TimePoint.ofMs(block.time),
      removed: !row.present,
      currentTable: table,
      currentKey: key === null ? null : Object.values(key).map(String),
      reasonCode: row.reasonCode,
      reason: row.reason,
    }
    return [{ table: 'stale_rows', row: mark, present: true }]
  }
}

function markKey({ code, scope, table, primaryKey }: RowKey): object {
  return { contract: code, scope, tableName: table, primaryKey }
}

function keyOf({ code, scope, table, primaryKey }: Pick<RowKey, 'code' | 'scope' | 'table' | 'primaryKey'>): string {
  return `${code}/${scope}/${table}/${primaryKey}`
}
