-- USD prices of the system token. The price used to value trades is a fact of the chain's blocks. A server's answer is
-- a fact of wall-clock time: no fork and no reindexing removes it.

create table ledger.usd_prices (
  chain text not null,
  block_num int8 not null,
  block_time timestamptz not null,
  usd numeric,
  source text,
  primary key (block_num, chain)
) partition by list (chain);
comment on table ledger.usd_prices is 'USD price of the system token by which trades were valued: a row for each change, at the first block of the minute from which it holds.';
comment on column ledger.usd_prices.chain is 'Chain name.';
comment on column ledger.usd_prices.block_num is 'First block of the minute from which the price holds.';
comment on column ledger.usd_prices.block_time is 'Time of the block, UTC.';
comment on column ledger.usd_prices.usd is 'USD for one system token; null when it became unknown.';
comment on column ledger.usd_prices.source is 'Where it is from: fixed, the oracle contract and its pair, or the address of the server that was asked.';

create table meta.usd_quotes (
  chain text not null,
  quoted_at timestamptz not null,
  usd numeric not null check (usd > 0),
  source text not null,
  primary key (chain, quoted_at)
);
comment on table meta.usd_quotes is 'USD prices of the system token that servers have answered. Append-only; kept through forks and reindexing. A quote counts from a minute after it was made.';
comment on column meta.usd_quotes.chain is 'Chain name.';
comment on column meta.usd_quotes.quoted_at is 'When the answer came, by the clock of the database.';
comment on column meta.usd_quotes.usd is 'USD for one system token.';
comment on column meta.usd_quotes.source is 'Host that answered.';
grant insert on meta.usd_quotes to headwater_writer;
