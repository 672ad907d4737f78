// How many accounts hold a token, and how that has changed: from the hourly samples.
import type { ChainContext } from '../../chain-context.ts'
import { HOLDERS, SAMPLED } from './sql.ts'

export interface Holders {
  /** Accounts with a balance. */
  count: number
  /** More or fewer than 1, 6 and 24 hours before the newest sample; null when nobody counted then. */
  change1h: number | null
  change6h: number | null
  change24h: number | null
  /** Whether there may be more: balances from before the indexed history are not known. */
  truncated: boolean
}

/**
 * @param at      Unix milliseconds of chain time; a sample older than two days says nothing any more
 * @param tokens  null for all
 * @returns holders by token; tokens that are not counted are not in it
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

/** Holders of all tokens of a chain, read when there may be others than before: with new samples, and with the hour. */
export class AllHolders {
  private readonly context: Pick<ChainContext, 'chain' | 'pool'>
  private latest: { sampled: string; hour: number; holders: Map<string, Holders> } | null = null

  constructor(context: Pick<ChainContext, 'chain' | 'pool'>) {
    this.context = context
  }

  /**
   * @param at  Unix milliseconds of chain time
   * @returns by token, the same map as long as nothing in it can be another
   */
  async at(at: number): Promise<Map<string, Holders>> {
    const { chain, pool } = this.context
    const { rows } = await pool.query<{ sampled: string | null }>(SAMPLED, [chain])
    const sampled = rows[0]?.sampled ?? null
    const hour = Math.floor(at / HOUR)
    const { latest } = this
    if (latest !== null && latest.sampled === sampled && latest.hour === hour) return latest.holders
    const holders = await holdersAt(this.context, at)
    // Samples that came meanwhile are read once more.
    this.latest = sampled === null ? null : { sampled, hour, holders }
    return holders
  }
}
