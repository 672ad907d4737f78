-- Problems that stop a chain's indexer, for other processes: /health/ready reports them.
create table meta.chain_reports (
  chain text primary key,
  started_at timestamptz not null,
  fault_code text,
  fault text,
  fault_at timestamptz,
  ended boolean not null default false,
  contradiction text,
  contradiction_at timestamptz
);
comment on table meta.chain_reports is 'What the indexer of each chain says of its nodes. It counts while no block has been committed since: see updated_at of meta.position.';
comment on column meta.chain_reports.chain is 'Chain name.';
comment on column meta.chain_reports.started_at is 'When an indexer took the chain up last.';
comment on column meta.chain_reports.fault_code is 'Stable code of what went wrong last; null when nothing has.';
comment on column meta.chain_reports.fault is 'The same as a sentence.';
comment on column meta.chain_reports.fault_at is 'When that was.';
comment on column meta.chain_reports.ended is 'Whether the indexer has given the chain up for it.';
comment on column meta.chain_reports.contradiction is 'Where a node last contradicted blocks that are final here; null when none has.';
comment on column meta.chain_reports.contradiction_at is 'When that was.';
grant select, insert, update on meta.chain_reports to headwater_writer;
