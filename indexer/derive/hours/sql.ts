// Every statement of the counting of hours.

export const SESSION = `set timezone = 'UTC'; set role headwater_writer; set statement_timeout = '5min'`

/** $1 chain, $2 most hours. */
export const COUNT = `select meta.count_hours($1, $2) as hours`
