// What a token's score is made of.
import type { Pool } from 'pg'
import type { MarketState } from '../../market/model.ts'
import { SCORE_DETAILS } from './sql.ts'

/** @returns the score with all its members; alone where nothing of it is kept, as is the 0 of a token without one */
export async function scoreDetails(
  database: Pool,
  chain: string,
  { prices, scoresFrom }: MarketState,
  token: string,
): Promise<{ score: number }> {
  if (scoresFrom === null) return { score: 0 }
  const values = [chain, token, new Date(scoresFrom), prices.scores.has(token)]
  const { rows } = await database.query<{ details: { score: number } }>({
    name: 'score-details',
    text: SCORE_DETAILS,
    values,
  })
  return rows[0]?.details ?? { score: prices.scores.get(token) ?? 0 }
}
