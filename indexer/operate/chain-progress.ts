// Counters of one chain's indexer, from which the progress line and the log are made.
import type { BlockHeader } from '../store/rows.ts'
import type { CommitResult } from '../store/writer.ts'

/** Parts of the indexer's time. `wait` is for the node, `decode` includes projecting. */
const STAGES = ['wait', 'decode', 'copy', 'state', 'candles', 'commit'] as const
export type Stage = (typeof STAGES)[number]

/** The counters of a source that are displayed. */
export interface SourceCounters {
  readonly waitSeconds: number
  readonly queueBytes: number
  readonly reconnects: number
}

export class ChainProgress {
  readonly chain: string
  /** First block of this run. */
  firstBlock = 0
  block = 0
  head = 0
  lib = 0
  /** Unix milliseconds. */
  blockTime = 0
  blocks = 0
  rows = 0
  forks = 0
  readonly seconds: Record<Stage, number> = { wait: 0, decode: 0, copy: 0, state: 0, candles: 0, commit: 0 }
  private readonly source: SourceCounters

  constructor(chain: string, source: SourceCounters) {
    this.chain = chain
    this.source = source
  }

  committed(last: BlockHeader, blocks: number, result: CommitResult): void {
    if (this.blocks === 0) this.firstBlock = last.num - blocks + 1
    this.block = last.num
    this.head = Math.max(last.head, last.num)
    this.lib = Math.min(last.lib, last.num)
    this.blockTime = last.time
    this.blocks += blocks
    for (const count of result.rows.values()) this.rows += count
    for (const [stage, seconds] of Object.entries(result.seconds)) this.seconds[stage as Stage] += seconds
  }

  decoded(seconds: number): void {
    this.seconds.decode += seconds
  }

  /** A copy, to compute rates later. */
  snapshot(): ProgressSnapshot {
    const { chain, block, head, lib, blockTime, blocks, rows, forks } = this
    return {
      chain,
      block,
      head,
      lib,
      blockTime,
      blocks,
      rows,
      forks,
      seconds: { ...this.seconds, wait: this.source.waitSeconds },
    }
  }
}

export interface ProgressSnapshot {
  chain: string
  block: number
  head: number
  /** Last irreversible block. */
  lib: number
  blockTime: number
  blocks: number
  rows: number
  /** Forks of this run. */
  forks: number
  seconds: Record<Stage, number>
}

/** Indexing speed between two snapshots. */
export interface Rates {
  blocksPerSecond: number
  rowsPerSecond: number
  /** The stage that took most of the time; undefined when no time passed. */
  limit: Stage | undefined
  /** Seconds until the head is reached at this rate; undefined when no block was indexed. */
  etaSeconds: number | undefined
}

/** @param elapsed  seconds between the snapshots, above 0 */
export function ratesBetween(before: ProgressSnapshot, now: ProgressSnapshot, elapsed: number): Rates {
  const blocksPerSecond = (now.blocks - before.blocks) / elapsed
  const spent = STAGES.map((stage) => ({ stage, seconds: now.seconds[stage] - before.seconds[stage] }))
  const longest = spent.reduce((a, b) => (b.seconds > a.seconds ? b : a))
  const lag = now.head - now.block
  return {
    blocksPerSecond,
    rowsPerSecond: (now.rows - before.rows) / elapsed,
    limit: longest.seconds > 0 ? longest.stage : undefined,
    etaSeconds: lag === 0 ? 0 : blocksPerSecond > 0 ? lag / blocksPerSecond : undefined,
  }
}
