-- Holdings of the exchange at the end of each hour. A row belongs to the block that begins the next hour: a rewind of
-- that block removes it, and indexing the block again creates it again.
create table ledger.hour_snapshots (
  chain text not null,
  hour timestamptz not null,
  block_num int8 not null,
  block_time timestamptz not null,
  swap_locked numeric,
  spot_locked numeric,
  pools_without_usd int4 not null,
  orders_without_usd int4 not null,
  pools int4 not null,
  markets int4 not null,
  primary key (hour, chain)
) partition by list (chain);
create index hour_snapshots_block on ledger.hour_snapshots (block_num);
comment on table ledger.hour_snapshots is 'The exchange as the last block of each hour left it. An hour in which there were no blocks is as the hour before.';
comment on column ledger.hour_snapshots.chain is 'Chain name.';
comment on column ledger.hour_snapshots.hour is 'Start of the hour, UTC; it ends an hour later, that moment excluded.';
comment on column ledger.hour_snapshots.block_num is 'First block behind the hour.';
comment on column ledger.hour_snapshots.block_time is 'Time of that block, UTC.';
comment on column ledger.hour_snapshots.swap_locked is 'USD that pools hold, those of a known value; null when there are pools and the value of none is known.';
comment on column ledger.hour_snapshots.spot_locked is 'USD that open orders offer, in trusted tokens; null when there are orders and the value of none is known.';
comment on column ledger.hour_snapshots.pools_without_usd is 'Pools whose value is not known: they are not in swap_locked.';
comment on column ledger.hour_snapshots.orders_without_usd is 'Open orders whose value is not known: they are not in spot_locked.';
comment on column ledger.hour_snapshots.pools is 'Pools that there were.';
comment on column ledger.hour_snapshots.markets is 'Order-book markets that there were.';
