-- Data of the program about itself: positions of the chains, accounts and domains, registries of the schema.

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
  updated_at timestamptz not null default clock_timestamp(),
  state_block int8
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
comment on column meta.position.writer is 'Token of the lease under which the chain was last taken; a commit with another token fails.';
comment on column meta.position.indexed is 'Whether the secondary indexes of the chain are built.';
comment on column meta.position.updated_at is 'When the position moved last.';
comment on column meta.position.state_block is 'Block from which current state is exact: rows read from a node may be newer than the first block. Null when the start had no full state.';

create table meta.accounts (
  chain text not null,
  role text not null,
  account text not null,
  domain numeric(20),
  primary key (chain, role, account)
);
comment on table meta.accounts is 'Accounts by role on a chain: the configuration with which the chain''s indexer last started.';
comment on column meta.accounts.chain is 'Chain name.';
comment on column meta.accounts.role is 'amm, spot, otc, bridge, hop, wrap, gateway, liquid, oracle or registry; on an EVM chain vault, withdrawals or lightclient.';
comment on column meta.accounts.account is 'Account of the contract; on an EVM chain its address, 0x and lower-case digits.';
comment on column meta.accounts.domain is 'Of a gateway: the domain whose deposits it credits. Null for other roles.';

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
comment on column meta.chain_reports.fault_code is 'Stable code of the last failure; null when there was none.';
comment on column meta.chain_reports.fault is 'The same as a sentence.';
comment on column meta.chain_reports.fault_at is 'When that was.';
comment on column meta.chain_reports.ended is 'Whether the indexer has given the chain up for it.';
comment on column meta.chain_reports.contradiction is 'Where a node last contradicted blocks that are final here; null when none has.';
comment on column meta.chain_reports.contradiction_at is 'When that was.';

create table meta.domains (
  chain text primary key,
  domain numeric(20) not null,
  evm boolean not null
);
comment on table meta.domains is 'Bridge domains of the chains: the EVM chain id, or the first 8 bytes of the Antelope chain id.';
comment on column meta.domains.chain is 'Chain name. A chain may have several.';
comment on column meta.domains.domain is 'Domain.';
comment on column meta.domains.evm is 'Whether addresses there are 20 bytes.';

insert into meta.domains values ('mainnet', 1, true), ('bsc', 56, true), ('polygon', 137, true),
  ('wax', 1181148696416462999, false), ('telos', 5073219243131244279, false), ('xpr', 4057084141687023600, false),
  ('proton', 4057084141687023600, false), ('vaulta', 12439917377594391589, false), ('eos', 12439917377594391589, false);

create table meta.datasets (
  relation text primary key,
  view text,
  notes text[] not null default '{}',
  in_code boolean not null default false
);
comment on table meta.datasets is 'Registered datasets: see meta.register_dataset.';
comment on column meta.datasets.relation is 'Table of ledger or state, with its schema.';
comment on column meta.datasets.view is 'Template of its views; null for a view with every column, none for no view.';
comment on column meta.datasets.notes is 'Comments of the view that the table does not have: column, comment, column, comment, ...';
comment on column meta.datasets.in_code is 'Whether a file of migrations/code/views makes its views.';

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

-- Functions and views made from migrations/code. One that leaves the code is removed from the database.
create table meta.code_objects (
  identity text primary key
);
comment on table meta.code_objects is 'Functions and views that the last migration made from the program''s code.';
comment on column meta.code_objects.identity is 'Kind, name and argument types.';
