// What a fetch prints at its end, as `meta.fetches.unverified` keeps it: a run after a kill prints the same.
import { sorted } from '../format/sorted.ts'
import type { PackReport } from '../verify/pack-check.ts'

export interface FetchSummary {
  firstBlock: number
  block: number
  id: string
  /** Rows of the ranges of the pack. */
  rows: number
  report: PackReport
  /** Sentences: facts of the manifest that are not verified. */
  claims: readonly string[]
  /** Comparisons of rows to which no block commits that fail, and may fail for right rows. */
  doubts: readonly string[]
}

/** The parts of a summary that are not in other columns of the table or in the position. */
export type Findings = Pick<FetchSummary, 'rows' | 'report' | 'claims' | 'doubts'>

interface StoredReport {
  /** Numbers of rows that were not verified, by table. */
  rows: Record<string, number>
  /** Columns of other tables, by table. */
  columns: Record<string, string[]>
  /** Accounts whose actions were decoded by an ABI to which nothing commits. */
  abis: string[]
  /** Facts of the manifest that the publisher alone says. */
  claims: readonly string[]
  /** Comparisons that fail, and may fail for right rows. */
  doubts: readonly string[]
  /** Numbers of rows that were verified, by table. */
  equal: Record<string, number>
  /** What confirms the blocks; null without verification. */
  confirmedBy: string | null
  /** Rows of the ranges. */
  total: number
}

/**
 * As a version stored a report: 0.1.0 only the numbers of rows; later ones columns and ABIs too, and then claims and
 * doubts; this one all members.
 */
export type AnyStoredReport = (Pick<StoredReport, 'rows'> & Partial<StoredReport>) | Record<string, number>

export function storedReport({ report, claims, doubts, rows: total }: Findings): StoredReport {
  const { unverified: rows, columns, foreignAbis: abis, equal, confirmedBy } = report
  return { rows, columns, abis, claims, doubts, equal, confirmedBy, total }
}

/**
 * @param trusted  what the fetch trusted, for a report without what confirmed it
 * @returns members that an earlier version did not store are empty
 */
export function findingsOf(stored: AnyStoredReport, trusted: string | null): Findings {
  const all: Partial<StoredReport> = hasMembers(stored) ? stored : { rows: stored }
  const { rows = {}, columns = {}, abis = [], claims = [], doubts = [], equal = {}, total = 0 } = all
  const { confirmedBy = trusted && `the run before, which trusted ${trusted}` } = all
  // The database orders members in its own way.
  const report = { confirmedBy, equal: sorted(equal), unverified: sorted(rows), columns: sorted(columns) }
  return { rows: total, report: { ...report, foreignAbis: abis }, claims, doubts }
}

function hasMembers(stored: AnyStoredReport): stored is Exclude<AnyStoredReport, Record<string, number>> {
  return typeof stored.rows === 'object'
}
