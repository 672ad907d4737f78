// Statements of holders.

/** The newest sample of each token up to $2, with those 1, 6 and 24 hours older. $3: token ids; null for all. */
export const HOLDERS = `
  select n.token_id as token, n.holders::float8 as count, n.truncated, (n.holders - h1.holders)::float8 as change1h,
    (n.holders - h6.holders)::float8 as change6h, (n.holders - h24.holders)::float8 as change24h
  from (
    select distinct on (token_id) token_id, hour, holders, truncated from derive.holder_samples
    where chain = $1 and hour <= $2 and hour > $2::timestamptz - interval '48 hours' and ($3::text[] is null or token_id = any ($3))
    order by token_id, hour desc
  ) n
  left join derive.holder_samples h1 on h1.chain = $1 and h1.token_id = n.token_id and h1.hour = n.hour - interval '1 hour'
  left join derive.holder_samples h6 on h6.chain = $1 and h6.token_id = n.token_id and h6.hour = n.hour - interval '6 hours'
  left join derive.holder_samples h24 on h24.chain = $1 and h24.token_id = n.token_id and h24.hour = n.hour - interval '24 hours'`
