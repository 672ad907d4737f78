// What a token's score is made of.

import type { Pool } from 'pg'
import { perObject } from '../../../core/cache.ts'
import type { Scores } from '../../../core/price/trust.ts'
import type { MarketState } from '../../market/model.ts'
import { SCORE_DETAILS } from './sql.ts'

interface Details {
  score: number
}

/** Of the tokens that were asked for, as long as the scores in use are the same. */
const detailsOf = perObject((_: Scores) => new Map<string, Details>())

/** @returns the score with all its members; alone where nothing of it is kept, as is the 0 of a token without one */
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
  // Other names than those with a score come from requests, and there is no end of them.
  if (score !== undefined) own.set(token, details)
  return details
}
