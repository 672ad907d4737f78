// SQL of the endpoints of tokens.

/** Image links of a token in the registry. $1 chain, $2 contract, $3 symbol; the registry writes `8,WAX`. */
export const REGISTRY_IMAGE = `
  select data->>'image' as image from state.registry_tokens
  where chain = $1 and data->>'contract' = $2 and split_part(data->>'sym', ',', 2) = $3 order by row_id`

/**
 * The details of a token's score. $1 chain, $2 token, $3 start of validity of the scores in use, $4 whether the token
 * has one of them. Details are kept for only a few refreshes. During indexing of old blocks there may be none for the
 * scores in use; then the nearest ones are returned.
 */
export const SCORE_DETAILS = `
  select details from derive.token_scores where chain = $1 and token_id = $2 and ($4 or valid_from = $3)
  order by abs(extract(epoch from valid_from - $3)) limit 1`
