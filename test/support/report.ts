// What a person sees of a test run: a line per file with its time, and of a failed file all that it said.

export interface Counts {
  passed: number
  failed: number
}

/**
 * Reads tap's output a line at a time. Lines of a file are indented and come before the file's own result:
 *
 *     ok 7 - test/core/amm/swap.test.ts # time=812.4ms
 *
 * @param print  takes the lines to show
 */
export class Report {
  private file: string[] = []
  private counts: Counts = { passed: 0, failed: 0 }

  private readonly print: (line: string) => void

  constructor(print: (line: string) => void) {
    this.print = print
  }

  /** Totals that tap wrote for itself; nothing counts when it did not get that far. */
  get totals(): Counts {
    return this.counts
  }

  line(text: string): void {
    const result = text.match(/^(not )?ok \d+ - (.*?)(?: # time=([\d.]+)(ms|s|m))?(?: \{)?$/)
    const totals = text.match(/^# \{ total: .* \}$/)
    if (totals) this.counts = { passed: count(text, 'pass'), failed: count(text, 'fail') }
    if (!result || text.startsWith(' ')) {
      this.file.push(text)
      return
    }
    const failed = result[1] !== undefined
    this.print(`${failed ? 'FAIL' : 'ok  '} ${seconds(result[3], result[4])} ${result[2]}`)
    if (failed) for (const line of failures(this.file)) this.print(`     ${line}`)
    this.file = []
  }
}

/** The lines that say what went wrong: results that are not ok with their details, and what is no result at all. */
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

function seconds(amount: string | undefined, unit: string | undefined): string {
  const factor = unit === 'ms' ? 0.001 : unit === 'm' ? 60 : 1
  return `${(Number(amount ?? 0) * factor).toFixed(1).padStart(6)} s`
}
