// SQL of a fetch. It writes as the writer's role.

/** Commits wait for the disk: only then can the rows be marked as committed (`SUMMARIZE`). */
export const SETTINGS = `
  set timezone = 'UTC'; set jit = off; set synchronous_commit = on; set role headwater_writer`

export const INDEXED = `
  select exists (select from meta.position where chain = $1) as indexed,
    exists (select from ledger.blocks where chain = $1) as filled`

export const FETCH = `select finished_at is not null as finished from meta.fetches where chain = $1`

/** The fetch of a chain that has its rows and its position, and maybe not its indexes. */
export const FINISHED_FETCH = `
  select p.first_block as "firstBlock", f.last_block as block, f.last_id as id, f.verify, f.trusted, f.unverified
  from meta.fetches f join meta.position p on p.chain = f.chain
  where f.chain = $1 and f.finished_at is not null and (not p.indexed or p.block_num = f.last_block)`

export const BEGIN_FETCH = `
  insert into meta.fetches (chain, address, verify, trusted, last_block, last_id) values ($1, $2, $3, $4, $5, $6)
  on conflict (chain) do update set address = excluded.address, verify = excluded.verify, trusted = excluded.trusted,
    last_block = excluded.last_block, last_id = excluded.last_id, begun_at = clock_timestamp(), finished_at = null,
    unverified = null`

export const RANGES = `
  select first_block as "from", last_block as "to", sha256 from meta.fetched_ranges where chain = $1 order by first_block`

export const KEEP_RANGE = `
  insert into meta.fetched_ranges (chain, first_block, last_block, sha256) values ($1, $2, $3, $4)`

/** Traded minutes, in batches whose candles are computed together. */
export const TRADED_MINUTES = `
  select array_agg(kind) as kinds, array_agg(id) as ids, array_agg(minute) as minutes from (
    select kind, id, minute, row_number() over (order by kind, id, minute) / 5000 as part from (
      select distinct 'amm' as kind, pool_id as id, date_trunc('minute', block_time, 'UTC') as minute
      from ledger.swaps where chain = $1
      union all
      select distinct 'spot', market_id, date_trunc('minute', block_time, 'UTC') from ledger.deals where chain = $1) x) y
  group by part order by part`

export const REFRESH_CANDLES = `select meta.refresh_candles($1, $2, $3, $4, null)`

/** $2 token of the lease, $3 last block. */
export const INSERT_POSITION = `
  insert into meta.position (chain, writer, block_num, block_id, block_time, lib_num, head_num, chain_id, first_block, state_block)
  select $1, $2, block_num, encode(block_id, 'hex'), block_time, block_num, block_num, $4, $5, $6
  from ledger.blocks where chain = $1 and block_num = $3`

export const FINISH_FETCH = `
  update meta.fetches set finished_at = clock_timestamp(), unverified = $2 where chain = $1`

export const FORGET_RANGES = `delete from meta.fetched_ranges where chain = $1`

/** BRIN indexes, which `SUMMARIZE` keeps up to date while rows are loaded. */
export const BUILD_BRIN_INDEXES = `
  select meta.build_index($1, relation, name) from meta.secondary_indexes where definition like 'using brin %'`

/** Reads new rows while their pages are in memory: a later reader would have to write the pages again. */
export const SUMMARIZE = `select meta.summarize_new_pages($1)`

/** Runs as the owner. */
export const CLEAR_CHAIN = `select meta.clear_chain($1)`

/**
 * Quotes are append-only and survive the removal of a chain: existing ones are skipped, and those of a pack are inserted
 * with its position, after all checks.
 */
export const STAGE_QUOTES = `create temp table fetched_quotes (like meta.usd_quotes)`
export const MERGE_QUOTES = `
  insert into meta.usd_quotes select * from fetched_quotes on conflict do nothing; drop table fetched_quotes`
