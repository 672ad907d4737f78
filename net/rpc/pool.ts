// The endpoints of a chain. A step of work uses a single endpoint, so that its answers are consistent. When it fails,
// the whole step is repeated with the next endpoint, and the failed one is paused.
import { setTimeout as delay } from 'node:timers/promises'
import { type HeadwaterError, UserError } from '../../core/errors.ts'
import type { Endpoint } from './endpoint.ts'
import { RpcError, TooMuchError } from './errors.ts'

export interface PoolOptions {
  /** First and longest pause of an endpoint that failed, ms. */
  restMs: readonly [first: number, longest: number]
  /** Whether a step waits while all endpoints are paused; otherwise it uses the next one to resume. Default: true. */
  waits?: boolean
  /** Called when a step uses another endpoint than the previous one. */
  onSwitch?: () => void
  /** Called for each failure. */
  onFailure?: (error: HeadwaterError) => void
}

interface Member {
  endpoint: Endpoint
  failures: number
  /** End of its pause, `performance.now()`. */
  restsUntil: number
}

export class EndpointPool {
  readonly #members: Member[]
  readonly #options: PoolOptions
  #current = 0

  /** @param endpoints  by preference */
  constructor(endpoints: readonly Endpoint[], options: PoolOptions) {
    this.#members = endpoints.map((endpoint) => ({ endpoint, failures: 0, restsUntil: 0 }))
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#members.length === 0
  }

  /** Another endpoint that is not paused; undefined when there is none. */
  other(than: Endpoint): Endpoint | undefined {
    const now = performance.now()
    return this.#members.find(({ endpoint, restsUntil }) => endpoint !== than && restsUntil <= now)?.endpoint
  }

  /**
   * Runs a step with an endpoint that works; tries each once. An endpoint of another chain (OTHER_CHAIN) has failed.
   *
   * @throws TooMuchError at once; when all have failed, the last RpcError, or OTHER_CHAIN if all are of other chains
   */
  async use<T>(step: (endpoint: Endpoint) => Promise<T>, signal: AbortSignal): Promise<T> {
    let failure: RpcError | undefined
    let otherChain: UserError | undefined
    const untried = new Set(this.#members)
    while (untried.size > 0 && !signal.aborted) {
      const member = this.#next(untried)
      untried.delete(member)
      const wait = member.restsUntil - performance.now()
      if (wait > 0 && this.#options.waits !== false) await delay(wait, undefined, { signal }).catch(() => {})
      try {
        const result = await step(member.endpoint)
        member.failures = 0
        return result
      } catch (error) {
        if (signal.aborted || error instanceof TooMuchError) throw error
        if (isOtherChain(error)) otherChain = error
        else if (error instanceof RpcError) failure = error
        else throw error
        this.#rest(member, error)
      }
    }
    throw failure ?? otherChain ?? new DOMException('stopped', 'AbortError')
  }

  /** The current endpoint; when it is paused or tried, the next that is not paused; else the next to resume. */
  #next(untried: ReadonlySet<Member>): Member {
    const now = performance.now()
    const fromCurrent = [...this.#members.slice(this.#current), ...this.#members.slice(0, this.#current)]
    const order = fromCurrent.filter((member) => untried.has(member))
    const awake = order.find(({ restsUntil }) => restsUntil <= now)
    const next = awake ?? order.reduce((a, b) => (b.restsUntil < a.restsUntil ? b : a))
    const index = this.#members.indexOf(next)
    if (index !== this.#current) this.#options.onSwitch?.()
    this.#current = index
    return next
  }

  #rest(member: Member, error: HeadwaterError): void {
    const [first, longest] = this.#options.restMs
    this.#options.onFailure?.(error)
    const pauseMs = error instanceof RpcError ? error.pauseMs : 0
    const pause = Math.max(pauseMs, Math.min(longest, first * 2 ** Math.min(16, member.failures)))
    member.failures++
    member.restsUntil = performance.now() + pause
  }
}

function isOtherChain(error: unknown): error is UserError {
  return error instanceof UserError && error.code === 'OTHER_CHAIN'
}
