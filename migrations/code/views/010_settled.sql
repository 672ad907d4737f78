-- Derived rows as of the last irreversible block. The settled views of datasets are made by meta.create_settled_views.

-- Candles that no reversible block changed, and of the others the images from before the first reversible block.
create or replace view settled.candles as
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

-- Scores and holders of the hours that the last irreversible block has reached; trades of the hours that have ended there.
create or replace view settled.score_snapshots as
  select s.* from meta.position p cross join lateral (select date_trunc('hour', b.block_time, 'UTC') as hour from ledger.blocks b
      where b.chain = p.chain and b.block_num <= p.lib_num order by b.block_num desc limit 1) at
    join derive.score_snapshots s on s.chain = p.chain and s.valid_from <= at.hour;
create or replace view settled.token_scores as
  select s.* from meta.position p cross join lateral (select date_trunc('hour', b.block_time, 'UTC') as hour from ledger.blocks b
      where b.chain = p.chain and b.block_num <= p.lib_num order by b.block_num desc limit 1) at
    join derive.token_scores s on s.chain = p.chain and s.valid_from <= at.hour;
create or replace view settled.holder_samples as
  select s.* from meta.position p cross join lateral (select date_trunc('hour', b.block_time, 'UTC') as hour from ledger.blocks b
      where b.chain = p.chain and b.block_num <= p.lib_num order by b.block_num desc limit 1) at
    join derive.holder_samples s on s.chain = p.chain and s.hour <= at.hour;
create or replace view settled.token_hours as
  select s.* from meta.position p cross join lateral (select date_trunc('hour', b.block_time, 'UTC') as hour from ledger.blocks b
      where b.chain = p.chain and b.block_num <= p.lib_num order by b.block_num desc limit 1) at
    join derive.token_hours s on s.chain = p.chain and s.hour < at.hour;
create or replace view settled.token_trader_hours as
  select s.* from meta.position p cross join lateral (select date_trunc('hour', b.block_time, 'UTC') as hour from ledger.blocks b
      where b.chain = p.chain and b.block_num <= p.lib_num order by b.block_num desc limit 1) at
    join derive.token_trader_hours s on s.chain = p.chain and s.hour < at.hour;
