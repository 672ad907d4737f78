// Prometheus metrics of proofs that clients asked for.
import { Counter, Registry } from 'prom-client'

/**
 * - `made`: the proof was sent.
 * - `none`: the proof does not exist yet or at all, or a setting that it needs is missing.
 * - `delayed`: a node or the database did not answer in time, or the proof is still being built.
 * - `failed`: the proof should exist, but cannot be built from the stored data.
 */
const OUTCOMES = ['made', 'none', 'delayed', 'failed'] as const
export type ProofOutcome = (typeof OUTCOMES)[number]

/** Counters of this process, which start at 0 with the process. */
export class ProofMetrics {
  readonly registry = new Registry()
  readonly #proofs = new Counter({
    name: 'headwater_bridge_proofs_total',
    help: 'Requests for a proof of a transfer, by outcome: made, none, delayed, failed.',
    labelNames: ['kind', 'outcome'],
    registers: [this.registry],
  })

  constructor() {
    // Each series starts at 0, because the function `increase` of Prometheus ignores the first value of a series.
    for (const kind of ['deposit', 'withdrawal']) for (const outcome of OUTCOMES) this.#proofs.inc({ kind, outcome }, 0)
  }

  count(kind: 'deposit' | 'withdrawal', outcome: ProofOutcome): void {
    this.#proofs.inc({ kind, outcome })
  }
}
