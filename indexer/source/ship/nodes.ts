// The state-history nodes of a chain: which one is asked next, and which of them have sent a block that cannot be used.
// Such a block is its node's fault until all nodes have sent it so.

interface Fault {
  block: number
  times: number
  /** Milliseconds of the process's clock. */
  at: number
}

/** How long a node with a fault is asked after all others. */
const REST_MS = 300_000
/** Times that a block must have come so in all: bytes may be damaged on their way, also those of a node that is alone. */
const ENOUGH = 3

export class Nodes {
  readonly #urls: readonly string[]
  readonly #now: () => number
  readonly #faults = new Map<string, Fault>()
  /** Place of the node that has sent a block last. */
  #proven = 0

  /** @param urls  at least one, the preferred first */
  constructor(urls: readonly string[], now: () => number = () => performance.now()) {
    this.#urls = urls
    this.#now = now
  }

  /** A node has sent a block: it is the first one to be asked from now on, unless it has a fault. */
  succeeded(url: string): void {
    this.#proven = Math.max(0, this.#urls.indexOf(url))
  }

  /** All addresses in the order in which they are asked now. */
  order(): string[] {
    const urls = this.#urls.map((_, turn) => this.#urls[(this.#proven + turn) % this.#urls.length] as string)
    const rests = urls.filter((url) => this.#rests(url))
    return [...urls.filter((url) => !rests.includes(url)), ...rests]
  }

  /**
   * A node has sent a block that cannot be used.
   *
   * @returns whether all nodes have
   */
  blame(url: string, block: number): boolean {
    const before = this.#faults.get(url)
    const times = before?.block === block ? before.times + 1 : 1
    this.#faults.set(url, { block, times, at: this.#now() })
    const faults = this.#urls.map((each) => this.#faults.get(each)).filter((fault) => fault?.block === block)
    const sum = faults.reduce((total, fault) => total + (fault?.times ?? 0), 0)
    return faults.length === this.#urls.length && sum >= ENOUGH
  }

  #rests(url: string): boolean {
    const fault = this.#faults.get(url)
    return fault !== undefined && this.#now() - fault.at < REST_MS
  }
}
