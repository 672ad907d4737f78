// SQL of holders.

const SAMPLES = `derive.holder_samples s where s.chain = $1 and s.token_id = t.id`
const before = (interval: string) => `(select s.holders from ${SAMPLES} and s.hour = n.hour - interval '${interval}')`

/**
 * The newest sample of each token up to $2, with those 1, 6 and 24 hours older. $3: token ids; null for all. Steps from
 * token to token by the key, because samples are kept for years.
 */
export const HOLDERS = `
  with recursive sampled(id) as (
    select min(token_id) from derive.holder_samples where chain = $1 and $3::text[] is null
    union all
    select (select min(token_id) from derive.holder_samples where chain = $1 and token_id > t.id) from sampled t where t.id is not null
  )
  select t.id as token, h.holders::float8 as count, h.truncated, (h.holders - h1)::float8 as change1h,
    (h.holders - h6)::float8 as change6h, (h.holders - h24)::float8 as change24h
  from (select id from sampled where id is not null union all select unnest($3::text[])) t
  cross join lateral (
    select n.holders, n.truncated, ${before('1 hour')} as h1, ${before('6 hours')} as h6, ${before('24 hours')} as h24
    from (
      select s.hour, s.holders, s.truncated from ${SAMPLES} and s.hour <= $2 and s.hour > $2::timestamptz - interval '48 hours'
      order by s.hour desc limit 1
    ) n
  ) h`

/** Changes whenever there are new samples: they are written with scores. No row, or null, before the first scores. */
export const SAMPLED = `select max(valid_from)::text as sampled from derive.score_snapshots where chain = $1`
