// Prometheus metrics that only the indexer's process knows. The server of /metrics reads positions and lag from the
// database.
import { statfsSync } from 'node:fs'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { HeadwaterError } from '../../core/errors.ts'
import type { CommitResult } from '../store/writer.ts'
import type { SourceCounters } from './chain-progress.ts'
import { JobMetrics } from './job-metrics.ts'

const COMMIT_BUCKETS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]
const DEPTH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

export class IndexerMetrics {
  readonly registry = new Registry()
  readonly jobs = new JobMetrics(this.registry)
  private readonly sources = new Map<string, SourceCounters>()
  private readonly blocks = this.counter('blocks_total', 'Blocks committed.', 'chain')
  private readonly rows = this.counter('rows_total', 'Rows written, by table.', 'chain', 'table')
  private readonly stages = this.counter('stage_seconds_total', 'Seconds spent, by stage.', 'chain', 'stage')
  private readonly anomalies = this.counter('anomalies_total', 'Anomalies of the source, by kind.', 'chain', 'kind')
  private readonly undecoded = this.counter(
    'undecoded_rows_total',
    'Changes of rows that could not be decoded.',
    'chain',
    'contract',
    'table',
  )
  private readonly retries = this.counter('retries_total', 'Passing errors, by code.', 'chain', 'code')
  private readonly latency = this.histogram(
    'commit_seconds',
    'Seconds from the first frame of a batch to its rows being visible.',
    COMMIT_BUCKETS,
  )
  private readonly depth = this.histogram('fork_depth_blocks', 'Blocks undone by a fork.', DEPTH_BUCKETS)

  constructor() {
    collectDefaultMetrics({ register: this.registry })
    this.sourceGauge('queue_bytes', 'Bytes received from the node and not yet taken.', (source) => source.queueBytes)
    this.sourceGauge('source_wait_seconds', 'Seconds spent waiting for the node.', (source) => source.waitSeconds)
    this.sourceGauge('source_reconnects', 'Connections to nodes after the first one.', (source) => source.reconnects)
  }

  /** Reports the free room of the database's disk. @param folder  on this disk */
  watchDisk(folder: string): void {
    new Gauge({
      name: 'headwater_disk_free_bytes',
      help: 'Free bytes of the disk of the database.',
      registers: [this.registry],
      collect() {
        try {
          const { bavail, bsize } = statfsSync(folder)
          this.set(bavail * bsize)
        } catch {
          // Without the folder there is no value; the other metrics stay.
          this.reset()
        }
      },
    })
  }

  watchSource(chain: string, source: SourceCounters): void {
    this.sources.set(chain, source)
  }

  committed(chain: string, blocks: number, result: CommitResult, seconds: number): void {
    this.blocks.inc({ chain }, blocks)
    this.latency.observe({ chain }, seconds)
    for (const [table, rows] of result.rows) this.rows.inc({ chain, table }, rows)
    for (const [stage, spent] of Object.entries(result.seconds)) this.stages.inc({ chain, stage }, spent)
  }

  decoded(chain: string, seconds: number): void {
    this.stages.inc({ chain, stage: 'decode' }, seconds)
  }

  forked(chain: string, depth: number): void {
    this.depth.observe({ chain }, depth)
  }

  /** Called when a contract's row cannot be decoded. */
  refused(chain: string, contract: string, table: string): void {
    this.undecoded.inc({ chain, contract, table })
  }

  anomaly(chain: string, kind: string): void {
    this.anomalies.inc({ chain, kind })
  }

  retrying(chain: string, error: HeadwaterError): void {
    this.retries.inc({ chain, code: error.code })
  }

  private counter(name: string, help: string, ...labelNames: string[]): Counter {
    return new Counter({ name: `headwater_${name}`, help, labelNames, registers: [this.registry] })
  }

  private histogram(name: string, help: string, buckets: number[]): Histogram {
    return new Histogram({
      name: `headwater_${name}`,
      help,
      buckets,
      labelNames: ['chain'],
      registers: [this.registry],
    })
  }

  private sourceGauge(name: string, help: string, read: (source: SourceCounters) => number): void {
    const { sources } = this
    new Gauge({
      name: `headwater_${name}`,
      help,
      labelNames: ['chain'],
      registers: [this.registry],
      collect() {
        for (const [chain, source] of sources) this.set({ chain }, read(source))
      },
    })
  }
}
