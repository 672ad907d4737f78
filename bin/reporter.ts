// Reports progress while chains are indexed: one bar per chain on a terminal, with the relayers of the database below;
// otherwise a log line every ten seconds.
import { type ChainProgress, type ProgressSnapshot, ratesBetween } from '../indexer/operate/chain-progress.ts'
import { progressLine } from '../indexer/operate/progress-line.ts'
import type { Log, Terminal } from './cli/log.ts'
import { RelayWatch } from './relay-watch.ts'

const TERMINAL_INTERVAL = 1000
const LOG_INTERVAL = 10_000

export class Reporter {
  private readonly log: Log & { terminal: Terminal | undefined }
  private readonly chains = new Map<ChainProgress, ProgressSnapshot>()
  private readonly timer: NodeJS.Timeout
  private last = performance.now()
  private relayers: RelayWatch | undefined

  constructor(log: Log & { terminal: Terminal | undefined }) {
    this.log = log
    this.timer = setInterval(() => this.report(), log.terminal ? TERMINAL_INTERVAL : LOG_INTERVAL)
    this.timer.unref()
  }

  add(progress: ChainProgress): void {
    this.chains.set(progress, progress.snapshot())
  }

  /** Shows the relayers of a database, on a terminal. @param limitUsd  relay.gasUsdDay, where it is known */
  watchRelayers(databaseUrl: string, limitUsd: number | undefined): void {
    if (this.log.terminal) this.relayers = new RelayWatch(databaseUrl, limitUsd)
  }

  stop(): void {
    clearInterval(this.timer)
    this.relayers?.stop()
    this.log.terminal?.setFooter('')
  }

  private report(): void {
    const now = performance.now()
    const elapsed = (now - this.last) / 1000
    this.last = now
    const lines = [...this.chains].map(([progress, before]) => {
      const at = progress.snapshot()
      this.chains.set(progress, at)
      const rates = ratesBetween(before, at, elapsed)
      if (this.log.terminal) return progressLine(at, rates, progress.firstBlock, Date.now())
      const { chain, block, head, lib, blocks, rows, forks } = at
      this.log.info('progress', { chain, block, head, lib, blocks, rows, forks, ...rounded(rates) })
      return ''
    })
    lines.push(...(this.relayers?.lines() ?? []))
    this.log.terminal?.setFooter(lines.map((line) => line.slice(0, (process.stderr.columns ?? 80) - 1)).join('\n'))
  }
}

function rounded(rates: object): Record<string, unknown> {
  const entries = Object.entries(rates).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'number' ? Math.round(value) : value]),
  )
}
