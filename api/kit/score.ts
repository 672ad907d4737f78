// The details of a token's score.

import type { Pool } from 'pg'
import { perObject } from '../../core/cache.ts'
import type { Scores } from '../../core/price/trust.ts'
import type { MarketState } from '../live-market/model.ts'
import { SCORE_DETAILS } from './sql.ts'

interface Details {
  score: number
}

/** Details of requested tokens, cached until new scores are in use. */
const detailsOf = perObject((_: Scores) => new Map<string, Details>())

/**
 * @returns the score with all its members; the score alone when it has no details, as for the 0 of a token without a
 *   score
 */
export async function scoreDetails(
  database: Pool,
  chain: string,
  { prices: { scores }, scoresFrom }: MarketState,
  token: string,
): Promise<Details> {
  if (scoresFrom === null) return { score: 0 }
  const own = detailsOf(scores)
  const known = own.get(token)
  if (known !== undefined) return known
  const score = scores.get(token)
  const values = [chain, token, new Date(scoresFrom), score !== undefined]
  const { rows } = await database.query<{ details: Details }>({ name: 'score-details', text: SCORE_DETAILS, values })
  const details = rows[0]?.details ?? { score: score ?? 0 }
  // Unscored names are not cached: requests may contain any number of them.
  if (score !== undefined) own.set(token, details)
  return details
}
