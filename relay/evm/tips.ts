// The least tip that the nodes of a chain take, learned from their refusals. A transaction below it is in no pool, and
// would hold back all later nonces.

/** Texts of nodes about a tip that is too low for their pool. */
const TOO_LOW = /underpriced|below (?:the )?(?:configured )?minimum|(?:gas price|fee) ?too ?low|tip (?:cap )?too low/i
/** The least tip in such a text, wei. */
const LEAST = /(?:minimum|tip) needed:? (\d{1,30})/i
/** How long it counts, ms. Then the tip of the settings is offered again. */
const KEPT_MS = 3_600_000

export class TipFloor {
  #tip = 0n
  #until = 0

  /** Wei a unit of gas; 0 when none is known. */
  get tip(): bigint {
    return Date.now() < this.#until ? this.#tip : 0n
  }

  /**
   * Learns from a refusal.
   *
   * @param reason     text of the node
   * @param offered    tip of the transaction
   * @param cap        most that a unit of gas may cost: more is not learned
   * @param suggested  asks the node; null when it has no suggestion
   */
  async learn(reason: string, offered: bigint, cap: bigint, suggested: () => Promise<bigint | null>): Promise<void> {
    if (!TOO_LOW.test(reason)) return
    const least = LEAST.exec(reason)?.[1]
    const wanted = least === undefined ? larger(await suggested(), offered * 2n) : BigInt(least)
    this.#tip = wanted < cap ? wanted : cap
    this.#until = Date.now() + KEPT_MS
  }
}

const larger = (a: bigint | null, b: bigint): bigint => (a !== null && a > b ? a : b)
