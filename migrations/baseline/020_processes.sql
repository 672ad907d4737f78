-- Processes and people at work on the database: leases, rewinds, backfill by workers, limits of readers.

-- Work for one process at a time is protected by a lease: a row that readers have no right to. An advisory lock could
-- be taken by any login.
create table meta.leases (
  chain text not null,
  purpose text not null,
  token uuid not null unique,
  holder text not null,
  pid int4 not null,
  backend_start timestamptz,
  taken_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  primary key (chain, purpose)
);
comment on table meta.leases is 'Process that holds the right to do work that only one process may do at a time. Each of its transactions checks the token.';
comment on column meta.leases.chain is 'Chain name.';
comment on column meta.leases.purpose is 'write: the indexer or a rewind; hours: the count of hours.';
comment on column meta.leases.token is 'Known only to the holder. A takeover changes it. The token of the lease write is also in meta.position.';
comment on column meta.leases.holder is 'Program and address of the holder.';
comment on column meta.leases.pid is 'Its database session.';
comment on column meta.leases.backend_start is 'When that session began; null when the owner of this schema may not see it.';
comment on column meta.leases.taken_at is 'When it was taken.';
comment on column meta.leases.expires_at is 'From when on another process may take over, by the clock of the database, unless the session is at work. Once the session is gone, at once.';

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

-- Backfill by workers: block ranges, and the rows that workers store for them until the chain's writer takes them over.
create table meta.backfill_ranges (
  chain text not null,
  first_block int8 not null,
  last_block int8 not null,
  starts_chain boolean not null default false,
  state_block int8,
  attempts int4 not null default 0,
  set_id int8,
  prev_id text,
  last_id text,
  last_time timestamptz,
  lib_num int8,
  head_num int8,
  used_abis jsonb,
  planned_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  primary key (chain, first_block)
);
comment on table meta.backfill_ranges is 'Block ranges of a backfill that are not yet taken over.';
comment on column meta.backfill_ranges.chain is 'Chain name.';
comment on column meta.backfill_ranges.first_block is 'First block of the range.';
comment on column meta.backfill_ranges.last_block is 'Last block of the range.';
comment on column meta.backfill_ranges.starts_chain is 'Whether it is the first of a chain of which nothing was indexed: no other range may be taken over as the first.';
comment on column meta.backfill_ranges.state_block is 'Of the first range of a chain: the block whose deltas hold the whole state, its first block or the one before it; null when none does.';
comment on column meta.backfill_ranges.attempts is 'How often the range was given back because it did not fit.';
comment on column meta.backfill_ranges.set_id is 'Staged rows of the finished range; null while it is to be done.';
comment on column meta.backfill_ranges.prev_id is 'Id of the parent of the first block.';
comment on column meta.backfill_ranges.last_id is 'Id of the last block.';
comment on column meta.backfill_ranges.last_time is 'Time of the last block.';
comment on column meta.backfill_ranges.lib_num is 'Last irreversible block of the node when it sent the last block.';
comment on column meta.backfill_ranges.head_num is 'Head of the node when it sent the last block.';
comment on column meta.backfill_ranges.used_abis is 'SHA-256 of the ABIs by which the range was read where it did not set them itself, by account; null for none.';
comment on column meta.backfill_ranges.planned_at is 'When the range was planned.';
comment on column meta.backfill_ranges.finished_at is 'When a worker finished it.';

create table meta.staging_sets (
  id int8 generated always as identity primary key,
  chain text not null,
  first_block int8 not null,
  created_at timestamptz not null default clock_timestamp()
);
comment on table meta.staging_sets is 'Sets of staged rows: one for each attempt at a range. Their tables are staging.r<id>_*.';
comment on column meta.staging_sets.id is 'Number of the set.';
comment on column meta.staging_sets.chain is 'Chain name.';
comment on column meta.staging_sets.first_block is 'First block of the range.';
comment on column meta.staging_sets.created_at is 'When a worker began.';

-- History that was taken over from a pack.
create table meta.fetches (
  chain text primary key,
  address text not null,
  verify text not null,
  trusted text,
  last_block int8 not null,
  last_id text not null,
  begun_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  unverified jsonb
);
comment on table meta.fetches is 'Packs from which chains were filled. While one is not finished, the chain has no position, and no indexer writes it.';
comment on column meta.fetches.chain is 'Chain name.';
comment on column meta.fetches.address is 'Folder or address of the pack.';
comment on column meta.fetches.verify is 'How the rows were checked against the chain: none, sample or full.';
comment on column meta.fetches.trusted is 'Finalizer policy or block id that was trusted; null without verification.';
comment on column meta.fetches.last_block is 'Block to which the pack leads.';
comment on column meta.fetches.last_id is 'Id of that block.';
comment on column meta.fetches.begun_at is 'When it began.';
comment on column meta.fetches.finished_at is 'When the chain got its position; null before.';
comment on column meta.fetches.unverified is 'Rows that the chain does not commit to, or that were not checked, by table.';

create table meta.fetched_ranges (
  chain text not null,
  first_block int8 not null,
  last_block int8 not null,
  sha256 text not null,
  primary key (chain, first_block)
);
comment on table meta.fetched_ranges is 'Block ranges of an unfinished fetch whose rows are in the ledger.';
comment on column meta.fetched_ranges.chain is 'Chain name.';
comment on column meta.fetched_ranges.first_block is 'First block of the range.';
comment on column meta.fetched_ranges.last_block is 'Last block of the range.';
comment on column meta.fetched_ranges.sha256 is 'SHA-256 of the file with the rows.';

create table meta.reader_limits (
  login text primary key,
  statement interval not null check (statement > '0'),
  idle_transaction interval not null check (idle_transaction > '0'),
  transaction interval not null check (transaction > '0'),
  blocking interval not null check (blocking > '0')
);
comment on table meta.reader_limits is 'How long sessions of readers may take before they are ended. The row headwater_reader holds for each login without a row.';
comment on column meta.reader_limits.login is 'Login that belongs to headwater_reader, or headwater_reader for all.';
comment on column meta.reader_limits.statement is 'Longest statement.';
comment on column meta.reader_limits.idle_transaction is 'Longest pause within a transaction.';
comment on column meta.reader_limits.transaction is 'Longest transaction.';
comment on column meta.reader_limits.blocking is 'Longest time that a session of another role waits for a lock of this one, advisory locks included.';

insert into meta.reader_limits values ('headwater_reader', '60s', '5min', '1h', '15s');

create table meta.range_digests (
  chain text not null,
  first_block int8 not null,
  name text not null,
  row_count int8 not null,
  sha256 bytea not null,
  primary key (chain, first_block, name)
);
comment on table meta.range_digests is 'Digests of the ledger by ranges of final blocks, for `headwater compare`: see meta.digest_leaf.';
comment on column meta.range_digests.chain is 'Chain name.';
comment on column meta.range_digests.first_block is 'First block of the range.';
comment on column meta.range_digests.name is 'Table of the ledger; empty: the range is complete.';
comment on column meta.range_digests.row_count is 'Rows of the table in the range.';
comment on column meta.range_digests.sha256 is 'SHA-256 of the SHA-256s of the rows, these in their order; for a complete range, of the columns that were digested: see meta.digested_schema.';
