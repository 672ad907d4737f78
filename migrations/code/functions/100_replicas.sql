-- Replicas of final facts: views cannot be published, and the ledger contains reversible blocks. A worker (`headwater
-- publish`) appends irreversible rows to final_log. They are never changed or removed; the publication has only inserts.
-- Replicas are correct or refuse: data that views over facts need besides the ledger are also replicated, accounts of
-- roles and rarely changing contract tables as versions, hours as counted. A view that needs other data fails on a
-- replica with SQLSTATE HW050; until the initial copy is complete all fail with HW051.

-- Brings final_log up to the tables that it copies: new tables and columns of the ledger, changed types and comments.
-- Runs at the end of every migration.
create or replace function meta.sync_final_log() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  lacking record;
begin
  for lacking in select c.oid, c.relname, obj_description(c.oid) as about from pg_class c
    where c.relkind = 'p' and c.relnamespace = 'ledger'::regnamespace and c.relname <> 'orphaned_blocks'
      and to_regclass(format('final_log.%I', c.relname)) is null order by 2
  loop
    execute format('create table final_log.%1$I (like ledger.%1$I including indexes including comments)', lacking.relname);
    execute format('comment on table final_log.%I is %L', lacking.relname, lacking.about);
    execute format('alter publication headwater_final add table final_log.%I', lacking.relname);
  end loop;
  for lacking in select c.relname, a.attname, format_type(a.atttypid, a.atttypmod) as type, col_description(c.oid, a.attnum) as about
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_class f on f.relname = c.relname and f.relnamespace = 'final_log'::regnamespace and f.relkind = 'r'
    where c.relkind = 'p' and c.relnamespace = 'ledger'::regnamespace
      and not exists (select from pg_attribute b where b.attrelid = f.oid and b.attname = a.attname and not b.attisdropped)
    order by 1, a.attnum
  loop
    execute format('alter table final_log.%I add column %I %s', lacking.relname, lacking.attname, lacking.type);
    execute format('comment on column final_log.%I.%I is %L', lacking.relname, lacking.attname, lacking.about);
  end loop;
  for lacking in
    select c.relname, a.attname, format_type(a.atttypid, a.atttypmod) as type, col_description(s.oid, a.attnum) as about,
      (a.atttypid, a.atttypmod) is distinct from (b.atttypid, b.atttypmod) as is_other_type
    from pg_class c
    left join meta.replicated r on r.name = c.relname
    join pg_class s on s.oid = case when r.name is null then format('ledger.%I', c.relname) else replace(r.source, 'settled.', 'state.') end::regclass
    join pg_attribute a on a.attrelid = s.oid and a.attnum > 0 and not a.attisdropped
    join pg_attribute b on b.attrelid = c.oid and b.attname = a.attname
    where c.relkind = 'r' and c.relnamespace = 'final_log'::regnamespace and c.relname <> 'progress'
      and ((a.atttypid, a.atttypmod) is distinct from (b.atttypid, b.atttypmod)
        or r.name is null and col_description(s.oid, a.attnum) is distinct from col_description(c.oid, b.attnum))
  loop
    if lacking.is_other_type then
      execute format('alter table final_log.%1$I alter column %2$I type %3$s using %2$I::%3$s', lacking.relname, lacking.attname, lacking.type);
    else
      execute format('comment on column final_log.%I.%I is %L', lacking.relname, lacking.attname, lacking.about);
    end if;
  end loop;
end $$;

-- Creates a table of versions in final_log, and the view meta.replicated_NAME of the rows in force.
create or replace function meta.replicate_versions(name text, source text, published text[], keys text[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  list text := (select string_agg(quote_ident(c), ', ') from unnest(published) c);
  key_list text := (select string_agg(quote_ident(c), ', ') from unnest(keys) c);
begin
  insert into meta.replicated values (name, source, 'versions', published, keys);
  execute format('create table final_log.%I as select %s, null::int8 as since, null::boolean as gone from %s limit 0', name, list, source);
  execute format('alter table final_log.%I add primary key (%s, since), alter column gone set not null', name, key_list);
  execute format('comment on table final_log.%I is %L', name, 'Versions of ' || source || ': the last one of a key is in force.');
  execute format('comment on column final_log.%I.since is ''Block from which the version holds.''', name);
  execute format('comment on column final_log.%I.gone is ''Whether the row is no longer there.''', name);
  execute format('alter publication headwater_final add table final_log.%I', name);
  perform meta.create_replicated_view(name);
end $$;

-- Creates the view of the rows in force of a table of versions.
create or replace function meta.create_replicated_view(table_name text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  wanted meta.replicated := (select r from meta.replicated r where r.name = table_name);
  list text := (select string_agg(quote_ident(c), ', ') from unnest(wanted.columns) c);
  is_same text := (select string_agg(format('n.%1$I = v.%1$I', c), ' and ') from unnest(wanted.key_columns) c);
  source regclass := coalesce(to_regclass(replace(wanted.source, 'settled.', 'state.')), wanted.source::regclass);
begin
  execute format('create or replace view meta.replicated_%1$I as select %2$s from final_log.%1$I v where not v.gone'
    || ' and not exists (select from final_log.%1$I n where %3$s and n.since > v.since)', wanted.name, list, is_same);
  execute format('comment on view meta.replicated_%I is %L', wanted.name, 'Rows of ' || wanted.source || ' as last published.');
  perform meta.copy_comments(format('meta.replicated_%I', wanted.name)::regclass, array[source], '{}');
end $$;

-- Rows of an hour are inserted once the hour is irreversible and never change.
create or replace function meta.replicate_hours(name text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into meta.replicated select name, 'derive.' || name, 'hours', array_agg(a.attname::text order by a.attnum),
      meta.key_columns('derive', name)
    from pg_attribute a where a.attrelid = format('derive.%I', name)::regclass and a.attnum > 0 and not a.attisdropped;
  execute format('create table final_log.%1$I (like derive.%1$I including indexes including comments)', name);
  execute format('comment on table final_log.%I is %L', name, obj_description(format('derive.%I', name)::regclass));
  execute format('alter publication headwater_final add table final_log.%I', name);
end $$;

-- Publishes changes of a versioned table, as of an irreversible block.
create or replace function meta.append_versions(chain_name text, at int8, table_name text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  wanted meta.replicated := (select r from meta.replicated r where r.name = table_name);
  list text := (select string_agg(quote_ident(c), ', ') from unnest(wanted.columns) c);
  s_row text := (select string_agg(format('s.%I', c), ', ') from unnest(wanted.columns) c);
  c_row text := (select string_agg(format('c.%I', c), ', ') from unnest(wanted.columns) c);
  key_list text := (select string_agg(quote_ident(c), ', ') from unnest(wanted.key_columns) c);
  c_keys text := (select string_agg(format('c.%I', c), ', ') from unnest(wanted.key_columns) c);
  is_same text := (select string_agg(format('s.%1$I = c.%1$I', c), ' and ') from unnest(wanted.key_columns) c);
begin
  execute format('insert into final_log.%1$I (%2$s, since, gone) select %3$s, $2, false from %4$s s left join meta.replicated_%1$I c on %5$s'
    || ' where s.chain = $1 and (c.chain is null or (%3$s) is distinct from (%6$s))', wanted.name, list, s_row, wanted.source, is_same, c_row)
    using chain_name, at;
  execute format('insert into final_log.%1$I (%2$s, since, gone) select %3$s, $2, true from meta.replicated_%1$I c'
    || ' where c.chain = $1 and not exists (select from %4$s s where s.chain = $1 and %5$s)', wanted.name, key_list, c_keys, wanted.source, is_same)
    using chain_name, at;
end $$;

-- Appends rows of a chain that have become irreversible, of at most `most` blocks, and with the last of them the
-- versions. Returns the last appended block; null when there are none or another process appends. Reads one snapshot.
create or replace function meta.append_final(chain_name text, most int8) returns int8
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  at meta.position;
  done int8;
  upto int8;
  is_complete boolean;
  parent record;
  wanted meta.replicated;
  list text;
begin
  if current_setting('transaction_isolation') = 'read committed' then
    raise exception 'append_final needs a transaction of one snapshot' using errcode = 'HW052';
  end if;
  -- If another process has appended since this transaction's snapshot, the lock fails with 40001.
  if not exists (select from meta.published p where p.chain = chain_name) then
    insert into meta.published (chain) values (chain_name) on conflict do nothing;
  end if;
  perform from meta.published p where p.chain = chain_name for update skip locked;
  if not found then
    return null;
  end if;
  select * into at from meta.position p where p.chain = chain_name;
  select max(p.block_num) into done from final_log.progress p where p.chain = chain_name;
  upto := least(at.lib_num, coalesce(done, at.first_block - 1) + most);
  if upto is null or upto <= coalesce(done, at.first_block - 1) then
    return null;
  end if;
  for parent in select c.relname, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_class l on l.relname = c.relname and l.relnamespace = 'ledger'::regnamespace and l.relkind = 'p'
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'final_log'::regnamespace and c.relkind = 'r' group by 1 order by 1
  loop
    -- Names the chain's partition: planning for the whole table takes longer than the work.
    execute format('insert into final_log.%1$I (%2$s) select %2$s from ledger.%3$I where block_num <= $1 and ($2 is null or block_num > $2)',
      parent.relname, parent.columns, parent.relname || '__' || chain_name) using upto, done;
  end loop;
  is_complete := upto = at.lib_num;
  if is_complete then
    for wanted in select * from meta.replicated r order by r.name loop
      if wanted.kind = 'versions' then
        perform meta.append_versions(chain_name, upto, wanted.name);
      else
        list := (select string_agg(quote_ident(c), ', ') from unnest(wanted.columns) c);
        execute format('insert into final_log.%1$I (%2$s) select %2$s from %3$s where chain = $1'
          || ' and hour > coalesce((select max(hour) from final_log.%1$I where chain = $1), ''-infinity'')', wanted.name, list, wanted.source)
          using chain_name;
      end if;
    end loop;
  end if;
  insert into final_log.progress (chain, block_num, from_block, block_id, block_time, chain_id, first_block, head_num, state_block, complete)
    select chain_name, upto, done + 1, encode(b.block_id, 'hex'), b.block_time, at.chain_id, at.first_block, at.head_num, at.state_block, is_complete
    from (select) x left join ledger.blocks b on b.chain = chain_name and b.block_num = upto;
  update meta.published p set block_num = upto where p.chain = chain_name;
  return upto;
end $$;

-- On a replica: sets the position to the replicated block, once the versions as of that block have arrived.
create or replace function meta.follow_progress() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into meta.position (chain, chain_id, first_block, block_num, block_id, block_time, lib_num, head_num, state_block, writer)
    select new.chain, new.chain_id, new.first_block, new.block_num, coalesce(new.block_id, ''), coalesce(new.block_time, 'epoch'), new.block_num,
      coalesce(new.head_num, new.block_num), new.state_block, gen_random_uuid()
    where new.complete
    on conflict (chain) do update set block_num = excluded.block_num, block_id = excluded.block_id, block_time = excluded.block_time,
      lib_num = excluded.lib_num, head_num = excluded.head_num, state_block = excluded.state_block, updated_at = clock_timestamp()
      where excluded.block_num > position.block_num;
  return null;
end $$;

-- Before the initial copy is complete, a replica's answers would be incomplete.
create or replace function meta.replica_ready() returns boolean
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from pg_subscription_rel r join pg_class c on c.oid = r.srrelid
      where c.relnamespace = 'final_log'::regnamespace and r.srsubstate <> 'r') then
    raise exception 'the first copy of this replica is not complete yet' using errcode = 'HW051',
      hint = 'pg_subscription_rel says which tables are still being copied';
  end if;
  return true;
end $$;

create or replace function meta.not_replicated(what text) returns setof int4
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception '% is not replicated: it needs more than final facts', what using errcode = 'HW050',
    hint = 'ask the first server, or replicate everything: docs/operate/replication.md';
end $$;

-- Replaces a column that is not replicated.
create or replace function meta.not_replicated(what text, value anyelement) returns anyelement
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  perform meta.not_replicated(what);
  return value;
end $$;

-- Makes a replica of a migrated database without an indexer: final views read the replicated tables; views that need
-- more refuse. May be repeated, as each migration of a replica does. Cannot be undone.
create or replace function meta.follow_final_log() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  parent record;
begin
  if to_regclass('meta.is_replica') is null then
    if exists (select from meta.position) then
      raise exception 'this database is indexed itself: a replica needs one of its own' using errcode = 'HW005';
    end if;
    execute 'create view meta.is_replica as select true as yes';
    execute 'comment on view meta.is_replica is ''There only in a replica of final facts.''';
  end if;
  for parent in select c.relname, string_agg('l.' || quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    join pg_class l on l.relname = c.relname and l.relnamespace = 'ledger'::regnamespace and l.relkind = 'p'
    where c.relnamespace = 'settled'::regnamespace group by 1
  loop
    execute format('create or replace view settled.%1$I as select %2$s from final_log.%1$I l join meta.position p on p.chain = l.chain'
      || ' and l.block_num <= p.lib_num where (select meta.replica_ready())', parent.relname, parent.columns);
  end loop;
  for parent in select r.name, r.kind, (
      select string_agg(case when a.attname = any(r.columns) then format('v.%I', a.attname)
          else format('meta.not_replicated(%1$L, null::%2$s)::%2$s as %3$I', r.name || '.' || a.attname, format_type(a.atttypid, a.atttypmod), a.attname) end, ', '
        order by a.attnum)
      from pg_attribute a where a.attrelid = r.source::regclass and a.attnum > 0 and not a.attisdropped) as columns
    from meta.replicated r
  loop
    execute format('create or replace view settled.%I as select %s from %s v where (select meta.replica_ready())%s', parent.name, parent.columns,
      case parent.kind when 'versions' then format('meta.replicated_%I', parent.name) else format('final_log.%I', parent.name) end,
      -- The source database keeps users of one day.
      case when parent.name = 'hour_users' then ' and v.hour > (select max(t.hour) from final_log.hour_totals t where t.chain = v.chain)'
        || ' - interval ''24 hours''' end);
  end loop;
  perform meta.redirect_views();
  perform meta.refuse_views();
  perform meta.refuse_boards();
  drop trigger if exists move on final_log.progress;
  create trigger move after insert on final_log.progress for each row execute function meta.follow_progress();
  alter table final_log.progress enable always trigger move;
end $$;

-- On a replica: makes views that read a table by its own name read the replicated one.
create or replace function meta.redirect_views() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  part record;
  body text;
  wanted meta.replicated;
begin
  for part in select c.oid, c.relname from pg_class c where c.relnamespace = 'final'::regnamespace and c.relkind = 'v' order by 2 loop
    body := pg_get_viewdef(part.oid);
    for wanted in select * from meta.replicated r where r.source not like 'settled.%' loop
      body := regexp_replace(body, '\m' || replace(wanted.source, '.', '\.') || '\M', 'settled.' || wanted.name, 'g');
    end loop;
    if body <> pg_get_viewdef(part.oid) then
      execute format('create or replace view final.%I as %s', part.relname, body);
    end if;
  end loop;
end $$;

-- On a replica: replaces boards, which nothing refreshes there, by views that refuse.
create or replace function meta.refuse_boards() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  part record;
begin
  for part in select c.relname, obj_description(c.oid, 'pg_class') as about, array_agg(a.attname::text order by a.attnum) as names,
      array_agg(format_type(a.atttypid, a.atttypmod) order by a.attnum) as types, array_agg(col_description(c.oid, a.attnum) order by a.attnum) as notes
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'board'::regnamespace and c.relkind in ('r', 'm', 'v') group by 1, 2
  loop
    perform meta.drop_boards(part.relname);
    execute format('create view board.%I as select %s from meta.not_replicated(%L)', part.relname,
      (select string_agg(format('null::%s as %I', part.types[i], part.names[i]), ', ' order by i) from generate_series(1, cardinality(part.names)) i),
      'board.' || part.relname);
    execute format('comment on view board.%I is %L', part.relname, part.about);
    for i in 1 .. cardinality(part.names) loop
      execute format('comment on column board.%I.%I is %L', part.relname, part.names[i], part.notes[i]);
    end loop;
    execute format('grant select on board.%I to headwater_reader, headwater_writer, headwater_api', part.relname);
  end loop;
end $$;

-- On a replica: finds views that read data which are not replicated, directly or through other views.
create or replace function meta.refuse_views() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  part record;
begin
  for part in
    with recursive uses(view, used) as (
      select c.oid, c.oid from pg_class c where c.relnamespace in ('head'::regnamespace, 'final'::regnamespace) and c.relkind = 'v'
      union
      select u.view, d.refobjid from uses u join pg_rewrite r on r.ev_class = u.used
        join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
    )
    select distinct v.relnamespace::regnamespace::text as side, v.relname, v.oid from uses u join pg_class v on v.oid = u.view
      join pg_class c on c.oid = u.used join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'final_log') and c.oid not in ('meta.position'::regclass, 'meta.domains'::regclass)
      order by 1, 2
  loop
    execute format('create or replace view %I.%I as select %s from meta.not_replicated(%L)', part.side, part.relname,
      (select string_agg(format('null::%s as %I', format_type(a.atttypid, a.atttypmod), a.attname), ', ' order by a.attnum)
        from pg_attribute a where a.attrelid = part.oid and a.attnum > 0 and not a.attisdropped), part.side || '.' || part.relname);
  end loop;
end $$;

-- Runs at the end of every migration: adapts its changes to a replica.
create or replace function meta.end_migration() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform meta.sync_final_log();
  if to_regclass('meta.is_replica') is not null then
    perform meta.follow_final_log();
  end if;
end $$;
