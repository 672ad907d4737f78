// Prometheus metrics of recurring jobs.
import { Counter, Gauge, type Registry } from 'prom-client'

export class JobMetrics {
  readonly #runs: Counter
  readonly #seconds: Counter
  readonly #success: Gauge

  constructor(registry: Registry) {
    const registers = [registry]
    // Not `job`: Prometheus sets that label itself.
    const labelNames = ['task']
    this.#runs = new Counter({
      name: 'headwater_job_runs_total',
      help: 'Runs of recurring jobs in this process, by outcome: done, failed.',
      labelNames: ['task', 'outcome'],
      registers,
    })
    this.#seconds = new Counter({
      name: 'headwater_job_seconds_total',
      help: 'Seconds spent in recurring jobs.',
      ...{ labelNames, registers },
    })
    this.#success = new Gauge({
      name: 'headwater_job_last_success_timestamp_seconds',
      help: 'Time of the last successful run of a recurring job in this process, Unix seconds.',
      ...{ labelNames, registers },
    })
  }

  /** Registers a job: it has not succeeded yet. */
  add(task: string): void {
    for (const outcome of ['done', 'failed']) this.#runs.inc({ task, outcome }, 0)
    this.#success.set({ task }, 0)
  }

  ran(task: string, seconds: number, isDone: boolean): void {
    this.#runs.inc({ task, outcome: isDone ? 'done' : 'failed' })
    this.#seconds.inc({ task }, seconds)
    if (isDone) this.#success.set({ task }, Date.now() / 1000)
  }
}
