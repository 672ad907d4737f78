// How far a standby is behind its primary.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { openPool } from '../../net/postgres.ts'

/** Interval of reading both servers' positions, ms. */
const SAMPLE_MS = 100

/** Reads how far the standby lags, until it is stopped. */
export class Lag {
  /** Age of the last commit that the standby has replayed, ms: the interval of blocks and the lag. */
  readonly ages: number[] = []
  /** Number of blocks that the primary has and the standby lacks. */
  readonly blocks: number[] = []
  /** Number of own reads of the standby that the replay cancelled. */
  cancelled = 0
  readonly #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()

  /** @param databases  the chain's database on the primary and on the standby */
  start(databases: readonly [primary: string, standby: string], chain: string): this {
    this.#running = this.#run(databases, chain)
    return this
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
    for (const list of [this.ages, this.blocks]) list.sort((a, b) => a - b)
  }

  async #run(databases: readonly [string, string], chain: string): Promise<void> {
    const pools = databases.map((connectionString) => openPool({ connectionString, max: 1 }))
    const [there, here] = pools as [pg.Pool, pg.Pool]
    const position = `select block_num::int4 as num, extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 * 1000 as age
      from meta.position where chain = '${chain}'`
    while (!this.#stop.signal.aborted) {
      const first = await there.query<{ num: number }>(position)
      const second = await here.query<{ num: number; age: number }>(position).catch((error: { code?: string }) => {
        if (error.code !== '40001') throw error
        return null
      })
      if (second === null) this.cancelled++
      else {
        this.blocks.push(Math.max(0, (first.rows[0]?.num ?? 0) - (second.rows[0]?.num ?? 0)))
        this.ages.push(second.rows[0]?.age ?? Number.NaN)
      }
      await delay(SAMPLE_MS, undefined, { signal: this.#stop.signal }).catch(() => {})
    }
    await Promise.all(pools.map((pool) => pool.end()))
  }
}
