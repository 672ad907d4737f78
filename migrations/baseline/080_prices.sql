-- Prices: points of the on-chain oracle, USD prices of the system token, prices of tokens.

select meta.register_dataset('ledger.oracle_points', 'Data points of the on-chain price oracle, as its table got them.', array[
    ['pair', 'text not null', 'Pair: the scope of the oracle''s table.'],
    ['block_num', 'int8 not null', 'Number of the block.'],
    ['point_id', 'numeric(20) not null', 'Key of the row in the oracle''s table; the oracle uses keys again.'],
    ['block_time', 'timestamptz not null', 'Time of the block, UTC.'],
    ['contract', 'text not null', 'Oracle contract.'],
    ['owner', 'text not null', 'Account that wrote the point.'],
    ['value', 'numeric(20) not null', 'Value as written.'],
    ['median', 'numeric(20) not null', 'Median as the oracle computed it.'],
    ['point_time', 'timestamptz not null', 'Time by the oracle.']],
  key => 'block_num, pair, point_id', kind => 'block',
  at_once => array[['block', 'using brin (block_num) with (pages_per_range = 32, autosummarize = on)']]);

-- USD prices of the system token. The price used to value trades is a fact of the chain's blocks. A server's answer is
-- a fact of wall-clock time: no fork and no reindexing removes it.
select meta.register_dataset('ledger.usd_prices', 'USD price of the system token by which trades were valued: a row for each change, at the first block of the minute from which it holds.', array[
    ['block_num', 'int8 not null', 'First block of the minute from which the price holds.'],
    ['block_time', 'timestamptz not null', 'Time of the block, UTC.'],
    ['usd', 'numeric', 'USD for one system token; null when it became unknown.'],
    ['source', 'text', 'Where it is from: fixed, the oracle contract and its pair, or the address of the server that was asked.']],
  key => 'block_num', kind => 'block');

create table meta.usd_quotes (
  chain text not null,
  quoted_at timestamptz not null,
  usd numeric not null check (usd > 0),
  source text not null,
  primary key (chain, quoted_at)
);
comment on table meta.usd_quotes is 'USD prices of the system token that servers have answered. Append-only; not removed by forks and reindexing. A quote counts from a minute after it was made.';
comment on column meta.usd_quotes.chain is 'Chain name.';
comment on column meta.usd_quotes.quoted_at is 'When the answer came, by the clock of the database.';
comment on column meta.usd_quotes.usd is 'USD for one system token.';
comment on column meta.usd_quotes.source is 'Host that answered.';

-- Token prices that value trades of the current minute. They have before-images, so that a fork restores them.
select meta.register_dataset('state.token_prices', 'Price of every priced token at the last minute boundary of chain time. The widest path prices (docs/api/prices.md).', array[
    ['token_id', 'text not null', 'Lower-case symbol, hyphen, contract.'],
    ['decimals', 'int2 not null', 'Precision of the token.'],
    ['rate_x192', 'numeric not null', 'Raw units of the system token for one raw unit, times 2^192, rounded down.'],
    ['pool_id', 'int8', 'Last pool of the path; null for the system token.']],
  key => 'token_id');
