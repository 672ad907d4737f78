// Metrics of the relayer.
import { Counter, Gauge, Registry } from 'prom-client'

export class RelayMetrics {
  readonly registry = new Registry()
  readonly #registers = { registers: [this.registry] }
  readonly actions = new Counter({
    name: 'headwater_relay_actions_total',
    help: 'Actions that are in a block, by chain and action.',
    labelNames: ['chain', 'action'],
    ...this.#registers,
  })
  readonly refusals = new Counter({
    name: 'headwater_relay_refusals_total',
    help: 'Actions that a contract or a node refused, before or after they were sent. kind: later, done by another sender, never, proof, left by the settings.',
    labelNames: ['chain', 'action', 'kind'],
    ...this.#registers,
  })
  readonly proofs = new Counter({
    name: 'headwater_relay_proofs_refused_total',
    help: 'Proofs that a contract called wrong. This must never happen.',
    labelNames: ['chain'],
    ...this.#registers,
  })
  readonly foreign = new Counter({
    name: 'headwater_relay_foreign_nonces_total',
    help: 'Nonces of the key that another program has used.',
    labelNames: ['chain'],
    ...this.#registers,
  })
  readonly signerFailures = new Counter({
    name: 'headwater_relay_signer_failures_total',
    help: 'Looks at the work of a chain that ended because a signer did not sign.',
    labelNames: ['chain'],
    ...this.#registers,
  })
  readonly replacements = new Counter({
    name: 'headwater_relay_replacements_total',
    help: 'Transactions that were sent again at a higher fee, or to free a nonce.',
    labelNames: ['chain'],
    ...this.#registers,
  })
  readonly limited = new Counter({
    name: 'headwater_relay_limited_total',
    help: 'Transactions that a limit kept back: switched-off, stop-file, gas-day, gas-price-unknown, fee-cap, node-lags, balance, loss.',
    labelNames: ['chain', 'limit'],
    ...this.#registers,
  })
  readonly costUsd = new Counter({
    name: 'headwater_relay_cost_usd_total',
    help: 'USD of gas of transactions in blocks.',
    labelNames: ['chain'],
    ...this.#registers,
  })
  readonly feeUsd = new Counter({
    name: 'headwater_relay_fee_usd_total',
    help: 'USD of fees of releases in blocks.',
    labelNames: ['chain'],
    ...this.#registers,
  })
  /** Unix ms at which the oldest open transaction was written, by chain; null without any. */
  readonly #openSince = new Map<string, number | null>()
  readonly open = new Gauge({
    name: 'headwater_relay_open_transactions',
    help: 'Transactions that are in no block yet.',
    labelNames: ['chain'],
    ...this.#registers,
  })
  readonly balance = new Gauge({
    name: 'headwater_relay_balance',
    help: 'Balance of the key in the coin of the chain.',
    labelNames: ['chain'],
    ...this.#registers,
  })
  readonly lowBalance = new Gauge({
    name: 'headwater_relay_balance_low',
    help: '1 while the balance is below relay.warnBalance.',
    labelNames: ['chain'],
    ...this.#registers,
  })
  readonly work = new Gauge({
    name: 'headwater_relay_pending',
    help: 'Entries of the bridge API by what the relayer does with them: chosen, open, refused, left (refused by the settings, such as a loss), allowance (waits for the vault), no-node (its node fails or lags), or the reason to leave them.',
    labelNames: ['state'],
    ...this.#registers,
  })
  readonly oldest: Gauge
  /** Unix seconds of the next deadline, by chain. */
  readonly #deadlines = new Map<string, number>()
  readonly turns = new Counter({
    name: 'headwater_relay_turns_total',
    help: 'Looks at the work of a chain, by outcome: done, failed.',
    labelNames: ['outcome'],
    ...this.#registers,
  })
  readonly lastTurn = new Gauge({
    name: 'headwater_relay_last_turn_timestamp_seconds',
    help: 'Time of the last successful turn of a chain; before it, the start of the relayer.',
    labelNames: ['chain'],
    ...this.#registers,
  })

  constructor() {
    const openSince = this.#openSince
    this.oldest = new Gauge({
      name: 'headwater_relay_oldest_open_seconds',
      help: 'Age of the oldest transaction that is in no block yet.',
      labelNames: ['chain'],
      ...this.#registers,
      // When it is read: the age grows while a lane waits for its node.
      collect() {
        for (const [chain, since] of openSince) this.set({ chain }, since === null ? 0 : (Date.now() - since) / 1000)
      },
    })
    const deadlines = this.#deadlines
    new Gauge({
      name: 'headwater_relay_next_deadline_seconds',
      help: 'Time to the next deadline of a release that is chosen, refused, or in no block yet, below 0 after it; absent without any.',
      ...this.#registers,
      // When it is read: the time goes on while a lane waits.
      collect() {
        if (deadlines.size === 0) this.remove()
        else this.set(Math.min(...deadlines.values()) - Date.now() / 1000)
      },
    })
  }

  /** Makes the counters of alarms begin at 0, so that the first event is an increase. */
  begin(chain: string): void {
    this.proofs.inc({ chain }, 0)
    this.foreign.inc({ chain }, 0)
    this.signerFailures.inc({ chain }, 0)
    this.lastTurn.setToCurrentTime({ chain })
  }

  /** @param open  transactions that are in no block yet */
  setOpen(chain: string, open: readonly { createdAt: Date }[]): void {
    const since = Math.min(...open.map(({ createdAt }) => createdAt.getTime()))
    this.open.set({ chain }, open.length)
    this.#openSince.set(chain, open.length === 0 ? null : since)
  }

  /** @param deadline  the next one on a chain, Unix seconds; null without any, which leaves no sample for an alert */
  setDeadline(chain: string, deadline: number | null): void {
    if (deadline === null) this.#deadlines.delete(chain)
    else this.#deadlines.set(chain, deadline)
  }
}
