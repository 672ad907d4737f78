// Clients that send requests at a fixed rate, whether earlier ones were answered or not.
import { setTimeout as delay } from 'node:timers/promises'

const CHAINS = ['wax', 'telos']
const PATHS = [
  '/api/v2/tokens',
  '/api/v2/swap/pools',
  '/api/v2/pairs',
  '/api/v2/tickers',
  '/api/v3/explore/large-trades',
  '/api/v3/explore/search?q=usd',
  '/api/bridge/v1/pending',
  '/api/bridge/v1/transfers?limit=20',
  '/health/status',
]

export interface RequestFigures {
  requests: number
  /** Answered with 5xx. */
  errors: number
  /** Without an answer: the API was killed, or its connection broke. */
  broken: number
  p50: number
  p99: number
}

export class Requests {
  readonly #urls: readonly string[]
  #times: number[] = []
  #errors = 0
  #broken = 0
  #isStopped = false

  constructor(urls: readonly string[], rate: number) {
    this.#urls = urls
    void this.#send(1000 / rate)
  }

  /** Figures since the last call, milliseconds. */
  take(): RequestFigures {
    const sorted = this.#times.sort((a, b) => a - b)
    const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
    const requests = sorted.length + this.#broken
    const figures = { requests, errors: this.#errors, broken: this.#broken, p50: at(0.5), p99: at(0.99) }
    this.#times = []
    this.#errors = 0
    this.#broken = 0
    return figures
  }

  stop(): void {
    this.#isStopped = true
  }

  async #send(intervalMs: number): Promise<void> {
    let due = performance.now()
    for (let i = 0; !this.#isStopped; i++) {
      void this.#one(i)
      due += intervalMs
      await delay(Math.max(0, due - performance.now()))
    }
  }

  async #one(i: number): Promise<void> {
    const url = this.#urls[i % this.#urls.length]
    const path = PATHS[Math.floor(i / this.#urls.length) % PATHS.length]
    const chain = CHAINS[Math.floor(i / this.#urls.length / PATHS.length) % CHAINS.length]
    const started = performance.now()
    try {
      const answer = await fetch(`${url}${path?.startsWith('/api/') ? `/${chain}` : ''}${path}`, {
        signal: AbortSignal.timeout(10_000),
      })
      await answer.arrayBuffer()
      if (answer.status >= 500) this.#errors++
      this.#times.push(performance.now() - started)
    } catch {
      this.#broken++
    }
  }
}
