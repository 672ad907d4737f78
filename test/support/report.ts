// Prints a test run: a line per file with its time and its processor time, the whole output of a failed file, and at the
// end the times of each folder.
import { join } from 'node:path'
import { SourcePositions } from './source-positions.ts'

export interface Counts {
  passed: number
  failed: number
}

/** A test file that has ended. */
export interface Ended {
  name: string
  seconds: number
  /** Its output in TAP. */
  lines: readonly string[]
  /** Why it did not end by itself with exit code 0; null when it did. */
  trouble: string | null
}

/** Sums of the files of a folder, in seconds. */
interface Folder {
  seconds: number
  processor: number
  files: number
}

/** Counts assertions and prints results. A file that ended before its final totals counts as failed too. */
export class Report {
  readonly totals: Counts = { passed: 0, failed: 0 }
  private readonly print: (line: string) => void
  private readonly byFolder = new Map<string, Folder>()
  private readonly positions = new SourcePositions(join(import.meta.dirname, '../..'))

  /** @param print  takes the lines to show */
  constructor(print: (line: string) => void) {
    this.print = print
  }

  file({ name, seconds, lines, trouble }: Ended): void {
    const own = lines.findLast((line) => /^# \{ total: .* \}$/.test(line))
    const isEmpty = lines.some((line) => line.startsWith('1..0'))
    const failed = own === undefined ? 0 : count(own, 'fail')
    const isFailed = trouble !== null || failed > 0 || (own === undefined && !isEmpty)
    this.totals.passed += own === undefined ? 0 : count(own, 'pass')
    this.totals.failed += Math.max(failed, isFailed ? 1 : 0)
    const processor = processorTime(lines)
    this.addTime(name, seconds, processor)
    this.print(`${isFailed ? 'FAIL' : 'ok  '} ${times(seconds, processor, 6)} ${name}`)
    if (!isFailed) return
    for (const line of this.positions.translate(failures(lines).join('\n')).split('\n')) this.print(`     ${line}`)
    this.print(`     ${trouble ?? 'failed'}`)
  }

  /** Prints the time of each folder, longest first. Files run in parallel, so the sum exceeds the time of the run. */
  folders(): void {
    const sorted = [...this.byFolder].sort(([, a], [, b]) => b.seconds - a.seconds)
    this.print('')
    for (const [folder, { seconds, processor, files }] of sorted)
      this.print(`${times(seconds, processor, 10)} ${folder} (${files} ${files === 1 ? 'file' : 'files'})`)
  }

  /** A file counts for the first two parts of its path: `test/core` for `test/core/book/match.test.ts`. */
  private addTime(name: string, seconds: number, processor: number): void {
    const folder = name.split('/').slice(0, -1).slice(0, 2).join('/')
    const sum = this.byFolder.get(folder) ?? { seconds: 0, processor: 0, files: 0 }
    this.byFolder.set(folder, {
      seconds: sum.seconds + seconds,
      processor: sum.processor + processor,
      files: sum.files + 1,
    })
  }
}

/** Seconds that `processor-time.js` printed; 0 for a file that was killed. */
function processorTime(lines: readonly string[]): number {
  return Number(lines.join('\n').match(/^# processor time: ([\d.]+) s$/m)?.[1] ?? 0)
}

/** The time and the processor time. */
function times(seconds: number, processor: number, width: number): string {
  return `${seconds.toFixed(1).padStart(width)} s ${processor.toFixed(1).padStart(6)} s`
}

/** Lines of failed results with their details, and lines that are not TAP results. */
function failures(lines: readonly string[]): string[] {
  const shown: string[] = []
  let detail = false
  for (const line of lines) {
    if (/^\s*not ok /.test(line)) detail = true
    else if (/^\s*(ok \d|# Subtest|\d+\.\.\d+)/.test(line)) detail = false
    if (detail || !/^\s*(ok \d|# |\d+\.\.\d+|TAP version|$)/.test(line)) shown.push(line)
  }
  return shown.slice(0, 400)
}

function count(totals: string, name: string): number {
  return Number(totals.match(new RegExp(`\\b${name}: (\\d+)`))?.[1] ?? 0)
}
