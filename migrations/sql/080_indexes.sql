-- Indexes to find a transaction's rows and rows of a time range without reading a whole table, and statistics of the
-- number of distinct ids in the views' expressions.
--
-- On a filled database this builds two indexes on each table of the ledger in one transaction: readers continue,
-- writers wait. The index of transaction ids takes about half a minute for ten million rows, and 26 bytes a row. To
-- avoid the wait, build the index before, one partition after another, with the name used here; it is then kept:
--   create index concurrently swaps__wax_transaction on ledger.swaps__wax using hash (encode(trx_id, 'hex'));

-- Transaction ids are shown as text, so an index on the bytes would not be used. A hash index takes 26 bytes a row, a
-- B-tree of texts 100. Times use BRIN.
create function meta.list_common_indexes() returns void
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
create function meta.create_expression_statistics(relation regclass, name text, expression text) returns void
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

do $$
declare
  of_token record;
begin
  for of_token in
    select * from (values
      ('ledger.transfers', 'token_id', 'symbol', 'contract'), ('ledger.incentive_events', 'token_id', 'symbol', 'contract'),
      ('ledger.pool_creations', 'token_a', 'symbol_a', 'contract_a'), ('ledger.pool_creations', 'token_b', 'symbol_b', 'contract_b'),
      ('ledger.market_fees', 'base', 'base_symbol', 'base_contract'), ('ledger.market_fees', 'target', 'target_symbol', 'target_contract'),
      ('state.pools', 'token_a', 'symbol_a', 'contract_a'), ('state.pools', 'token_b', 'symbol_b', 'contract_b'),
      ('state.markets', 'base', 'base_symbol', 'base_contract'), ('state.markets', 'target', 'target_symbol', 'target_contract'),
      ('state.balances', 'token_id', 'symbol', 'contract'), ('state.supplies', 'token_id', 'symbol', 'contract'),
      ('state.incentives', 'token_id', 'symbol', 'contract'), ('state.amm_balances', 'token_id', 'symbol', 'contract')
    ) v(relation, name, symbol, contract)
  loop
    perform meta.create_expression_statistics(of_token.relation::regclass, of_token.name,
      format('lower(%I) || ''-'' || %I', of_token.symbol, of_token.contract));
  end loop;
  for of_token in select c.oid::regclass as relation from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'trx_id'
    where c.relkind = 'p' and c.relnamespace = 'ledger'::regnamespace
  loop
    perform meta.create_expression_statistics(of_token.relation, 'trx_id', 'encode(trx_id, ''hex'')');
  end loop;
end $$;

-- PostgreSQL analyzes partitions by itself, but never partitioned tables, whose statistics it uses to estimate joins. A
-- recurring job analyzes one table after another of those listed here.
create function meta.stale_statistics() returns setof text
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

create function meta.gather_statistics(relation regclass) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from pg_class c where c.oid = relation and c.relkind = 'p'
      and c.relnamespace::regnamespace::text in ('ledger', 'state', 'derive', 'versions')) then
    raise exception '% is no table of the ledger, the state or what is derived', relation using errcode = 'invalid_parameter_value';
  end if;
  execute format('analyze %s', relation);
end $$;
comment on function meta.gather_statistics(regclass) is 'Gathers the statistics of a partitioned table.';

revoke execute on function meta.list_common_indexes(), meta.create_expression_statistics(regclass, text, text), meta.stale_statistics(),
  meta.gather_statistics(regclass) from public;
grant execute on function meta.stale_statistics(), meta.gather_statistics(regclass) to headwater_writer;

-- Runs at the end of every migration: adds the common indexes to new tables, also for chains that are already indexed.
create function meta.complete_indexes() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform meta.list_common_indexes();
  perform meta.build_indexes(p.chain) from meta.position p
    where p.indexed and to_regclass(format('ledger.%I', 'blocks__' || p.chain)) is not null;
end $$;

select meta.complete_indexes();
-- Gathers the new statistics now; autovacuum would only do so for partitions, after a tenth of the rows have changed.
do $$
declare
  relation regclass;
begin
  if exists (select from meta.position) then
    for relation in select distinct e.stxrelid from pg_statistic_ext e join pg_class c on c.oid = e.stxrelid where c.relkind = 'p' loop
      perform meta.gather_statistics(relation);
    end loop;
  end if;
end $$;
revoke execute on function meta.complete_indexes() from public;
