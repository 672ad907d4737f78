-- Final facts for replicas: views cannot be published, and the ledger contains reversible blocks. A worker (`headwater
-- publish`) appends irreversible rows here. They are never changed or removed; the publication has only inserts.
create schema final_log;
comment on schema final_log is 'Irreversible rows of the ledger for replicas, insert-only. Empty where nothing publishes.';

-- A table with the same name and columns for each table of the ledger.
do $$
declare
  parent record;
begin
  for parent in select c.relname, obj_description(c.oid) as about from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'p' and n.nspname = 'ledger' and c.relname <> 'orphaned_blocks' order by 1
  loop
    execute format('create table final_log.%1$I (like ledger.%1$I including indexes including comments)', parent.relname);
    execute format('comment on table final_log.%I is %L', parent.relname, parent.about);
  end loop;
end $$;

create table final_log.progress (
  chain text not null,
  block_num int8 not null,
  from_block int8,
  block_id text,
  block_time timestamptz,
  chain_id text,
  first_block int8 not null,
  appended_at timestamptz not null default clock_timestamp(),
  primary key (chain, block_num)
);
comment on table final_log.progress is 'What has been appended: a row for each transaction that appended blocks.';
comment on column final_log.progress.chain is 'Chain name.';
comment on column final_log.progress.block_num is 'Last block of the transaction: all rows up to it are there.';
comment on column final_log.progress.from_block is 'First block of the transaction; null for the first one.';
comment on column final_log.progress.block_id is 'Id of the last block; null on an EVM chain when it has no event.';
comment on column final_log.progress.block_time is 'Its time, UTC.';
comment on column final_log.progress.chain_id is 'As in head.position.';
comment on column final_log.progress.first_block is 'First block indexed.';
comment on column final_log.progress.appended_at is 'When it was appended, by the clock of the database: with the clock of a replica, its lag.';

-- Appends rows of a chain that have become irreversible, of at most `most` blocks. Returns the last appended block;
-- null when there are none or another process appends.
create function meta.append_final(chain_name text, most int8) returns int8
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  at meta.position;
  done int8;
  upto int8;
  parent record;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('headwater final_log ' || chain_name, 0)) then
    return null;
  end if;
  select * into at from meta.position p where p.chain = chain_name;
  select max(p.block_num) into done from final_log.progress p where p.chain = chain_name;
  upto := least(at.lib_num, coalesce(done, at.first_block - 1) + most);
  if upto is null or upto <= coalesce(done, at.first_block - 1) then
    return null;
  end if;
  for parent in select c.relname, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where n.nspname = 'final_log' and c.relkind = 'r' and c.relname <> 'progress' group by 1 order by 1
  loop
    -- Names the chain's partition: planning for the whole table takes longer than the work.
    execute format('insert into final_log.%1$I (%2$s) select %2$s from ledger.%3$I where block_num <= $1 and ($2 is null or block_num > $2)',
      parent.relname, parent.columns, parent.relname || '__' || chain_name) using upto, done;
  end loop;
  insert into final_log.progress (chain, block_num, from_block, block_id, block_time, chain_id, first_block)
    select chain_name, upto, done + 1, encode(b.block_id, 'hex'), b.block_time, at.chain_id, at.first_block
    from (select) x left join ledger.blocks b on b.chain = chain_name and b.block_num = upto;
  return upto;
end $$;

-- Makes a replica of a migrated database without an indexer: final views read the replicated tables. Cannot be undone.
create function meta.follow_final_log() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  parent record;
begin
  if exists (select from meta.position) then
    raise exception 'this database is indexed itself: a replica needs one of its own' using errcode = 'HW005';
  end if;
  for parent in select c.relname, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where n.nspname = 'settled' and exists (select from pg_class f join pg_namespace fn on fn.oid = f.relnamespace
      where fn.nspname = 'final_log' and f.relname = c.relname) group by 1
  loop
    execute format('create or replace view settled.%1$I as select %2$s from final_log.%1$I', parent.relname, parent.columns);
  end loop;
  drop trigger if exists move on final_log.progress;
  create trigger move after insert on final_log.progress for each row execute function meta.follow_progress();
  alter table final_log.progress enable always trigger move;
end $$;

-- On a replica: sets the position to the replicated block.
create function meta.follow_progress() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into meta.position (chain, chain_id, first_block, block_num, block_id, block_time, lib_num, head_num, writer)
    values (new.chain, new.chain_id, new.first_block, new.block_num, coalesce(new.block_id, ''), coalesce(new.block_time, 'epoch'), new.block_num,
      new.block_num, gen_random_uuid())
    on conflict (chain) do update set block_num = excluded.block_num, block_id = excluded.block_id, block_time = excluded.block_time,
      lib_num = excluded.lib_num, head_num = excluded.head_num, updated_at = clock_timestamp()
      where excluded.block_num > position.block_num;
  return null;
end $$;

revoke execute on function meta.append_final(text, int8), meta.follow_final_log(), meta.follow_progress() from public;
grant execute on function meta.append_final(text, int8) to headwater_writer;
grant usage on schema final_log to headwater_writer;
grant select on final_log.progress to headwater_writer;

do $$
begin
  execute (select format('create publication headwater_final for table %s with (publish = ''insert'')', string_agg(format('final_log.%I', c.relname), ', ' order by c.relname))
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'final_log' and c.relkind = 'r');
end $$;
