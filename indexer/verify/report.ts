// Results of a verification: for each check, the number of compared values and the differences.

/** One wrong value. */
interface Difference {
  /** Table and key, and the column if only one differs. */
  what: string
  expected: string
  found: string
}

export interface CheckReport {
  name: string
  /** Number of rows, links or values compared. */
  compared: number
  /** Number of differences. */
  differing: number
  /** The first differences, at most SHOWN. */
  differences: Difference[]
  /** Undecidable cases with the reason. Not failures. */
  notes: string[]
}

/** Limit of differences and of notes kept for a check. */
const SHOWN = 20

/** Collects the findings of one check in constant memory. */
export class Findings {
  private readonly report: CheckReport

  constructor(name: string) {
    this.report = { name, compared: 0, differing: 0, differences: [], notes: [] }
  }

  compared(count = 1): void {
    this.report.compared += count
  }

  differ(what: string, expected: unknown, found: unknown): void {
    this.report.differing++
    if (this.report.differences.length < SHOWN) {
      this.report.differences.push({ what, expected: String(expected), found: String(found) })
    }
  }

  /** Compares two values of the same type. */
  equal(what: string, expected: bigint | number | string | boolean, found: bigint | number | string | boolean): void {
    this.report.compared++
    if (expected !== found) this.differ(what, expected, found)
  }

  note(text: string): void {
    if (this.report.notes.length < SHOWN) this.report.notes.push(text)
  }

  finish(): CheckReport {
    return this.report
  }
}
