-- Schemas, roles and the program's own tables.
create schema meta;
create schema ledger;
create schema state;
create schema undo;
create schema derive;
create schema settled;
create schema head;
create schema final;

comment on schema meta is 'What the program keeps about itself: positions, tables, functions of the writer.';
comment on schema ledger is 'Facts of the chains, append-only. Removed only by a rewind of reversible blocks.';
comment on schema state is 'Current rows of the contracts, as of the last indexed block.';
comment on schema undo is 'Before-images of state and derived rows that reversible blocks changed.';
comment on schema derive is 'Candles and statistics, a pure function of ledger and state.';
comment on schema settled is 'Internal: ledger, state and derived rows as of the last irreversible block.';
comment on schema head is 'Stable SQL interface, up to the last indexed block.';
comment on schema final is 'Stable SQL interface, up to the last irreversible block.';

-- Roles belong to the whole server: another database may have created them, or may be creating them now.
do $$
declare
  wanted text;
begin
  foreach wanted in array array['headwater_writer', 'headwater_reader'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin', wanted);
      exception
        when duplicate_object or unique_violation then null;
      end;
    end if;
  end loop;
  begin
    execute format('grant headwater_writer, headwater_reader to %I', current_user);
  exception
    when others then raise notice 'the roles could not be granted to %: %', current_user, sqlerrm;
  end;
end $$;

create table meta.position (
  chain text primary key,
  chain_id text,
  first_block int8 not null,
  block_num int8 not null,
  block_id text not null,
  block_time timestamptz not null,
  lib_num int8 not null,
  head_num int8 not null,
  writer uuid not null,
  indexed boolean not null default false,
  updated_at timestamptz not null default clock_timestamp()
);
comment on table meta.position is 'How far each chain is indexed. Moves in the transaction that writes the rows.';
comment on column meta.position.chain is 'Chain name.';
comment on column meta.position.chain_id is 'Chain id, 64 hex digits; of an EVM chain eip155: and its number; null when the source does not know it.';
comment on column meta.position.first_block is 'First block indexed: history before it is absent.';
comment on column meta.position.block_num is 'Last indexed block.';
comment on column meta.position.block_id is 'Id of the last indexed block.';
comment on column meta.position.block_time is 'Time of the last indexed block.';
comment on column meta.position.lib_num is 'Last irreversible block among the indexed ones.';
comment on column meta.position.head_num is 'Head of the node when it sent the last indexed block.';
comment on column meta.position.writer is 'Token of the one process that may write; a commit with another token fails.';
comment on column meta.position.indexed is 'Whether the secondary indexes of the chain are built.';
comment on column meta.position.updated_at is 'When the position moved last.';

create table meta.accounts (
  chain text not null,
  role text not null,
  account text not null,
  domain numeric(20),
  primary key (chain, role, account)
);
comment on table meta.accounts is 'Which account plays which role on a chain: what the chain''s indexer was configured with when it last started.';
comment on column meta.accounts.chain is 'Chain name.';
comment on column meta.accounts.role is 'amm, spot, otc, bridge, hop, wrap, gateway, liquid, oracle or registry; on an EVM chain vault, withdrawals or lightclient.';
comment on column meta.accounts.account is 'Account of the contract; on an EVM chain its address, 0x and lower-case digits.';
comment on column meta.accounts.domain is 'Of a gateway: the domain whose deposits it credits. Null for other roles.';

create table meta.secondary_indexes (
  relation text not null,
  name text not null,
  definition text not null,
  primary key (relation, name)
);
comment on table meta.secondary_indexes is 'Indexes that a chain''s partitions get once its backfill is through.';
comment on column meta.secondary_indexes.relation is 'Parent table, with its schema.';
comment on column meta.secondary_indexes.name is 'Suffix of the index name.';
comment on column meta.secondary_indexes.definition is 'Access method and columns.';

-- Destination domain, recipient, way-back domain and way-back recipient in the memo of a journey; null for any other
-- memo. Non-ASCII bytes are escaped, so that none causes an error.
create function meta.hop_route(memo bytea) returns text[]
language sql immutable parallel safe as $$
  select regexp_match(encode(memo, 'escape'), '^([0-9]{1,20}):([^|:\\]+)\|([0-9]{1,20}):([^|:\\]+)$')
$$;

-- The same for a text memo. A memo with non-ASCII characters is not a journey's.
create function meta.hop_route(memo text) returns text[]
language sql immutable parallel safe as $$
  select regexp_match(memo, '^([0-9]{1,20}):([^|:\\\u0080-\U0010FFFF]+)\|([0-9]{1,20}):([^|:\\\u0080-\U0010FFFF]+)$')
$$;
