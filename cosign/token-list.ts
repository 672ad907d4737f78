// Token contracts known to the exchange: contracts of tokens with a pool or a market, read once a minute.
import type { Pool } from 'pg'
import type { Clock } from './clock.ts'
import { Refusal } from './refusal.ts'
import { TRADED_CONTRACTS } from './sql.ts'

const KEEP_MS = 60_000

export class TokenList {
  private readonly pool: Pool
  private readonly chain: string
  private readonly clock: Clock
  private known: ReadonlySet<string> = new Set()
  private readAt = Number.NEGATIVE_INFINITY

  constructor(pool: Pool, chain: string, clock: Clock) {
    this.pool = pool
    this.chain = chain
    this.clock = clock
  }

  /** @throws Refusal for an unknown contract */
  async check(contracts: readonly string[]): Promise<void> {
    if (contracts.length === 0) return
    if (this.clock.now() - this.readAt > KEEP_MS) await this.refresh()
    const unknown = contracts.find((contract) => !this.known.has(contract))
    if (unknown !== undefined) throw new Refusal('token', `Tokens of ${unknown} are not traded here`)
  }

  private async refresh(): Promise<void> {
    const { rows } = await this.pool.query<{ contract: string }>(TRADED_CONTRACTS, [this.chain])
    this.known = new Set(rows.map(({ contract }) => contract))
    this.readAt = this.clock.now()
  }
}
