-- Functions for the writer. It has no DELETE and UPDATE on the ledger: a rewind is the only way to remove rows, and it
-- refuses to go below the last irreversible block.

-- Creates a chain's partitions; build_indexes adds the secondary indexes. Partitions are created as tables and then
-- attached: creating them in place would lock the tables against readers of other chains.
create function meta.add_chain(chain_name text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  parent record;
  part text;
begin
  -- The rule of core/chain-name.ts.
  if chain_name !~ '^(?=.{1,24}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$' then
    raise exception 'not a chain name: "%"', chain_name using errcode = 'HW001';
  end if;
  for parent in select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'p' and n.nspname in ('ledger', 'state', 'derive') order by 1, 2
  loop
    part := format('%I.%I', parent.nspname, parent.relname || '__' || chain_name);
    continue when to_regclass(part) is not null;
    execute format('create table %s (like %I.%I including all excluding comments)', part, parent.nspname, parent.relname);
    execute format('alter table %I.%I attach partition %s for values in (%L)', parent.nspname, parent.relname, part, chain_name);
  end loop;
end $$;

-- Advances the position from the block where this writer left it, in the transaction that writes the blocks in between.
create function meta.move_position(chain_name text, token uuid, num int8, id text, at timestamptz, lib int8, head int8,
  from_num int8, from_id text) returns void
language plpgsql as $$
begin
  update meta.position p set block_num = num, block_id = id, block_time = at, lib_num = greatest(p.lib_num, lib), head_num = head,
      updated_at = clock_timestamp()
    where p.chain = chain_name and p.writer = token and p.block_num = from_num and p.block_id = from_id;
  if not found then
    raise exception 'block % is no longer the last one, or another process took over', from_num using errcode = 'HW004';
  end if;
end $$;

-- Builds a chain's secondary indexes and marks it as indexed. Does nothing if they exist.
create function meta.build_indexes(chain_name text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  wanted record;
begin
  for wanted in select split_part(relation, '.', 1) as schema_name, split_part(relation, '.', 2) as table_name, name, definition
    from meta.secondary_indexes order by relation, name
  loop
    execute format('create index if not exists %I on %I.%I %s', wanted.table_name || '__' || chain_name || '_' || wanted.name,
      wanted.schema_name, wanted.table_name || '__' || chain_name, wanted.definition);
  end loop;
  for wanted in select c.oid from pg_class parent
    join pg_namespace n on n.oid = parent.relnamespace
    join pg_class part on part.relnamespace = n.oid and part.relname = parent.relname || '__' || chain_name
    join pg_index i on i.indrelid = part.oid
    join pg_class c on c.oid = i.indexrelid
    join pg_am a on a.oid = c.relam
    where parent.relkind = 'p' and n.nspname = 'ledger' and a.amname = 'brin'
  loop
    perform brin_summarize_new_values(wanted.oid);
  end loop;
  update meta.position set indexed = true where chain = chain_name;
end $$;

-- Recomputes the candles of trades at the given minutes: the minute candles from the ledger, then each higher
-- resolution from the next lower one. With undo_at, the previous candles are stored as before-images. kinds, ids and
-- minutes are parallel arrays. Plans do not depend on the arrays: planning at every block would take longer than the
-- work.
create function meta.refresh_candles(chain_name text, kinds text[], ids int8[], minutes timestamptz[], undo_at int8) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
set plan_cache_mode = force_generic_plan as $$
declare
  step record;
begin
  if undo_at is not null then
    insert into undo.candles
      select undo_at, chain_name, k.kind, k.id, k.minute, (
        select array_agg(c) from meta.resolutions r join derive.candles c on c.chain = chain_name and c.market_kind = k.kind
          and c.market_id = k.id and c.resolution = r.resolution and c.bucket_time = meta.bucket_start(r.resolution, k.minute))
      from (select distinct t.kind, t.id, t.minute from unnest(kinds, ids, minutes) t(kind, id, minute)) k;
  end if;
  for step in select resolution, source from meta.resolutions order by place loop
    if step.source is null then
      insert into derive.candles as c (chain, market_kind, market_id, resolution, bucket_time, open, high, low, close,
          volume_base, volume_target, volume_usd, trades, trades_without_usd)
        select chain_name, 'amm', k.id, step.resolution, k.bucket, t.open, t.high, t.low, t.close, t.base, t.target, t.usd, t.trades, t.unknown
        from (select distinct id, minute as bucket from unnest(kinds, ids, minutes) u(kind, id, minute) where kind = 'amm') k
        cross join lateral (
          select (array_agg(s.sqrt_price_x64 order by s.block_time, s.global_seq))[1] as open, max(s.sqrt_price_x64) as high,
            min(s.sqrt_price_x64) as low, (array_agg(s.sqrt_price_x64 order by s.block_time desc, s.global_seq desc))[1] as close,
            sum(abs(s.amount_a)) as base, sum(abs(s.amount_b)) as target, sum(s.usd) as usd, count(*) as trades,
            count(*) - count(s.usd) as unknown
          from ledger.swaps s
          where s.chain = chain_name and s.pool_id = k.id and s.block_time >= k.bucket and s.block_time < k.bucket + interval '1 minute'
        ) t where t.trades > 0
        union all
        select chain_name, 'spot', k.id, step.resolution, k.bucket, t.open, t.high, t.low, t.close, t.base, t.target, t.usd, t.trades, t.unknown
        from (select distinct id, minute as bucket from unnest(kinds, ids, minutes) u(kind, id, minute) where kind = 'spot') k
        cross join lateral (
          select (array_agg(d.unit_price order by d.block_time, d.global_seq))[1] as open, max(d.unit_price) as high,
            min(d.unit_price) as low, (array_agg(d.unit_price order by d.block_time desc, d.global_seq desc))[1] as close,
            sum(d.amount_base) as base, sum(d.amount_target) as target, sum(d.usd) as usd, count(*) as trades,
            count(*) - count(d.usd) as unknown
          from ledger.deals d
          where d.chain = chain_name and d.market_id = k.id and d.block_time >= k.bucket and d.block_time < k.bucket + interval '1 minute'
        ) t where t.trades > 0
      on conflict (market_id, resolution, bucket_time, market_kind, chain) do update set open = excluded.open, high = excluded.high,
        low = excluded.low, close = excluded.close, volume_base = excluded.volume_base, volume_target = excluded.volume_target,
        volume_usd = excluded.volume_usd, trades = excluded.trades, trades_without_usd = excluded.trades_without_usd;
    else
      insert into derive.candles as c (chain, market_kind, market_id, resolution, bucket_time, open, high, low, close,
          volume_base, volume_target, volume_usd, trades, trades_without_usd)
        select chain_name, k.kind, k.id, step.resolution, k.bucket, t.open, t.high, t.low, t.close, t.base, t.target, t.usd, t.trades, t.unknown
        from (select distinct u.kind, u.id, meta.bucket_start(step.resolution, u.minute) as bucket
          from unnest(kinds, ids, minutes) u(kind, id, minute)) k
        cross join lateral (
          select (array_agg(l.open order by l.bucket_time))[1] as open, max(l.high) as high, min(l.low) as low,
            (array_agg(l.close order by l.bucket_time desc))[1] as close, sum(l.volume_base) as base, sum(l.volume_target) as target,
            sum(l.volume_usd) as usd, sum(l.trades)::int8 as trades, sum(l.trades_without_usd)::int8 as unknown
          from derive.candles l
          where l.chain = chain_name and l.market_kind = k.kind and l.market_id = k.id and l.resolution = step.source
            and l.bucket_time >= k.bucket and l.bucket_time < meta.bucket_end(step.resolution, k.bucket)
        ) t where t.trades > 0
      on conflict (market_id, resolution, bucket_time, market_kind, chain) do update set open = excluded.open, high = excluded.high,
        low = excluded.low, close = excluded.close, volume_base = excluded.volume_base, volume_target = excluded.volume_target,
        volume_usd = excluded.volume_usd, trades = excluded.trades, trades_without_usd = excluded.trades_without_usd;
    end if;
  end loop;
end $$;

-- Restores current rows as of before block from_block, from the before-images. Statements name the chain's partition:
-- planning them for the whole table takes longer than running them.
create function meta.restore_state(name text, chain_name text, from_block int8) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  part text := format('state.%I', name || '__' || chain_name);
  keys text[];
  key_list text;
  key_match text;
  all_columns text;
  assignments text;
  changed boolean;
begin
  execute format('select exists (select from undo.%I where chain = $1 and undo_block >= $2)', name) into changed using chain_name, from_block;
  if not changed then
    return;
  end if;
  keys := meta.key_columns('state', name);
  select string_agg(quote_ident(k), ', '), string_agg(format('s.%1$I = o.%1$I', k), ' and ') into key_list, key_match from unnest(keys) k;
  select string_agg(quote_ident(attname), ', ' order by attnum),
      string_agg(format('%1$I = excluded.%1$I', attname), ', ') filter (where attname <> all (keys))
    into all_columns, assignments
    from pg_attribute where attrelid = format('state.%I', name)::regclass and attnum > 0 and not attisdropped;
  execute format('with oldest as materialized (select distinct on (%2$s) * from undo.%1$I where chain = $1 and undo_block >= $2'
    || ' order by %2$s, undo_block), gone as (delete from %3$s s using oldest o where %4$s and not o.existed)'
    || ' insert into %3$s (%5$s) select %5$s from oldest where existed on conflict (%2$s) do update set %6$s',
    name, key_list, part, key_match, all_columns, assignments) using chain_name, from_block;
  execute format('delete from undo.%I where chain = $1 and undo_block >= $2', name) using chain_name, from_block;
end $$;

-- Recomputes the candles touched by trades since from_block, from the remaining ledger rows.
create function meta.restore_candles(chain_name text, from_block int8) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  kinds text[];
  ids int8[];
  minutes timestamptz[];
begin
  select array_agg(t.market_kind), array_agg(t.market_id), array_agg(t.minute) into kinds, ids, minutes
    from (select distinct u.market_kind, u.market_id, u.minute from undo.candles u
      where u.chain = chain_name and u.undo_block >= from_block) t;
  delete from undo.candles where chain = chain_name and undo_block >= from_block;
  if kinds is null then
    return;
  end if;
  delete from derive.candles c
    using (select distinct t.kind, t.id, r.resolution, meta.bucket_start(r.resolution, t.minute) as bucket
      from unnest(kinds, ids, minutes) t(kind, id, minute) cross join meta.resolutions r) k
    where c.chain = chain_name and c.market_kind = k.kind and c.market_id = k.id and c.resolution = k.resolution
      and c.bucket_time = k.bucket;
  perform meta.refresh_candles(chain_name, kinds, ids, minutes, null);
end $$;

-- Removes a chain's indexed blocks from from_block on, and restores state and candles as of the block before it.
create function meta.rewind(chain_name text, from_block int8) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
-- Switched off in the writer's session, which merges a few rows at a time.
set enable_hashjoin = on set enable_mergejoin = on as $$
declare
  at meta.position;
  name text;
begin
  select * into at from meta.position where chain = chain_name for update;
  if from_block > at.block_num then
    return;
  end if;
  if from_block <= at.lib_num then
    raise exception 'chain %: cannot rewind to block %: block % is irreversible', chain_name, from_block - 1, at.lib_num
      using errcode = 'HW002';
  end if;
  insert into ledger.orphaned_blocks (chain, block_num, block_id, prev_id, block_time, producer)
    select b.chain, b.block_num, b.block_id, b.prev_id, b.block_time, b.producer from ledger.blocks b
    where b.chain = chain_name and b.block_num between from_block and at.block_num
    on conflict do nothing;
  -- Statistics of newly filled tables may make the planner choose sequential scans.
  perform set_config('enable_seqscan', 'off', true);
  foreach name in array meta.tables('ledger') loop
    execute format('delete from ledger.%I where block_num between $1 and $2', name || '__' || chain_name)
      using from_block, at.block_num;
  end loop;
  perform set_config('enable_seqscan', 'on', true);
  foreach name in array meta.tables('state') loop
    perform meta.restore_state(name, chain_name, from_block);
  end loop;
  perform meta.restore_candles(chain_name, from_block);
  -- A fork may replace all indexed blocks: indexing then starts again.
  if from_block = at.first_block then
    delete from meta.position where chain = chain_name;
    return;
  end if;
  update meta.position p set block_num = b.block_num, block_id = encode(b.block_id, 'hex'), block_time = b.block_time,
      updated_at = clock_timestamp()
    from ledger.blocks b where p.chain = chain_name and b.chain = chain_name and b.block_num = from_block - 1;
  if not found then
    raise exception 'chain %: block % is not indexed, cannot rewind to it', chain_name, from_block - 1 using errcode = 'HW003';
  end if;
end $$;

-- Tables of a schema that a rewind changes.
create function meta.tables(schema_name text) returns text[]
language sql stable as $$
  select array_agg(c.relname::text order by c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'p' and n.nspname = schema_name and c.relname <> 'orphaned_blocks'
$$;

-- Deletes before-images that no rewind can need any more.
create function meta.forget_undo(names text[], chain_name text, lib int8) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  name text;
begin
  foreach name in array names loop
    execute format('delete from undo.%I where chain = $1 and undo_block <= $2', name) using chain_name, lib;
  end loop;
end $$;
