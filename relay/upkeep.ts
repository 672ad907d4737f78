// What the lanes need besides work: prices, tokens, and a journal of limited size. It runs next to the lanes, and none of
// its failures holds them back.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Prices } from './choice/choose.ts'
import { type TokenRoute, Tokens } from './choice/tokens.ts'
import { isAbort } from './context.ts'
import type { Log } from './log.ts'

/** Interval between readings, ms. */
const EVERY_MS = 60_000
/** Prices that could not be read again count for this time, ms. Without prices nothing of value is sent. */
const PRICES_AGE_MS = 900_000
/** Interval between removals of old rows, ms. */
const PRUNE_MS = 3_600_000

export interface UpkeepSources {
  prices: () => Promise<Prices>
  routes: () => Promise<TokenRoute[]>
  /** Removes old rows of the journal. */
  prune: () => Promise<void>
  log: Pick<Log, 'warn'>
}

type Part = 'prices' | 'tokens' | 'old rows'

export class Upkeep {
  readonly #sources: UpkeepSources
  #prices: Prices = new Map()
  #pricesAt = 0
  /** Routes hardly change: the last ones that could be read count. */
  #tokens = new Tokens([])
  #prunedAt = 0
  /** Last trouble of each part: a repeated one is logged once. */
  readonly #lastErrors = new Map<Part, string>()

  constructor(sources: UpkeepSources) {
    this.#sources = sources
  }

  /** USD by symbol; none when they could not be read for a quarter of an hour. */
  prices(): Prices {
    return Date.now() - this.#pricesAt < PRICES_AGE_MS ? this.#prices : new Map()
  }

  tokens(): Tokens {
    return this.#tokens
  }

  /** Reads prices and tokens, and removes old rows once an hour. */
  async turn(): Promise<void> {
    const { prices, routes, prune } = this.#sources
    await Promise.all([
      this.#attempt('prices', async () => {
        this.#prices = await prices()
        this.#pricesAt = Date.now()
      }),
      this.#attempt('tokens', async () => {
        this.#tokens = new Tokens(await routes())
      }),
    ])
    const now = Date.now()
    if (now - this.#prunedAt <= PRUNE_MS) return
    // Also after a failure: a removal that takes too long would take too long again.
    this.#prunedAt = now
    await this.#attempt('old rows', prune)
  }

  /** @param signal  ends it */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(EVERY_MS, undefined, { signal }).catch(() => {})
      if (!signal.aborted) await this.turn()
    }
  }

  async #attempt(part: Part, work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.#lastErrors.delete(part)
    } catch (error) {
      const { message } = error as Error
      if (isAbort(error) || this.#lastErrors.get(part) === message) return
      this.#lastErrors.set(part, message)
      this.#sources.log.warn('upkeep fails', { of: part, reason: message })
    }
  }
}
