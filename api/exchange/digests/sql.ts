// SQL of digests of the ledger. $1 is the chain.

export const SUMMARY = `
  select p.indexed, p.chain_id as "chainId", r.first_block::float8 as "firstBlock", r.last_block::float8 as "lastBlock", meta.digest_leaf()::int4 as leaf,
    (select coalesce(array_agg(a.role || ' ' || a.account order by a.role collate "C", a.account collate "C"), '{}') from meta.accounts a
      where a.chain = p.chain) as contracts,
    (select json_agg(json_build_object('name', t.name, 'columns', t.columns) order by t.name collate "C") from meta.digested_tables() t) as tables
  from meta.position p cross join meta.digested_range(p.chain) r where p.chain = $1`

/** Digests of ranges: $2 their first blocks, $3 their last. */
export const DIGESTS = `
  select f.place::int4 as place, d.name, d.row_count::float8 as rows, encode(d.sha256, 'hex') as sha256
  from unnest($2::int8[], $3::int8[]) with ordinality f(first, last, place)
  cross join lateral meta.digests($1, f.first, f.last) d
  order by f.place, d.name collate "C"`

/** $2 table, $3 block, $4 the maximum number of rows. */
export const ROWS = `select r as row from meta.digested_rows($1, $2, $3, $4) r`

/** $1 table. */
export const COLUMNS = `
  select meta.digested_columns('ledger', $1) as columns, array_remove(meta.key_columns('ledger', $1), 'chain') as key`
