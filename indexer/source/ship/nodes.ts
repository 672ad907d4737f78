// The state-history nodes of a chain: the order in which they are used, and which of them sent an unusable block. Only
// when every node has sent the same unusable block is the block itself at fault.

interface Fault {
  block: number
  times: number
  /** `performance.now()`, ms. */
  at: number
}

/** Time for which a node that sent an unusable block is used only after all others, ms. */
const REST_MS = 300_000
/** Minimum number of receipts of an unusable block, over all nodes: bytes may be damaged in transit. */
const MIN_TIMES = 3

export class Nodes {
  readonly #urls: readonly string[]
  readonly #now: () => number
  readonly #faults = new Map<string, Fault>()
  /** Index of the node that last sent a block. */
  #proven = 0

  /** @param urls  at least one, by preference */
  constructor(urls: readonly string[], now: () => number = () => performance.now()) {
    this.#urls = urls
    this.#now = now
  }

  /** Records that a node sent a block: it is used first from now on, unless it has a fault. */
  succeeded(url: string): void {
    this.#proven = Math.max(0, this.#urls.indexOf(url))
  }

  /** All addresses, in the order of use. */
  order(): string[] {
    const urls = this.#urls.map((_, turn) => this.#urls[(this.#proven + turn) % this.#urls.length] as string)
    const rests = urls.filter((url) => this.rests(url))
    return [...urls.filter((url) => !rests.includes(url)), ...rests]
  }

  /**
   * Records that a node sent an unusable block.
   *
   * @returns whether all nodes have sent it, at least MIN_TIMES times in all
   */
  blame(url: string, block: number): boolean {
    const before = this.#faults.get(url)
    const times = before?.block === block ? before.times + 1 : 1
    this.#faults.set(url, { block, times, at: this.#now() })
    const faults = this.#urls.map((each) => this.#faults.get(each)).filter((fault) => fault?.block === block)
    const sum = faults.reduce((total, fault) => total + (fault?.times ?? 0), 0)
    return faults.length === this.#urls.length && sum >= MIN_TIMES
  }

  /** Whether a node sent an unusable block recently. */
  rests(url: string): boolean {
    const fault = this.#faults.get(url)
    return fault !== undefined && this.#now() - fault.at < REST_MS
  }
}
