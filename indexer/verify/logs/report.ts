// Result of `headwater logs check`: types, and its form as text.
import { TAKE_COPY } from '../../source/logs/faults.ts'
import type { BlockRange } from '../../source/ranges.ts'

export interface LogProblem {
  code: string
  message: string
  block?: number
  file?: string
  offset?: number
  /** What to do, when it is not to replace the file. */
  hint?: string
}

export interface LogSummary {
  /** `trace_history`, `chain_state_history`, `finality_data_history`, `blocks`. */
  log: string
  files: { path: string; bytes: number; from: number | null; to: number | null; isPruned: boolean }[]
  bytes: number
  /** Range of readable blocks, inclusive. */
  ranges: BlockRange[]
  /** Number of blocks between the first and the last one that are in no file. */
  missing: BlockRange[]
  /** Entries by the form of their payload: Spring writes `stored size`, Leap 4 and 5 write `zlib size`. */
  payloads: Record<string, number>
  warnings: string[]
}

/** Numbers of blocks for which each fact was verified. */
export interface Verified {
  /** The header hashes to the id, and the id is the same in all logs that have the block. */
  ids: number
  /** The block links to the previous block. */
  links: number
  /** The transactions match the root in the header. */
  transactionRoots: number
  /** The traces belong to the block's transactions: ids, status, CPU and NET. */
  transactions: number
  /** The actions match the root in the header, before Savanna. */
  legacyRoots: number
  /** The actions match the root in the finality data, to which later blocks commit. */
  savannaRoots: number
  /** Blocks whose finality data later blocks of the logs commit to. */
  finality: number
  /** Certificates of finalizers. */
  certificates: number
}

export interface LogsReport {
  folders: string[]
  chainId: string | null
  logs: LogSummary[]
  /** Range of checked blocks; null if there are none. */
  checked: BlockRange | null
  verified: Verified
  /** The last block that the newest verified certificate makes final; null without one. */
  finalBlock: number | null
  /** Finalizer policies in force: generation, block in which it became pending, SHA-256 of the packed policy. */
  policies: { generation: number; block: number; digest: string }[]
  /** Facts that could not be verified, with reasons. */
  unverified: string[]
  /** Data in these logs to which no block commits. */
  uncommitted: string[]
  problems: LogProblem[]
  /** Number of problems, including unlisted ones. */
  problemCount: number
  ok: boolean
}

/** Data to which no chain commits, in any logs. */
export const UNCOMMITTED = [
  'table deltas (chain_state_history): every row; only the checksum of an entry guards them',
  'traces: console output, elapsed times, RAM deltas, error texts, ordinals, and traces of failed actions',
  'blocks: signatures of producers, and certificates between the verified ones',
]

const many = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`
const rangeText = ({ from, to }: BlockRange): string => (from === to ? `${from}` : `${from} to ${to}`)
const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`

/** The report as text, one fact per line. */
export function logsText(report: LogsReport): string {
  const { chainId, logs, checked, verified: v, policies, unverified, uncommitted, problems, problemCount } = report
  const lines = [`chain ${chainId ?? 'not known: neither a block log nor the first table deltas name it'}`]
  for (const { log, files, bytes, ranges, missing, payloads, warnings } of logs) {
    const found = ranges.length === 0 ? 'no block' : `blocks ${ranges.map(rangeText).join(', ')}`
    lines.push(`${log}: ${found}, ${many(files.length, 'file')}, ${mib(bytes)}`)
    for (const { path, from, to, isPruned } of files)
      lines.push(`        ${path}: ${from === null ? 'empty' : `${from} to ${to}`}${isPruned ? ', pruned' : ''}`)
    if (missing.length > 0) lines.push(`        missing: ${missing.map(rangeText).join(', ')}`)
    const forms = Object.entries(payloads).map(([form, count]) => `${count} ${form}`)
    if (forms.length > 0) lines.push(`        payloads: ${forms.join(', ')}`)
    for (const warning of warnings) lines.push(`        note: ${warning}`)
  }
  lines.push(checked ? `checked: blocks ${rangeText(checked)}` : 'checked: no block')
  lines.push(
    `verified: ${many(v.ids, 'id')}, ${many(v.links, 'link')}, ${many(v.transactionRoots, 'transaction root')}`,
  )
  lines.push(`verified: transactions of ${many(v.transactions, 'block')} against their traces`)
  lines.push(`verified: ${many(v.legacyRoots, 'action root')} before Savanna, ${v.savannaRoots} under Savanna`)
  lines.push(`verified: finality data of ${many(v.finality, 'block')}, ${many(v.certificates, 'certificate')}`)
  if (report.finalBlock !== null) lines.push(`final by certificate: block ${report.finalBlock}`)
  for (const { generation, block, digest } of policies)
    lines.push(`finalizer policy ${generation} since block ${block}: ${digest}`)
  for (const what of unverified) lines.push(`not verified: ${what}`)
  for (const what of uncommitted) lines.push(`no block commits to: ${what}`)
  let last = ''
  for (const { code, message, hint = TAKE_COPY } of problems) {
    lines.push(`FAIL  ${code}: ${message}`)
    if (hint !== last) lines.push(`      hint: ${hint}`)
    last = hint
  }
  if (problemCount > problems.length) lines.push(`FAIL  ${problemCount - problems.length} more problems`)
  lines.push(problemCount === 0 ? 'ok' : many(problemCount, 'problem'))
  return `${lines.join('\n')}\n`
}
