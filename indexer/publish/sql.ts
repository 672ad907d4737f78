// SQL of publishing final rows.

export const SESSION = `set timezone = 'UTC'; set role headwater_writer; set statement_timeout = '5min';
  set default_transaction_isolation = 'repeatable read'`

export const LISTEN = `listen headwater`

export const CHAINS = `select chain from meta.position order by chain`

/** Appends at most $2 blocks of chain $1. Fails with SQLSTATE 40001 if another process appended blocks at the same time. */
export const APPEND = `select meta.append_final($1, $2)::float8 as "upTo"`
