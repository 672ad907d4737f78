// Counts the holders of tokens by the size of their balance. A count reads all balances of the token, so those of very
// many holders are kept for a multiple of the time that they took: however many requests there are, counting takes a
// bounded part of the database's time.
import { LRUCache } from '../../../core/cache.ts'
import type { MarkRow, Queryable } from '../../kit/snapshot.ts'
import { IS_BLOCK, tokenDistribution } from './sql.ts'

export interface Sizes {
  /** Digits of the balance in raw units. */
  digits: number
  holders: number
  sum: string
}

export interface Row extends MarkRow {
  isWhole: boolean
  /** Null when the balances are not watched, like `decimals`. */
  supply: string | null
  decimals: number | null
  largest: { count: number; sum: string }[]
  /** The largest first. */
  sizes: Sizes[]
}

/** A count that takes longer is kept, ms. */
const LONG_MS = 50
/** A count is kept for this multiple of its time: counting the holders of one token takes at most a twentieth of a processor. */
const KEPT_TIMES = 20
const MAX_KEPT = 1000

interface Count {
  row: Promise<Row | undefined>
  /** Until when it is used, ms of the process's clock; while it is made, infinite. */
  until: number
}

export class HolderCounts {
  readonly #database: Queryable
  readonly #counts = new LRUCache<string, Count>({ max: MAX_KEPT })
  readonly #now: () => number

  /** @param now  milliseconds */
  constructor(database: Queryable, now = () => performance.now()) {
    this.#database = database
    this.#now = now
  }

  /**
   * As of the head, or of an earlier block of the chain.
   *
   * @param token  chain, contract and symbol
   * @returns undefined when the chain is not indexed
   */
  async of(token: readonly [chain: string, contract: string, symbol: string]): Promise<Row | undefined> {
    const key = token.join(' ')
    const known = this.#counts.get(key)
    if (known !== undefined && known.until > this.#now()) {
      const row = await known.row
      if (row === undefined || (await this.#isOnChain(token[0], row))) return row
    }
    return await this.#count(key, token)
  }

  #count(key: string, values: readonly [string, string, string]): Promise<Row | undefined> {
    const started = this.#now()
    const statement = {
      name: `explore-distribution-${values[0]}`,
      text: tokenDistribution(values[0]),
      values: [...values],
    }
    const row = this.#database.query<Row>(statement).then(({ rows }) => rows[0])
    const count: Count = { row, until: Number.POSITIVE_INFINITY }
    this.#counts.set(key, count)
    row.then(
      () => {
        const took = this.#now() - started
        if (took < LONG_MS) this.#counts.delete(key)
        else count.until = this.#now() + KEPT_TIMES * took
      },
      () => this.#counts.delete(key),
    )
    return row
  }

  /** Whether no fork has replaced the block of a count. */
  async #isOnChain(chain: string, { atBlock, atId }: MarkRow): Promise<boolean> {
    const statement = { name: 'explore-is-block', text: IS_BLOCK, values: [chain, atBlock, atId] }
    const { rows } = await this.#database.query<{ isBlock: boolean }>(statement)
    return rows[0]?.isBlock ?? false
  }
}
