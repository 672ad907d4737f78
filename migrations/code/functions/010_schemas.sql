-- Schemas and roles. This folder is run before the tables are made and again at each migration, so every statement here
-- can be repeated.
create schema if not exists meta;
create schema if not exists ledger;
create schema if not exists state;
create schema if not exists undo;
create schema if not exists versions;
create schema if not exists derive;
create schema if not exists settled;
create schema if not exists head;
create schema if not exists final;
create schema if not exists board;
create schema if not exists final_log;
create schema if not exists staging;
create schema if not exists cosign;
create schema if not exists relay;

comment on schema meta is 'What the program keeps about itself: positions, tables, functions of the writer.';
comment on schema ledger is 'Facts of the chains, append-only. Removed only by a rewind of reversible blocks.';
comment on schema state is 'Current rows of the contracts, as of the last indexed block.';
comment on schema undo is 'Before-images of state and derived rows that reversible blocks changed.';
comment on schema versions is 'Internal: current rows with their before-images, each table of state with its twin in undo.';
comment on schema derive is 'Candles and statistics, a pure function of ledger and state.';
comment on schema settled is 'Internal: ledger, state and derived rows as of the last irreversible block.';
comment on schema head is 'Stable SQL interface, up to the last indexed block.';
comment on schema final is 'Stable SQL interface, up to the last irreversible block.';
comment on schema board is 'Small sums over whole hours that are irreversible. board.freshness says up to which block each is.';
comment on schema final_log is 'Irreversible rows of the ledger for replicas, insert-only. Empty where nothing publishes.';
comment on schema staging is 'Rows of finished block ranges, until the writer of their chain takes them over. Unlogged: a crash of the server empties it.';
comment on schema cosign is 'Counters of the CPU sponsor. Its role calls the functions and touches no table.';
comment on schema relay is 'What the relayer has sent and what was refused. Only its role reads and writes it.';

-- Roles belong to the whole server: another database may have created them, or may be creating them now. The API's role
-- reads all data of the chains and changes nothing; the writer's logins may take it.
do $$
declare
  wanted text;
begin
  foreach wanted in array array['headwater_writer', 'headwater_reader', 'headwater_cosigner', 'headwater_relayer', 'headwater_api'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin', wanted);
      exception
        when duplicate_object or unique_violation then null;
      end;
    end if;
    begin
      execute format('grant %I to %I', wanted, current_user);
    exception
      when others then raise notice 'the role % could not be granted to %: %', wanted, current_user, sqlerrm;
    end;
  end loop;
  begin
    grant headwater_api to headwater_writer;
  exception
    when others then raise notice 'headwater_api could not be granted to headwater_writer: %', sqlerrm;
  end;
end $$;

-- Defaults for sessions of logins that only are readers. They can change these settings; the lasting bounds are that
-- they see only views, and meta.reader_limits.
do $$
begin
  if not exists (select from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
      where r.rolname = 'headwater_reader' and s.setdatabase = 0) then
    alter role headwater_reader set statement_timeout = '60s';
    alter role headwater_reader set idle_in_transaction_session_timeout = '5min';
    alter role headwater_reader set default_transaction_read_only = on;
    alter role headwater_reader set timezone = 'UTC';
  end if;
exception
  when others then raise notice 'the settings of headwater_reader could not be made: %', sqlerrm;
end $$;

alter default privileges in schema head, final, board grant select on tables to headwater_reader;
alter default privileges in schema meta, ledger, state, undo, derive, settled, head, final, board grant select on tables to headwater_api;
