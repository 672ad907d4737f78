// Number of messages that the node may send ahead. An acknowledgement of state history grants credits, it is no
// receipt: credits are renewed before they run out, by an estimate of the frame size, so that the frames fit the byte
// budget.

export class Credits {
  readonly #budget: number
  readonly #maximum: number
  #outstanding: number
  #estimate = 1

  /**
   * @param budget   queue limit, bytes
   * @param initial  credits of the request, while frame sizes are unknown
   * @param maximum  limit of messages in flight
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

  /** Records a received message. The estimate rises at once, and falls over some tens of messages. */
  received(bytes: number): void {
    this.#outstanding = Math.max(0, this.#outstanding - 1)
    this.#estimate = bytes > this.#estimate ? bytes : this.#estimate + (bytes - this.#estimate) / 16
  }

  /** Credits to send now; 0 when too few or the queue is too full. `queued`: bytes in the queue. */
  grant(queued: number): number {
    const fitting = Math.floor((this.#budget - queued) / this.#estimate)
    const wanted = Math.min(this.#maximum, Math.max(fitting, queued === 0 ? 1 : 0))
    const missing = wanted - this.#outstanding
    if (missing <= 0 || (this.#outstanding > 0 && missing < wanted / 2)) return 0
    this.#outstanding = wanted
    return missing
  }
}
