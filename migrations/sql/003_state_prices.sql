-- Token prices that value trades of the current minute. They have before-images, so that a fork restores them.
select meta.create_state_table('token_prices', 'token_id text not null',
  'decimals int2 not null, rate_x192 numeric not null, pool_id int8', 'token_id');
comment on table state.token_prices is 'Price of every priced token at the last minute boundary of chain time. The widest path prices (docs/api/prices.md).';
comment on column state.token_prices.token_id is 'Lower-case symbol, hyphen, contract.';
comment on column state.token_prices.decimals is 'Precision of the token.';
comment on column state.token_prices.rate_x192 is 'Raw units of the system token for one raw unit, times 2^192, rounded down.';
comment on column state.token_prices.pool_id is 'Last pool of the path; null for the system token.';
