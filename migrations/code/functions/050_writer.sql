-- Functions for the writer. It has no DELETE and UPDATE on the ledger: a rewind is the only way to remove rows, and it
-- refuses to go below the last irreversible block. No statement of the program runs long enough to gain from JIT
-- compilation, but many are estimated as if they did; on a server with jit = on, each commit would wait for the compiler.

-- Creates a chain's partitions; build_indexes adds the secondary indexes. Partitions are created as tables and then
-- attached: creating them in place would lock the tables against readers of other chains.
create or replace function meta.add_chain(chain_name text) returns void
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
create or replace function meta.move_position(chain_name text, token uuid, num int8, id text, at timestamptz, lib int8, head int8,
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

-- Restores current rows as of before block from_block, from the before-images. Statements name the chain's partition:
-- planning them for the whole table takes longer than running them.
create or replace function meta.restore_state(name text, chain_name text, from_block int8) returns void
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
    from pg_attribute where attrelid = format('state.%I', name)::regclass and attnum > 0 and not attisdropped and not atthasdef;
  execute format('with oldest as materialized (select distinct on (%2$s) * from undo.%1$I where chain = $1 and undo_block >= $2'
    || ' order by %2$s, undo_block), gone as (delete from %3$s s using oldest o where %4$s and not o.existed)'
    || ' insert into %3$s (%5$s) select %5$s from oldest where existed on conflict (%2$s) do update set %6$s',
    name, key_list, part, key_match, all_columns, assignments) using chain_name, from_block;
  execute format('delete from undo.%I where chain = $1 and undo_block >= $2', name) using chain_name, from_block;
end $$;

-- Recomputes the candles touched by trades since from_block, from the remaining ledger rows.
create or replace function meta.restore_candles(chain_name text, from_block int8) returns void
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
create or replace function meta.rewind(chain_name text, from_block int8) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
-- Switched off in the writer's session, which merges a few rows at a time.
set enable_hashjoin = on set enable_mergejoin = on set jit = off as $$
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
    on conflict (block_num, block_id, chain) do update set replaced_at = excluded.replaced_at;
  delete from meta.range_digests d where d.chain = chain_name and d.first_block > from_block - meta.digest_leaf();
  -- Without statistics the planner ignores an index of blocks and reads the whole table.
  for name in
    select c.relname from unnest(meta.tables('ledger')) t join pg_class c on c.relname = t || '__' || chain_name
    where c.relnamespace = 'ledger'::regnamespace and pg_relation_size(c.oid) > 1048576
      and not exists (select from pg_stats s where s.schemaname = 'ledger' and s.tablename = c.relname and s.attname = 'block_num')
  loop
    execute format('analyze ledger.%I (block_num)', name);
  end loop;
  foreach name in array meta.tables('ledger') loop
    execute format('delete from ledger.%I where block_num between $1 and $2', name || '__' || chain_name)
      using from_block, at.block_num;
  end loop;
  foreach name in array meta.tables('state') loop
    perform meta.restore_state(name, chain_name, from_block);
  end loop;
  perform meta.restore_candles(chain_name, from_block);
  -- A fork may replace all indexed blocks: indexing then starts again.
  if from_block = at.first_block then
    delete from meta.position where chain = chain_name;
    perform meta.forget_scores(chain_name, '-infinity');
    return;
  end if;
  update meta.position p set block_num = b.block_num, block_id = encode(b.block_id, 'hex'), block_time = b.block_time,
      updated_at = clock_timestamp()
    from ledger.blocks b where p.chain = chain_name and b.chain = chain_name and b.block_num = from_block - 1;
  if not found then
    raise exception 'chain %: block % is not indexed, cannot rewind to it', chain_name, from_block - 1 using errcode = 'HW003';
  end if;
  perform meta.forget_scores(chain_name, (select date_trunc('hour', p.block_time, 'UTC') + interval '1 hour' from meta.position p
    where p.chain = chain_name));
end $$;

-- Tables of a schema that a rewind changes.
create or replace function meta.tables(schema_name text) returns text[]
language sql stable as $$
  select array_agg(c.relname::text order by c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'p' and n.nspname = schema_name and c.relname <> 'orphaned_blocks'
$$;

-- Deletes before-images below the last irreversible block: no rewind needs them.
create or replace function meta.forget_undo(names text[], chain_name text, lib int8) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  name text;
begin
  foreach name in array names loop
    execute format('delete from undo.%I where chain = $1 and undo_block <= $2', name) using chain_name, lib;
  end loop;
end $$;

-- Removes all data of a chain except the headers of undone blocks, so that it is indexed again from its first block.
-- Runs with the caller's privileges: the writer's do not suffice.
create or replace function meta.clear_chain(chain_name text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  part record;
begin
  for part in select n.nspname, c.relname, parent.relname as parent
    from pg_class parent
    join pg_namespace n on n.oid = parent.relnamespace
    join pg_class c on c.relnamespace = n.oid and c.relname = parent.relname || '__' || chain_name
    where parent.relkind = 'p' and n.nspname in ('ledger', 'state', 'derive')
      and parent.relname <> 'orphaned_blocks' order by 1, 2
  loop
    execute format('truncate %I.%I', part.nspname, part.relname);
  end loop;
  for part in select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'undo' and c.relkind = 'r'
  loop
    execute format('delete from undo.%I where chain = $1', part.relname) using chain_name;
  end loop;
  -- A backfill's ranges follow the removed blocks.
  delete from meta.backfill_ranges where chain = chain_name;
  delete from meta.fetched_ranges where chain = chain_name;
  delete from meta.range_digests where chain = chain_name;
  delete from meta.fetches where chain = chain_name;
  delete from meta.accounts where chain = chain_name;
  delete from meta.position where chain = chain_name;
  -- Its rows leave the boards with their next refresh, also when it is indexed up to the same block again before that.
  update meta.board_refreshes set counted_to = '-infinity' where chain = chain_name;
end $$;
