// How many accounts hold a token, and how that has changed: from the hourly samples.
import type { ChainContext } from '../../chain-context.ts'
import { HOLDERS } from './sql.ts'

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
