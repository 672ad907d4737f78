// Every statement of the counting of hours.

export const SESSION = `set timezone = 'UTC'; set role headwater_writer; set statement_timeout = '5min'`

/** One count of a chain at a time, as long as the session lives. */
export const LOCK = `select pg_try_advisory_lock(hashtextextended('headwater hours ' || $1::text, 0)) as mine`

/** $1 chain, $2 most hours. */
export const COUNT = `select meta.count_hours($1, $2) as hours`
