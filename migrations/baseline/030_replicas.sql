-- What replicas of final facts get. The registration of a dataset adds its table to final_log and to the publication.

-- Replicated tables besides the ledger. Rows of a versioned table are compared as a whole with the last published ones.
create table meta.replicated (
  name text primary key,
  source text not null,
  kind text not null check (kind in ('versions', 'hours')),
  columns text[] not null,
  key_columns text[] not null
);
comment on table meta.replicated is 'What final_log has besides the ledger, and from where.';
comment on column meta.replicated.name is 'Table of final_log.';
comment on column meta.replicated.source is 'Relation whose rows are published: as of the last irreversible block.';
comment on column meta.replicated.kind is 'versions: a row for each change of a key. hours: rows by hour, inserted once.';
comment on column meta.replicated.columns is 'Columns that are published.';
comment on column meta.replicated.key_columns is 'Key of the source.';

-- One row per chain, locked by the process that appends. Readers have no right to it.
create table meta.published (
  chain text primary key,
  block_num int8
);
comment on table meta.published is 'How far final_log is filled: the lock of the process that appends.';
comment on column meta.published.chain is 'Chain name.';
comment on column meta.published.block_num is 'Last block appended; null before the first.';

create table final_log.progress (
  chain text not null,
  block_num int8 not null,
  from_block int8,
  block_id text,
  block_time timestamptz,
  chain_id text,
  first_block int8 not null,
  appended_at timestamptz not null default clock_timestamp(),
  head_num int8,
  state_block int8,
  complete boolean not null default true,
  primary key (chain, block_num)
);
comment on table final_log.progress is 'What has been appended: a row for each transaction that appended blocks.';
comment on column final_log.progress.chain is 'Chain name.';
comment on column final_log.progress.block_num is 'Last block of the transaction: all rows up to it are there.';
comment on column final_log.progress.from_block is 'First block of the transaction; null for the first one.';
comment on column final_log.progress.block_id is 'Id of the last block; null on an EVM chain when it has no event.';
comment on column final_log.progress.block_time is 'Its time, UTC.';
comment on column final_log.progress.chain_id is 'As in head.position.';
comment on column final_log.progress.first_block is 'First block indexed.';
comment on column final_log.progress.appended_at is 'When it was appended, by the clock of the database: with the clock of a replica, its lag.';
comment on column final_log.progress.head_num is 'As in final.position.';
comment on column final_log.progress.state_block is 'As in final.position.';
comment on column final_log.progress.complete is 'Whether the versions as of the last block came with it. Where they did not, more blocks follow at once, and the position waits.';

create publication headwater_final for table final_log.progress with (publish = 'insert');

select meta.replicate_versions('accounts', 'meta.accounts', array['chain', 'role', 'account', 'domain'], array['role', 'account', 'chain']);
