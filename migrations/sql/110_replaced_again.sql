-- A branch may be replaced, return, and be replaced again: an undone block's header has the time of its last
-- replacement.
comment on table ledger.orphaned_blocks is 'Headers of indexed blocks that a fork replaced; some may have come back since: head.orphaned_blocks leaves those out.';
comment on column ledger.orphaned_blocks.replaced_at is 'When the rewind took place, the last one of this block, by the clock of the database.';
comment on column head.orphaned_blocks.replaced_at is 'When the rewind took place, the last one of this block, by the clock of the database.';

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
