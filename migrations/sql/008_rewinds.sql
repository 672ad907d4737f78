-- Rewinds requested by operators. Rewinds below the last irreversible block need the owner of the database.
create table meta.rewinds (
  id int8 generated always as identity primary key,
  chain text not null,
  rewound_at timestamptz not null default clock_timestamp(),
  rewound_by text not null default session_user,
  from_block int8 not null,
  to_block int8 not null,
  lib_num int8 not null,
  forced boolean not null
);
comment on table meta.rewinds is 'Rewinds by command. Those that follow a fork of the chain are not among them.';
comment on column meta.rewinds.id is 'Number of the rewind.';
comment on column meta.rewinds.chain is 'Chain name.';
comment on column meta.rewinds.rewound_at is 'When, by the clock of the database.';
comment on column meta.rewinds.rewound_by is 'Database role of the session that did it.';
comment on column meta.rewinds.from_block is 'Last indexed block before.';
comment on column meta.rewinds.to_block is 'Block to go back to.';
comment on column meta.rewinds.lib_num is 'Last irreversible block at that time.';
comment on column meta.rewinds.forced is 'Whether it went below the last irreversible block: everything of the chain was removed.';
grant select, insert on meta.rewinds to headwater_writer;

-- Removes all data of a chain except the headers of undone blocks and the scores, so that it is indexed again from its
-- first block. Runs with the caller's privileges: the writer's do not suffice.
create function meta.clear_chain(chain_name text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  part record;
begin
  for part in select n.nspname, c.relname, parent.relname as parent
    from pg_class parent
    join pg_namespace n on n.oid = parent.relnamespace
    join pg_class c on c.relnamespace = n.oid and c.relname = parent.relname || '__' || chain_name
    where parent.relkind = 'p' and n.nspname in ('ledger', 'state', 'derive')
      -- Scores are kept: trades are valued by the scores of their time, also when they are indexed again.
      and parent.relname not in ('orphaned_blocks', 'score_snapshots', 'token_scores') order by 1, 2
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
  delete from meta.accounts where chain = chain_name;
  delete from meta.position where chain = chain_name;
end $$;
revoke execute on function meta.clear_chain(text) from public;
