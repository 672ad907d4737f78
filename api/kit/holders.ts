// Number of holders of a token and its changes, from hourly samples.
import type { ChainContext } from '../chain-context.ts'
import { HOLDERS, SAMPLED } from './holders-sql.ts'

export interface Holders {
  /** Accounts with a balance. */
  count: number
  /** Difference to 1, 6 and 24 hours before the newest sample; null without a sample then. */
  change1h: number | null
  change6h: number | null
  change24h: number | null
  /** Whether the count may be too low: balances from before the indexed history are unknown. */
  truncated: boolean
}

/**
 * @param at      Unix milliseconds of chain time; samples older than two days are ignored
 * @param tokens  null for all
 * @returns holders by token; tokens without samples are missing
 */
export async function holdersAt(
  { chain, pool }: Pick<ChainContext, 'chain' | 'pool'>,
  at: number,
  tokens: readonly string[] | null = null,
): Promise<Map<string, Holders>> {
  const { rows } = await pool.query<Holders & { token: string }>(HOLDERS, [chain, new Date(at), tokens])
  return new Map(rows.map(({ token, ...holders }) => [token, holders]))
}

const HOUR = 3_600_000

/** Holders of all tokens of a chain. Read again with new samples and with each hour. */
export class AllHolders {
  private readonly context: Pick<ChainContext, 'chain' | 'pool'>
  private latest: { sampled: string; hour: number; holders: Map<string, Holders> } | null = null

  constructor(context: Pick<ChainContext, 'chain' | 'pool'>) {
    this.context = context
  }

  /**
   * @param at  Unix milliseconds of chain time
   * @returns holders by token; the same map until its data may have changed
   */
  async at(at: number): Promise<Map<string, Holders>> {
    const { chain, pool } = this.context
    const { rows } = await pool.query<{ sampled: string | null }>(SAMPLED, [chain])
    const sampled = rows[0]?.sampled ?? null
    const hour = Math.floor(at / HOUR)
    const { latest } = this
    if (latest !== null && latest.sampled === sampled && latest.hour === hour) return latest.holders
    const holders = await holdersAt(this.context, at)
    // Samples that were added during the read are read again by the next call.
    this.latest = sampled === null ? null : { sampled, hour, holders }
    return holders
  }
}
