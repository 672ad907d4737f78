// Statements of the cosigner. Its role may only call these functions and read which tokens are traded.

/**
 * Chain, transaction id, address, account, whether the account has signed it, limits, time (null: the server's clock).
 */
export const TAKE = `select cosign.take($1, $2, $3, $4, $5, $6, coalesce($7::timestamptz, clock_timestamp())) as outcome`

/** Chain, address, account, whether the account has signed it, time (null: the server's clock). */
export const NOTE_FAILURE = `select cosign.note_failure($1, $2, $3, $4, coalesce($5::timestamptz, clock_timestamp()))`

export const PRUNE = `select cosign.prune()`

export const IS_ON = `select cosign.is_on($1) as "isOn"`

export const SET_SWITCH = `select cosign.set_switch($1, $2)`

/** Contracts of tokens that have a pool or a market. */
export const TRADED_CONTRACTS = `
  select contract_a as contract from head.pools where chain = $1
  union select contract_b from head.pools where chain = $1
  union select base_contract from head.markets where chain = $1
  union select target_contract from head.markets where chain = $1`

/** Functions that this program calls and the database does not have. */
export const MISSING_FUNCTIONS = `
  select name from unnest(array[
    'cosign.take(text,bytea,text,text,boolean,int4[],timestamptz)',
    'cosign.note_failure(text,text,text,boolean,timestamptz)',
    'cosign.prune(timestamptz)',
    'cosign.is_on(text)',
    'cosign.set_switch(text,boolean)'
  ]) as name where to_regprocedure(name) is null`
