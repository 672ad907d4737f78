-- Rights of the roles, after all functions, tables and views are there. The writer inserts facts, changes current rows
-- and calls the writer's functions. The reader sees the views. The API reads all data of the chains.
grant usage on schema meta, ledger, state, undo, derive, settled, final_log, head, final to headwater_writer;
-- Use of the schema only, to gather statistics.
grant usage on schema versions to headwater_writer;
grant usage, create on schema staging to headwater_writer;
grant usage on schema head, final, board to headwater_reader, headwater_api, headwater_writer;
grant usage on schema cosign, head to headwater_cosigner;
grant usage on schema relay, head to headwater_relayer;
grant usage on schema meta, ledger, state, undo, derive, settled, head, final to headwater_api;

-- Partitions of chains need no rights of their own: the program names their parents, or calls functions of the owner.
do $$
declare
  part record;
begin
  for part in select n.nspname, c.relname, case n.nspname when 'ledger' then 'select, insert' when 'settled' then 'select'
        else 'select, insert, update, delete' end as rights
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('ledger', 'state', 'undo', 'derive', 'settled') and (c.relkind in ('p', 'v') or n.nspname = 'undo' and c.relkind = 'r')
  loop
    execute format('grant %s on %I.%I to headwater_writer', part.rights, part.nspname, part.relname);
    execute format('grant select on %I.%I to headwater_api', part.nspname, part.relname);
  end loop;
end $$;
grant select on all tables in schema meta to headwater_api;
grant select on all tables in schema head, final, board to headwater_reader, headwater_writer, headwater_api;
grant select on final_log.progress to headwater_writer;
grant select on head.pools, head.markets to headwater_cosigner;
-- The relayer keeps its own tables, and reads prices and routes; it cannot write any fact of a chain.
grant select, insert, update, delete on all tables in schema relay to headwater_relayer;
grant select on head.traded_tokens, head.bridge_routes to headwater_relayer;
-- A lease is taken by its function alone.
revoke insert, update on relay.leases from headwater_relayer;
grant update (expires_at) on relay.leases to headwater_relayer;

grant select on meta.position, meta.accounts, meta.domains, meta.chain_domains, meta.chain_reports, meta.datasets, meta.secondary_indexes,
  meta.resolutions, meta.leases, meta.rewinds, meta.backfill_ranges, meta.staging_sets, meta.reader_limits, meta.finality_starts,
  meta.legacy_starts, meta.usd_quotes, meta.fetches, meta.fetched_ranges to headwater_writer;
grant insert on meta.position, meta.rewinds, meta.usd_quotes to headwater_writer;
-- The token of the writer changes only with its lease.
grant update (chain_id, first_block, block_num, block_id, block_time, lib_num, head_num, indexed, updated_at, state_block)
  on meta.position to headwater_writer;
grant insert, update, delete on meta.accounts, meta.backfill_ranges, meta.staging_sets, meta.finality_starts, meta.legacy_starts,
  meta.fetches, meta.fetched_ranges to headwater_writer;
grant insert, update on meta.chain_reports to headwater_writer;
grant select, insert, delete on meta.range_digests to headwater_writer;
grant delete, update (expires_at) on meta.leases to headwater_writer;
-- Lets a login with only these rights check that the schema is current.
grant select on public.headwater_migrations to headwater_writer, headwater_cosigner, headwater_relayer, headwater_api;

revoke execute on all functions in schema meta, cosign, relay from public;
grant execute on function meta.add_chain(text), meta.move_position(text, uuid, int8, text, timestamptz, int8, int8, int8, text),
  meta.build_indexes(text), meta.build_index(text, text, text), meta.summarize_new_pages(text), meta.refresh_candles(text, text[], int8[], timestamptz[], int8), meta.rewind(text, int8),
  meta.forget_undo(text[], text, int8), meta.forget_scores(text, timestamptz), meta.key_columns(text, text),
  meta.take_lease(text, text, uuid, float8), meta.check_lease(text, text, uuid), meta.append_final(text, int8),
  meta.refresh_board(text), meta.stale_statistics(), meta.gather_statistics(regclass), meta.is_reader(oid), meta.unbounded_readers(), meta.end_reader_sessions()
  to headwater_writer;
grant execute on function meta.key_columns(text, text), meta.digest_leaf(), meta.digested_columns(text, text), meta.digested_tables(),
  meta.digested_schema(), meta.undigested_block(text), meta.digest_rows(text, int8, int8), meta.digested_range(text),
  meta.digests(text, int8, int8), meta.digested_rows(text, text, int8, int4)
  to headwater_writer, headwater_api;
grant execute on function meta.digest_leaves(text, int4) to headwater_writer;
-- Functions that views and indexes call.
grant execute on function meta.quantity(numeric, int4), meta.address(bytea), meta.pool_price(numeric, int4, int4), meta.tick_price(int4),
  meta.id_domain(text), meta.hop_route(bytea), meta.hop_route(text), meta.bucket_start(text, timestamptz), meta.bucket_end(text, timestamptz),
  meta.replica_ready(), meta.not_replicated(text), meta.not_replicated(text, anyelement) to public;
-- Counting trades of hours reads the ledger with the caller's rights.
grant execute on function meta.hour_sums(text, int8, int8), meta.hour_accounts(text, int8, int8), meta.token_trades(text, int8, int8), meta.account_trades(text, int8, int8),
  meta.count_days(text, int8, int8, timestamptz, timestamptz), meta.count_hours(text, int4) to public;
grant execute on all functions in schema cosign to headwater_cosigner;
grant execute on all functions in schema relay to headwater_relayer;

-- By default any login can create large objects and temporary tables, which fill the disk; the writer needs temporary
-- tables for merges. JIT compilation is off also for readers' sessions, on any server. If the login may not change
-- these, `headwater check` reports it.
do $$
begin
  revoke execute on function pg_catalog.lo_creat(int4), pg_catalog.lo_create(oid), pg_catalog.lo_from_bytea(oid, bytea) from public;
exception
  when others then raise notice 'large objects could not be forbidden: %', sqlerrm;
end $$;
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
  execute format('grant temporary on database %I to headwater_writer', current_database());
  -- The default of PostgreSQL 15 and newer; a database upgraded from an older version may differ.
  revoke create on schema public from public;
exception
  when others then raise notice 'temporary tables could not be forbidden: %', sqlerrm;
end $$;
do $$
begin
  execute format('alter database %I set jit = off', current_database());
exception
  when others then raise notice 'jit could not be switched off for this database: %', sqlerrm;
end $$;
