// How many messages the node may send ahead. An acknowledgement of state history is a credit, not a receipt: credits
// are topped up before they run out, by an estimate of the frame size, so that what may arrive fits the byte budget.

export class Credits {
  readonly #budget: number
  readonly #maximum: number
  #outstanding: number
  #estimate = 1

  /**
   * @param budget   bytes that may wait in the queue
   * @param initial  credits given with the request, when nothing is known about frame sizes
   * @param maximum  most messages in flight
   */
  constructor(budget: number, initial: number, maximum: number) {
    this.#budget = budget
    this.#outstanding = initial
    this.#maximum = maximum
  }

  /** Messages that the node may still send. */
  get outstanding(): number {
    return this.#outstanding
  }

  /** A message of `bytes` came in. The estimate jumps up at once and comes down over some tens of messages. */
  received(bytes: number): void {
    this.#outstanding = Math.max(0, this.#outstanding - 1)
    this.#estimate = bytes > this.#estimate ? bytes : this.#estimate + (bytes - this.#estimate) / 16
  }

  /** Credits to send now, 0 when it is not worth a message or the queue is too full. `queued`: bytes that wait. */
  grant(queued: number): number {
    const fitting = Math.floor((this.#budget - queued) / this.#estimate)
    const wanted = Math.min(this.#maximum, Math.max(fitting, queued === 0 ? 1 : 0))
    const missing = wanted - this.#outstanding
    if (missing <= 0 || (this.#outstanding > 0 && missing < wanted / 2)) return 0
    this.#outstanding = wanted
    return missing
  }
}
