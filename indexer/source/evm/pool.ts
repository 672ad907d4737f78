// The endpoints of a chain. A step of work is done with one of them, so that what it reads fits together; when that
// fails, the whole step is done again with the next, and the one that failed rests for a while.
import { setTimeout as delay } from 'node:timers/promises'
import type { SourceStats } from '../stats.ts'
import type { Endpoint } from './endpoint.ts'
import { RpcError, TooMuchError } from './errors.ts'

interface Member {
  endpoint: Endpoint
  failures: number
  /** Until when it rests, milliseconds of the process's clock. */
  restsUntil: number
}

export class EndpointPool {
  readonly #members: Member[]
  readonly #stats: SourceStats
  readonly #restMs: readonly [first: number, longest: number]
  #current = 0

  /** @param endpoints  at least one, the preferred first */
  constructor(endpoints: readonly Endpoint[], stats: SourceStats, restMs: readonly [number, number]) {
    this.#members = endpoints.map((endpoint) => ({ endpoint, failures: 0, restsUntil: 0 }))
    this.#stats = stats
    this.#restMs = restMs
  }

  /** Another endpoint that does not rest; undefined when there is none. */
  other(than: Endpoint): Endpoint | undefined {
    const now = performance.now()
    return this.#members.find(({ endpoint, restsUntil }) => endpoint !== than && restsUntil <= now)?.endpoint
  }

  /**
   * Does a step with an endpoint that works, trying each once.
   *
   * @throws TooMuchError at once; what the last endpoint failed with when all have
   */
  async use<T>(step: (endpoint: Endpoint) => Promise<T>, signal: AbortSignal): Promise<T> {
    let failure: unknown
    for (let tried = 0; tried < this.#members.length && !signal.aborted; tried++) {
      const member = this.#next()
      const wait = member.restsUntil - performance.now()
      if (wait > 0) await delay(wait, undefined, { signal }).catch(() => {})
      try {
        const result = await step(member.endpoint)
        member.failures = 0
        return result
      } catch (error) {
        if (signal.aborted || error instanceof TooMuchError || !(error instanceof RpcError)) throw error
        failure = error
        this.#rest(member, error)
      }
    }
    throw failure ?? new DOMException('stopped', 'AbortError')
  }

  /** The current one unless it rests, then the one that rests least. */
  #next(): Member {
    const now = performance.now()
    const order = this.#members.map((_, index) => (this.#current + index) % this.#members.length)
    const awake = order.find((index) => this.#members[index]!.restsUntil <= now)
    const first = (a: number, b: number) => (this.#members[b]!.restsUntil < this.#members[a]!.restsUntil ? b : a)
    const index = awake ?? order.reduce(first)
    if (index !== this.#current) this.#stats.reconnects++
    this.#current = index
    return this.#members[index]!
  }

  #rest(member: Member, error: RpcError): void {
    const [first, longest] = this.#restMs
    this.#stats.anomaly(error.code, error.message)
    const pause = Math.max(error.pauseMs, Math.min(longest, first * 2 ** Math.min(16, member.failures)))
    member.failures++
    member.restsUntil = performance.now() + pause
  }
}
