// Prometheus metrics of proofs that clients asked for.
import { Counter, Registry } from 'prom-client'

/**
 * - `made`: sent.
 * - `none`: the proof does not exist, or not yet; or the configuration lacks what it needs.
 * - `delayed`: a node or the database did not answer in time, or the proof is still being made.
 * - `failed`: the stored data do not give the proof that should exist.
 */
const OUTCOMES = ['made', 'none', 'delayed', 'failed'] as const
export type ProofOutcome = (typeof OUTCOMES)[number]

/** Counts of this process. They need no database. */
export class ProofMetrics {
  readonly registry = new Registry()
  readonly #proofs = new Counter({
    name: 'headwater_bridge_proofs_total',
    help: 'Requests for a proof of a transfer, by outcome: made, none, delayed, failed.',
    labelNames: ['kind', 'outcome'],
    registers: [this.registry],
  })

  constructor() {
    // `increase` does not see the first value of a series.
    for (const kind of ['deposit', 'withdrawal']) for (const outcome of OUTCOMES) this.#proofs.inc({ kind, outcome }, 0)
  }

  count(kind: 'deposit' | 'withdrawal', outcome: ProofOutcome): void {
    this.#proofs.inc({ kind, outcome })
  }
}
