// SQL that several endpoints share.

/**
 * The details of a token's score. $1 chain, $2 token, $3 start of validity of the scores in use, $4 whether the token
 * has one of them. Details are kept for only a few refreshes. During indexing of old blocks there may be none for the
 * scores in use; then the nearest ones are returned.
 */
export const SCORE_DETAILS = `
  select details from derive.token_scores where chain = $1 and token_id = $2 and ($4 or valid_from = $3)
  order by abs(extract(epoch from valid_from - $3)) limit 1`
