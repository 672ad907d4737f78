// What a token's score is made of.
import type { Pool } from 'pg'
import type { Scores } from '../../../core/price/trust.ts'
import type { MarketState } from '../../market/model.ts'
import { SCORE_DETAILS } from './sql.ts'

type Details = { score: number }

/** Details of the scores in use, by token: they are read once. */
const known = new WeakMap<Scores, Map<string, Details>>()

/** @returns the score with all its members; 0 alone for a token without one */
export async function scoreDetails(
  database: Pool,
  chain: string,
  { prices, scoresFrom }: MarketState,
  token: string,
): Promise<Details> {
  if (scoresFrom === null) return { score: 0 }
  let details = known.get(prices.scores)
  if (details === undefined) known.set(prices.scores, (details = new Map()))
  const own = details.get(token)
  if (own !== undefined) return own
  const values = [chain, token, new Date(scoresFrom), prices.scores.has(token)]
  const { rows } = await database.query<{ details: Details; exact: boolean }>({
    name: 'score-details',
    text: SCORE_DETAILS,
    values,
  })
  const [row] = rows
  if (row?.exact) details.set(token, row.details)
  return row?.details ?? { score: 0 }
}
