// SQL of the hourly counts.

export const SESSION = `set timezone = 'UTC'; set role headwater_writer; set statement_timeout = '5min'`

/** $1 chain, $2 maximum number of hours. */
export const COUNT = `select meta.count_hours($1, $2) as hours`
