// SQL of the endpoints of tokens.

/** Image links of a token in the registry. $1 chain, $2 contract, $3 symbol; the registry writes `8,WAX`. */
export const REGISTRY_IMAGE = `
  select data->>'image' as image from state.registry_tokens
  where chain = $1 and data->>'contract' = $2 and split_part(data->>'sym', ',', 2) = $3 order by row_id`
