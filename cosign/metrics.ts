// Metrics of the cosigner.
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { CpuMonitor } from './cpu-monitor.ts'
import type { Unbounded } from './unbounded.ts'

export class CosignMetrics {
  readonly registry = new Registry()
  private readonly requests = new Counter({
    name: 'headwater_cosign_requests_total',
    help: 'Requests for a signature: signed, unavailable, or why they were refused.',
    labelNames: ['outcome'],
    registers: [this.registry],
  })
  private readonly seconds = new Histogram({
    name: 'headwater_cosign_seconds',
    help: 'Time from a request to its signature or refusal.',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2],
    registers: [this.registry],
  })

  /**
   * @param cpu  null without a node
   * @param now  Unix milliseconds
   */
  constructor(cpu: CpuMonitor | null, unbounded: Unbounded, now: () => number) {
    // They begin at 0, so that the first request is an increase.
    for (const outcome of ['signed', 'unavailable']) this.requests.inc({ outcome }, 0)
    new Counter({
      name: 'headwater_cosign_unbounded_total',
      help: 'Transactions that were signed without max_cpu_usage_ms.',
      registers: [this.registry],
      collect() {
        this.reset()
        this.inc(unbounded.total)
      },
    })
    new Gauge({
      name: 'headwater_cosign_unbounded_transactions',
      help: 'Those of them that have not expired.',
      registers: [this.registry],
      collect() {
        this.set(unbounded.cost(now()).transactions)
      },
    })
    new Gauge({
      name: 'headwater_cosign_unbounded_cpu_seconds',
      help: 'The most CPU that those can cost the payer: the limit of the chain for each.',
      registers: [this.registry],
      collect() {
        this.set(unbounded.cost(now()).cpuMs / 1000)
      },
    })
    if (cpu === null) return
    new Gauge({
      name: 'headwater_cosign_cpu_percent',
      help: 'CPU that the payer has used; absent before the first check.',
      registers: [this.registry],
      collect() {
        if (cpu.cpu !== null) this.set(cpu.cpu.percent)
      },
    })
    new Gauge({
      name: 'headwater_cosign_throttled',
      help: '1 while limits are halved.',
      registers: [this.registry],
      collect() {
        this.set(cpu.throttled ? 1 : 0)
      },
    })
  }

  /** @param ms  duration of the request */
  note(outcome: string, ms: number): void {
    this.requests.inc({ outcome })
    this.seconds.observe(ms / 1000)
  }
}
