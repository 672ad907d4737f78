-- A start in the middle of a chain: the first block at which the current rows are exact.
alter table meta.position add column state_block int8;
comment on column meta.position.state_block is
  'Block from which current state is exact: rows read from a node may be newer than the first block. Null when the start does not tell.';

create or replace view head.position as
  select chain, first_block, block_num, block_id, block_time, lib_num, head_num, updated_at, state_block from meta.position;
comment on column head.position.state_block is
  'Block from which current state is exact: rows read from a node may be newer than the first block. Null when the start does not tell.';

-- Backfill by workers: block ranges, and the rows that workers store for them until the chain's writer takes them over.
create schema staging;
comment on schema staging is 'Rows of finished block ranges, until the writer of their chain takes them over. Unlogged: a crash of the server empties it.';

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

grant usage, create on schema staging to headwater_writer;
grant select, insert, update, delete on meta.backfill_ranges, meta.staging_sets to headwater_writer;
