-- Candles: recomputed from the ledger for buckets that a block touched, each resolution from the next lower one.
create table derive.candles (
  chain text not null,
  market_kind text not null,
  market_id int8 not null,
  resolution text not null,
  bucket_time timestamptz not null,
  open numeric(39) not null,
  high numeric(39) not null,
  low numeric(39) not null,
  close numeric(39) not null,
  volume_base numeric not null,
  volume_target numeric not null,
  volume_usd numeric,
  trades int8 not null,
  trades_without_usd int8 not null,
  primary key (market_id, resolution, bucket_time, market_kind, chain)
) partition by list (chain);
comment on table derive.candles is 'Candles of pools and order-book markets in the units of the ledger.';
comment on column derive.candles.chain is 'Chain name.';
comment on column derive.candles.market_kind is 'amm or spot.';
comment on column derive.candles.market_id is 'Pool id or market id.';
comment on column derive.candles.resolution is '1, 5, 15, 30, 60, 240 (minutes), 1D, 1W (from Monday) or 1M (calendar month), UTC.';
comment on column derive.candles.bucket_time is 'Start of the candle.';
comment on column derive.candles.open is 'First trade: square-root price Q64.64 of a pool, unit price of a market.';
comment on column derive.candles.high is 'Highest trade, same unit.';
comment on column derive.candles.low is 'Lowest trade, same unit.';
comment on column derive.candles.close is 'Last trade, same unit.';
comment on column derive.candles.volume_base is 'Raw units of token A, or of the base token.';
comment on column derive.candles.volume_target is 'Raw units of token B, or of the target token.';
comment on column derive.candles.volume_usd is 'Volume in USD of the trades of a known value; null when the value of none is known.';
comment on column derive.candles.trades is 'Number of trades.';
comment on column derive.candles.trades_without_usd is 'Trades whose USD value is not known: they are not in volume_usd.';

-- Resolutions, in roll-up order.
create table meta.resolutions (
  place int4 primary key,
  resolution text not null,
  source text
);
comment on table meta.resolutions is 'Candle resolutions and the lower one from which each rolls up.';
comment on column meta.resolutions.place is 'Order of computation.';
comment on column meta.resolutions.resolution is 'Resolution.';
comment on column meta.resolutions.source is 'Resolution from which it is made; null: from the ledger.';
insert into meta.resolutions values (1, '1', null), (2, '5', '1'), (3, '15', '5'), (4, '30', '15'), (5, '60', '30'), (6, '240', '60'),
  (7, '1D', '240'), (8, '1W', '1D'), (9, '1M', '1D');

-- Start of the bucket that contains a time. Weeks start on Monday, months are calendar months, all in UTC. In PL/pgSQL
-- because it caches its plan; an SQL function that cannot be inlined is planned at every call.
create function meta.bucket_start(resolution text, at timestamptz) returns timestamptz
language plpgsql immutable parallel safe as $$
begin
  return case resolution
    when '1D' then date_trunc('day', at, 'UTC')
    when '1W' then date_trunc('week', at, 'UTC')
    when '1M' then date_trunc('month', at, 'UTC')
    else date_bin(make_interval(mins => resolution::int4), at, timestamptz '1970-01-01 00:00:00+00')
  end;
end $$;

create function meta.bucket_end(resolution text, bucket timestamptz) returns timestamptz
language plpgsql immutable parallel safe as $$
begin
  return case resolution
    when '1D' then bucket + interval '24 hours'
    when '1W' then bucket + interval '168 hours'
    when '1M' then ((bucket at time zone 'UTC') + interval '1 month') at time zone 'UTC'
    else bucket + make_interval(mins => resolution::int4)
  end;
end $$;

-- Before-images of candles: one row per market and reversible block; all trades of a block are in one minute.
create table undo.candles (
  undo_block int8 not null,
  chain text not null,
  market_kind text not null,
  market_id int8 not null,
  minute timestamptz not null,
  images derive.candles[]
);
create index on undo.candles (chain, undo_block);

-- Candles as of the last irreversible block: for candles touched by reversible blocks, the oldest before-image.
create view settled.candles as
  with touched as (
    select distinct on (u.chain, u.market_kind, u.market_id, r.resolution, bucket) u.chain, u.market_kind, u.market_id, r.resolution,
      bucket, u.images
    from undo.candles u cross join meta.resolutions r cross join lateral meta.bucket_start(r.resolution, u.minute) bucket
    order by u.chain, u.market_kind, u.market_id, r.resolution, bucket, u.undo_block
  )
  select c.* from derive.candles c where not exists (select from touched t where t.chain = c.chain and t.market_kind = c.market_kind
    and t.market_id = c.market_id and t.resolution = c.resolution and t.bucket = c.bucket_time)
  union all
  select i.* from touched t cross join lateral unnest(t.images) i where i.resolution = t.resolution;
