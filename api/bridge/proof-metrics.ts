// Prometheus metrics of proofs that clients asked for.
import { Counter, Registry } from 'prom-client'

/** `made`: sent. `none`: there is none, or not yet. `failed`: one should exist and cannot be made. */
export type ProofOutcome = 'made' | 'none' | 'failed'

/** Counts of this process. They need no database. */
export class ProofMetrics {
  readonly registry = new Registry()
  readonly #proofs = new Counter({
    name: 'headwater_bridge_proofs_total',
    help: 'Requests for a proof of a transfer, by outcome: made, none, failed.',
    labelNames: ['kind', 'outcome'],
    registers: [this.registry],
  })

  count(kind: 'deposit' | 'withdrawal', outcome: ProofOutcome): void {
    this.#proofs.inc({ kind, outcome })
  }
}
