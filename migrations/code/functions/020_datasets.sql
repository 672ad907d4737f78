-- Datasets: tables of the ledger and of current state with all that belongs to them. One call of meta.register_dataset
-- makes the table, its comments, before-images, indexes, statistics, settled view, final log and publication; the end of
-- the migration makes its head and final views and its grants (views/, grants.sql).

-- Registers a dataset.
--
-- relation   ledger.NAME (facts) or state.NAME (current rows of a contract).
-- about      Comment of the table, and of its views unless a file of views/ makes them.
-- columns    Rows of name, type, comment. Without chain, and without block_time, global_seq, block_num and trx_id of an
--            action.
-- key        Columns that identify the entity (pool_id), separated by a comma and a space. chain is added.
-- kind       Of a fact. action: a row for each action or log, found by its place in the chain; the entity gets an
--            index after the backfill. clustered action: the same, stored by entity, which candles need while blocks are
--            indexed. block: the columns as given, with a key of their own.
-- indexes    Rows of name and definition: secondary indexes, built after the backfill.
-- at_once    Rows of name and definition: indexes that are filled with every row, and that replicas have too.
-- token_ids  Rows of name, symbol column and contract column: statistics for the token ids in views.
-- replicated Of state: columns that replicas get, or {*} for all. Null: a view over it refuses on a replica.
-- view       Template for meta.create_view. Null: a view with every column. none: no view. A view of that name in views/
--            has precedence.
-- notes      Comments of the view's columns that the table does not have: column, comment, column, comment, ...
create or replace function meta.register_dataset(relation text, about text, columns text[], key text, kind text default 'action',
  indexes text[] default '{}', at_once text[] default '{}', token_ids text[] default '{}', replicated text[] default null,
  view text default null, notes text[] default '{}') returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  side text := split_part(relation, '.', 1);
  name text := split_part(relation, '.', 2);
  keys text[] := string_to_array(key, ', ');
begin
  if side = 'ledger' then
    perform meta.create_ledger_table(name, columns, keys, kind);
  elsif side = 'state' then
    perform meta.create_state_table(name, columns, keys);
  else
    raise exception '%: a dataset is a table of ledger or state', relation using errcode = 'invalid_parameter_value';
  end if;
  execute format('comment on table %s is %L', relation, about);
  execute format('comment on column %s.chain is ''Chain name.''', relation);
  for i in 1 .. coalesce(array_length(columns, 1), 0) loop
    execute format('comment on column %s.%I is %L', relation, columns[i][1], columns[i][3]);
  end loop;
  for i in 1 .. coalesce(array_length(indexes, 1), 0) loop
    insert into meta.secondary_indexes values (relation, indexes[i][1], indexes[i][2]);
  end loop;
  perform meta.list_common_indexes();
  for i in 1 .. coalesce(array_length(at_once, 1), 0) loop
    execute format('create index %I on %s %s', name || '_' || at_once[i][1], relation, at_once[i][2]);
  end loop;
  for i in 1 .. coalesce(array_length(token_ids, 1), 0) loop
    perform meta.create_expression_statistics(case side when 'state' then 'versions.' || name else relation end::regclass, token_ids[i][1],
      format('lower(%I) || ''-'' || %I', token_ids[i][2], token_ids[i][3]));
  end loop;
  if side = 'ledger' and exists (select from pg_attribute a where a.attrelid = relation::regclass and a.attname = 'trx_id') then
    perform meta.create_expression_statistics(relation::regclass, 'trx_id', 'encode(trx_id, ''hex'')');
  end if;
  insert into meta.datasets values (relation, view, notes);
  perform meta.create_settled_view(side, name);
  perform meta.sync_final_log();
  if replicated is not null then
    perform meta.replicate_versions(name, 'settled.' || name, case when replicated = '{*}' then
        array['chain'] || (select array_agg(columns[i][1] order by i) from generate_series(1, array_length(columns, 1)) i) else replicated end,
      meta.key_columns('state', name));
  end if;
end $$;

-- Columns of a list as SQL: those of the key, or the others.
create or replace function meta.column_list(columns text[], keys text[], of_key boolean) returns text
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select string_agg(format(', %I %s', columns[i][1], columns[i][2]), '' order by i)
  from generate_series(1, array_length(columns, 1)) i where (columns[i][1] = any (keys)) = of_key or of_key is null
$$;

-- Creates a table of facts. Primary keys end with the chain, which is constant in a partition: a text as the first
-- column would make every comparison slower. A table that is filled in the order of the chain costs less; one stored by
-- entity gives the entity's rows of a time range without an index.
create or replace function meta.create_ledger_table(name text, columns text[], keys text[], kind text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  key_list text := (select string_agg(quote_ident(k), ', ' order by place) from unnest(keys) with ordinality u(k, place));
begin
  if kind = 'block' then
    execute format('create table ledger.%I (chain text not null%s, primary key (%s, chain)) partition by list (chain)',
      name, meta.column_list(columns, keys, null), key_list);
    return;
  end if;
  if kind not in ('action', 'clustered action') then
    raise exception 'ledger.%: no kind of facts: %', name, kind using errcode = 'invalid_parameter_value';
  end if;
  execute format('create table ledger.%I (chain text not null%s, block_time timestamptz not null, global_seq int8 not null,'
    || ' block_num int8 not null, trx_id bytea not null%s, primary key (%s)) partition by list (chain)', name,
    meta.column_list(columns, keys, true), meta.column_list(columns, keys, false),
    case kind when 'action' then 'global_seq, ' || key_list || ', chain' else key_list || ', block_time, global_seq, chain' end);
  if kind = 'action' then
    insert into meta.secondary_indexes values ('ledger.' || name, 'entity', format('(%s, block_time, global_seq)', key_list));
  end if;
  execute format('create index %1$s_block on ledger.%1$I using brin (block_num) with (pages_per_range = 32, autosummarize = on)', name);
  execute format('comment on column ledger.%I.block_time is ''Time of the block, UTC.''', name);
  execute format('comment on column ledger.%I.global_seq is ''Global sequence of the action: its place in the order of the chain.''', name);
  execute format('comment on column ledger.%I.block_num is ''Number of the block.''', name);
  execute format('comment on column ledger.%I.trx_id is ''Id of the transaction.''', name);
end $$;

-- Creates state.NAME (current rows), undo.NAME (before-images: undo_block and existed, then the row before the reversible
-- block undo_block changed it) and versions.NAME, of which both are partitions, because one table has statistics that a
-- union of two lacks. Current rows have the two columns of before-images, always null, so that a replica that deletes a
-- row by its key alone finds its partition. The columns have defaults, because the store does not write columns with
-- defaults.
create or replace function meta.create_state_table(name text, columns text[], keys text[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  key_list text := (select string_agg(quote_ident(k), ', ' order by place) from unnest(keys) with ordinality u(k, place));
begin
  execute format('create table state.%I (chain text not null%s, primary key (%s, chain)) partition by list (chain)', name,
    meta.column_list(columns, keys, null), key_list);
  execute format('create table undo.%1$I (undo_block int8 not null, existed boolean not null, like state.%1$I)', name);
  -- A row that did not exist has only its key.
  perform meta.drop_not_null('undo', name, (select array_agg(columns[i][1]) from generate_series(1, array_length(columns, 1)) i
    where columns[i][1] <> all (keys)));
  execute format('create index on undo.%I (%s, chain, undo_block)', name, key_list);
  execute format('create index on undo.%I (chain, undo_block)', name);
  execute format('alter table state.%I add column undo_block int8 default nullif(0, 0), add column existed boolean default nullif(true, true)', name);
  execute format('comment on column state.%I.undo_block is %L', name, 'Always null: of before-images alone.');
  execute format('comment on column state.%I.existed is %L', name, 'Always null: of before-images alone.');
  execute format('create table versions.%1$I (like undo.%1$I including comments) partition by list (existed)', name);
  perform meta.drop_not_null('versions', name, (select array_agg(a.attname::text) from pg_attribute a
    where a.attrelid = format('versions.%I', name)::regclass and a.attnum > 0));
  execute format('alter table versions.%1$I attach partition state.%1$I for values in (null)', name);
  execute format('alter table versions.%1$I attach partition undo.%1$I for values in (true, false)', name);
end $$;
comment on function meta.create_state_table(text, text[], text[]) is 'Creates current rows and before-images of a table of state, joined in one table of versions.';

create or replace function meta.drop_not_null(schema_name text, name text, columns text[]) returns void
language plpgsql as $$
declare
  column_name text;
begin
  foreach column_name in array coalesce(columns, '{}') loop
    execute format('alter table %I.%I alter column %I drop not null', schema_name, name, column_name);
  end loop;
end $$;

-- Columns of the primary key, in key order.
create or replace function meta.key_columns(schema_name text, name text) returns text[]
language sql stable as $$
  select array_agg(a.attname::text order by k.place)
  from pg_index i
  cross join lateral unnest(i.indkey) with ordinality k(attnum, place)
  join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
  where i.indrelid = format('%I.%I', schema_name, name)::regclass and i.indisprimary
$$;

-- Creates the view of a table's rows as of the last irreversible block.
--
-- Facts: the planner estimates a comparison with a column as true for a third of the rows, and its negation for two
-- thirds; all but the last rows of a chain are irreversible. State: the earliest before-image (if `existed`), else the
-- current row.
create or replace function meta.create_settled_view(side text, name text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  columns text;
  key_match text;
begin
  if side = 'ledger' then
    if name <> 'orphaned_blocks' then
      execute format('create or replace view settled.%1$I as select l.* from ledger.%1$I l join meta.position p on p.chain = l.chain'
        || ' and (l.block_num > p.lib_num) is not true', name);
    end if;
    return;
  end if;
  select string_agg(format('v.%I', a.attname), ', ' order by a.attnum) into columns from pg_attribute a
    where a.attrelid = format('state.%I', name)::regclass and a.attnum > 0 and not a.attisdropped
      and a.attname not in ('undo_block', 'existed');
  select string_agg(format('e.%1$I = v.%1$I', k), ' and ') into key_match from unnest(meta.key_columns('state', name)) k;
  execute format('create or replace view settled.%1$I as select %2$s from versions.%1$I v where v.existed is not false'
    || ' and not exists (select from undo.%1$I e where %3$s and e.undo_block < coalesce(v.undo_block, 9223372036854775807))',
    name, columns, key_match);
end $$;
