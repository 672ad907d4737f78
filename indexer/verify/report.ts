// What a verification found: for each check how much was compared and what differs.

/** One value that is not what it should be. */
export interface Difference {
  /** Table and key, and the column where only one differs. */
  what: string
  expected: string
  found: string
}

export interface CheckReport {
  name: string
  /** Rows, links or values compared. */
  compared: number
  /** How many differ. */
  differing: number
  /** The first of them. */
  differences: Difference[]
  /** What could not be decided, and why. No failure. */
  notes: string[]
}

/** How many differences and notes of a check are kept. */
export const SHOWN = 20

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
