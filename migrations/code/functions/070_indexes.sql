-- Secondary indexes and statistics. Partitions of a chain get secondary indexes after its backfill; a chain that is
-- indexed already gets those of new tables at the end of the migration that makes the tables.

-- Builds one secondary index of a chain, as meta.secondary_indexes defines it. Does nothing if it exists. Sessions may
-- build several at once while nothing writes to the chain. When another session builds the same one, waits for its end:
-- the session of a process that was killed goes on until its statement is over.
create or replace function meta.build_index(chain_name text, wanted_relation text, wanted_name text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  wanted record;
  violated text;
begin
  for wanted in select split_part(relation, '.', 1) as schema_name, split_part(relation, '.', 2) as table_name, name, definition
    from meta.secondary_indexes where relation = wanted_relation and name = wanted_name
  loop
    loop
      begin
        execute format('create index if not exists %I on %I.%I %s', wanted.table_name || '__' || chain_name || '_' || wanted.name,
          wanted.schema_name, wanted.table_name || '__' || chain_name, wanted.definition);
        exit;
      exception when unique_violation then
        -- "if not exists" does not see an index whose transaction has not ended. Its name is refused after that end.
        get stacked diagnostics violated = constraint_name;
        if violated <> 'pg_class_relname_nsp_index' then
          raise;
        end if;
      end;
    end loop;
  end loop;
end $$;

-- Brings the BRIN indexes of a chain's ledger up to date, which reads all new pages. The first reader of a row marks it in
-- its page as committed. Right after the commit this costs next to nothing; after the next checkpoint it writes the whole
-- page to the WAL.
create or replace function meta.summarize_new_pages(chain_name text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  wanted record;
begin
  for wanted in select c.oid from pg_class parent
    join pg_namespace n on n.oid = parent.relnamespace
    join pg_class part on part.relnamespace = n.oid and part.relname = parent.relname || '__' || chain_name
    join pg_index i on i.indrelid = part.oid
    join pg_class c on c.oid = i.indexrelid
    join pg_am a on a.oid = c.relam
    where parent.relkind = 'p' and n.nspname = 'ledger' and a.amname = 'brin'
    -- Several sessions of a fetch lock the tables, in the same order.
    order by c.oid
  loop
    perform brin_summarize_new_values(wanted.oid);
  end loop;
end $$;

-- Builds a chain's secondary indexes and marks it as indexed. Does nothing if they exist.
create or replace function meta.build_indexes(chain_name text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- In the order of a commit: first the position, then the tables. Otherwise the two could wait for each other.
  perform from meta.position where chain = chain_name for update;
  -- The caller has usually built all of them: a look at the catalog takes a quarter of the time of 120 refusals.
  perform meta.build_index(chain_name, relation, name) from (
    select relation, name from meta.secondary_indexes i
    where not exists (select from pg_class c where c.relnamespace = split_part(i.relation, '.', 1)::regnamespace
      and c.relname = split_part(i.relation, '.', 2) || '__' || chain_name || '_' || i.name)
    order by relation, name) x;
  perform meta.summarize_new_pages(chain_name);
  update meta.position set indexed = true where chain = chain_name;
end $$;

-- Indexes to find a transaction's rows and rows of a time range without reading a whole table, and statistics of the
-- number of distinct ids in the views' expressions.
--
-- On a filled database this builds two indexes on each table of the ledger in one transaction: readers continue,
-- writers wait. The index of transaction ids takes about half a minute for ten million rows, and 26 bytes a row. To
-- avoid the wait, build the index before, one partition after another, with the name used here; it is then kept:
--   create index concurrently swaps__wax_transaction on ledger.swaps__wax using hash (encode(trx_id, 'hex'));

-- Transaction ids are shown as text, so an index on the bytes would not be used. A hash index takes 26 bytes a row, a
-- B-tree of texts 100. Times use BRIN.
create or replace function meta.list_common_indexes() returns void
language sql set search_path = pg_catalog, pg_temp as $$
  insert into meta.secondary_indexes (relation, name, definition)
    select 'ledger.' || c.relname, w.name, w.definition
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join (values ('trx_id', 'transaction', 'using hash (encode(trx_id, ''hex''))'),
      ('block_time', 'block_time', 'using brin (block_time) with (pages_per_range = 32, autosummarize = on)')) w(attname, name, definition)
      on w.attname = a.attname
    where c.relkind = 'p' and c.relnamespace = 'ledger'::regnamespace
      -- Blocks have this index from the start. Headers of replaced blocks are not searched by time.
      and not (w.name = 'block_time' and c.relname in ('blocks', 'orphaned_blocks'))
  on conflict do nothing
$$;

comment on function meta.list_common_indexes() is 'Gives every table of the ledger the indexes that all have.';

-- Creates statistics of an expression on a partitioned table and its partitions. Later partitions copy them.
create or replace function meta.create_expression_statistics(relation regclass, name text, expression text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  part regclass;
begin
  for part in select t.relid from pg_partition_tree(relation) t loop
    execute format('create statistics if not exists %I.%I on (%s) from %s',
      (select c.relnamespace::regnamespace::text from pg_class c where c.oid = part),
      (select c.relname from pg_class c where c.oid = part) || '_' || name, expression, part);
  end loop;
end $$;

-- PostgreSQL analyzes partitions by itself, but never partitioned tables, whose statistics it uses to estimate joins. A
-- recurring job analyzes one table after another of those listed here.
create or replace function meta.stale_statistics() returns setof text
language sql stable set search_path = pg_catalog, pg_temp as $$
  select format('%I.%I', p.schemaname, p.relname)
  from pg_stat_all_tables p
  join pg_class c on c.oid = p.relid and c.relkind = 'p'
  where p.schemaname in ('ledger', 'state', 'derive', 'versions')
    and exists (select from pg_partition_tree(c.oid) t join pg_stat_all_tables s on s.relid = t.relid
      where t.isleaf and greatest(s.last_autoanalyze, case when p.last_analyze is null then s.last_analyze end) > coalesce(p.last_analyze, '-infinity'))
  order by 1
$$;

comment on function meta.stale_statistics() is 'Partitioned tables of which a partition has newer statistics than they have.';

create or replace function meta.gather_statistics(relation regclass) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from pg_class c where c.oid = relation and c.relkind = 'p'
      and c.relnamespace::regnamespace::text in ('ledger', 'state', 'derive', 'versions')) then
    raise exception '% is no table of ledger, state or derive', relation using errcode = 'invalid_parameter_value';
  end if;
  execute format('analyze %s', relation);
end $$;

comment on function meta.gather_statistics(regclass) is 'Gathers the statistics of a partitioned table.';

-- Gives a chain the partitions and secondary indexes of tables that were added after it was indexed. Runs after every
-- migration, for each chain in a transaction of its own.
create or replace function meta.complete_chain(chain_name text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  -- A replica has positions and no partitions.
  if to_regclass(format('ledger.%I', 'blocks__' || chain_name)) is null then
    return;
  end if;
  perform meta.add_chain(chain_name);
  if (select p.indexed from meta.position p where p.chain = chain_name) then
    perform meta.build_indexes(chain_name);
  end if;
end $$;
