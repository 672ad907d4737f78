// SQL of the endpoints of tokens.

/** Image links of a token in the registry. $1 chain, $2 contract, $3 symbol; the registry writes `8,WAX`. */
export const REGISTRY_IMAGE = `
  select data->>'image' as image from state.registry_tokens
  where chain = $1 and data->>'contract' = $2 and split_part(data->>'sym', ',', 2) = $3 order by row_id`

/**
 * The details of a token's score. $1 chain, $2 token, $3 since when the scores in use are valid, $4 whether the token has one
 * among them. Details are kept of a few refreshes only: on the way through history those in use may be none of them, and
 * the nearest are told.
 */
export const SCORE_DETAILS = `
  select details from derive.token_scores where chain = $1 and token_id = $2 and ($4 or valid_from = $3)
  order by abs(extract(epoch from valid_from - $3)) limit 1`
