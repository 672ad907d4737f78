-- Ledger tables of a chain's finality: data for proofs of withdrawals and deposits.

create table ledger.finality (
  chain text not null,
  block_num int8 not null,
  block_time timestamptz not null,
  slot int8 not null,
  parent_slot int8 not null,
  finality_mroot bytea not null,
  policy_digest bytea not null,
  policy_start int8 not null,
  active_generation int8 not null,
  last_pending_generation int8 not null,
  action_mroot bytea not null,
  reversible_mroot bytea not null,
  claim_num int8 not null,
  claim_digest bytea not null,
  claim_slot int8 not null,
  base_digest bytea not null,
  finality_digest bytea not null,
  nodes bytea not null,
  primary key (block_num, chain)
) partition by list (chain);
comment on table ledger.finality is 'Finality data of each block, protocol version 1.0, with its part of the finality tree.';
comment on column ledger.finality.chain is 'Chain name.';
comment on column ledger.finality.block_num is 'Number of the block.';
comment on column ledger.finality.block_time is 'Time of the block, UTC.';
comment on column ledger.finality.slot is 'The same in half seconds since 2000.';
comment on column ledger.finality.parent_slot is 'Of the parent block; 0 in the Savanna genesis block.';
comment on column ledger.finality.finality_mroot is 'Root of the finality tree up to the claimed block; zeros before there is one.';
comment on column ledger.finality.policy_digest is 'Digest of the last pending finalizer policy.';
comment on column ledger.finality.policy_start is 'Slot of the block in which that policy became pending.';
comment on column ledger.finality.active_generation is 'Generation of the active finalizer policy.';
comment on column ledger.finality.last_pending_generation is 'Generation of the last pending one; the active one when none is pending.';
comment on column ledger.finality.action_mroot is 'Root of the actions of the block.';
comment on column ledger.finality.reversible_mroot is 'Root of the blocks that are not final yet.';
comment on column ledger.finality.claim_num is 'Block on which a certificate is claimed.';
comment on column ledger.finality.claim_digest is 'Finality digest of the claimed block.';
comment on column ledger.finality.claim_slot is 'Slot of the claimed block.';
comment on column ledger.finality.base_digest is 'Digest of the header and everything else that finalizers sign.';
comment on column ledger.finality.finality_digest is 'What strong votes for the block sign.';
comment on column ledger.finality.nodes is 'Nodes of the finality tree that the leaf of the block completes, 32 bytes each, from the leaf upwards.';

create table ledger.finalizer_policies (
  chain text not null,
  generation int8 not null,
  block_num int8 not null,
  block_time timestamptz not null,
  slot int8 not null,
  digest bytea not null,
  policy bytea not null,
  primary key (block_num, generation, chain)
) partition by list (chain);
comment on table ledger.finalizer_policies is 'Finalizer policies, with the block in which each became pending; the first with the Savanna genesis block.';
comment on column ledger.finalizer_policies.chain is 'Chain name.';
comment on column ledger.finalizer_policies.generation is 'Generation: grows with each policy, numbers may be skipped.';
comment on column ledger.finalizer_policies.block_num is 'Number of the block.';
comment on column ledger.finalizer_policies.block_time is 'Time of the block, UTC.';
comment on column ledger.finalizer_policies.slot is 'The same in half seconds since 2000.';
comment on column ledger.finalizer_policies.digest is 'SHA-256 of the packed policy.';
comment on column ledger.finalizer_policies.policy is 'Packed policy.';

create table ledger.certificates (
  chain text not null,
  block_num int8 not null,
  block_time timestamptz not null,
  target int8 not null,
  strong boolean not null,
  verified boolean not null,
  certificate bytea not null,
  primary key (block_num, chain)
) partition by list (chain);
comment on table ledger.certificates is 'Quorum certificates as blocks carry them.';
comment on column ledger.certificates.chain is 'Chain name.';
comment on column ledger.certificates.block_num is 'Number of the block that carries it.';
comment on column ledger.certificates.block_time is 'Time of that block, UTC.';
comment on column ledger.certificates.target is 'Block that was voted for.';
comment on column ledger.certificates.strong is 'Whether it makes blocks final: a weak one does not.';
comment on column ledger.certificates.verified is 'Whether its signatures were checked when it came: the first over a log of the bridge near the head, the first over a new policy always. Proofs check others when they use them.';
comment on column ledger.certificates.certificate is 'Packed certificate: the data of the block extension.';

create table ledger.bridge_logs (
  chain text not null,
  name text not null,
  id numeric(20) not null,
  block_num int8 not null,
  block_time timestamptz not null,
  action_index int4 not null,
  recv_sequence numeric(20) not null,
  witness bytea not null,
  data bytea not null,
  leaves bytea not null,
  receipt bytea,
  primary key (block_num, action_index, chain)
) partition by list (chain);
comment on table ledger.bridge_logs is 'Where log actions of the bridge, which proofs to other chains begin with, stand among the actions of their block.';
comment on column ledger.bridge_logs.chain is 'Chain name.';
comment on column ledger.bridge_logs.name is 'wdlog (a withdrawal is burned) or deplog (a deposit is locked).';
comment on column ledger.bridge_logs.id is 'Withdrawal id (its key is w:<id>), or nonce of the deposit (d:<domain>:<nonce>).';
comment on column ledger.bridge_logs.block_num is 'Number of the block.';
comment on column ledger.bridge_logs.block_time is 'Time of the block, UTC.';
comment on column ledger.bridge_logs.action_index is 'Place of the action in the order of execution.';
comment on column ledger.bridge_logs.recv_sequence is 'Receive sequence of its receipt.';
comment on column ledger.bridge_logs.witness is 'Hash of the other sequences of its receipt.';
comment on column ledger.bridge_logs.data is 'Packed members of the action.';
comment on column ledger.bridge_logs.leaves is 'Digests of all actions of the block, 32 bytes each, in the order of execution.';
comment on column ledger.bridge_logs.receipt is 'Packed receipt in a block before Savanna, whose digests cover it whole; null under Savanna.';

create table ledger.legacy_blocks (
  chain text not null,
  block_num int8 not null,
  block_time timestamptz not null,
  version int8 not null,
  nodes bytea not null,
  header bytea,
  signatures bytea,
  primary key (block_num, chain)
) partition by list (chain);
comment on table ledger.legacy_blocks is 'Blocks before Savanna, with their part of the tree of all block ids.';
comment on column ledger.legacy_blocks.chain is 'Chain name.';
comment on column ledger.legacy_blocks.block_num is 'Number of the block.';
comment on column ledger.legacy_blocks.block_time is 'Time of the block, UTC.';
comment on column ledger.legacy_blocks.version is 'Version of the producer schedule that it is under.';
comment on column ledger.legacy_blocks.nodes is 'Nodes of the tree of ids that the id of the block completes, 32 bytes each, from the id upwards.';
comment on column ledger.legacy_blocks.header is 'Packed header: of the first block of each producer''s turn, of blocks with log actions of the bridge, and of those that bring a schedule; null for others, which confirm nothing more.';
comment on column ledger.legacy_blocks.signatures is 'Signatures of the producer of such a block: their number, and each behind its length.';

create table ledger.producer_schedules (
  chain text not null,
  version int8 not null,
  block_num int8 not null,
  block_time timestamptz not null,
  schedule bytea not null,
  primary key (block_num, version, chain)
) partition by list (chain);
comment on table ledger.producer_schedules is 'Producer schedules of a chain before Savanna, with the block whose header brings each.';
comment on column ledger.producer_schedules.chain is 'Chain name.';
comment on column ledger.producer_schedules.version is 'Version: grows with each schedule.';
comment on column ledger.producer_schedules.block_num is 'Number of the block.';
comment on column ledger.producer_schedules.block_time is 'Time of the block, UTC.';
comment on column ledger.producer_schedules.schedule is 'Packed schedule: the data of the header extension.';

insert into meta.secondary_indexes (relation, name, definition) values
  ('ledger.finality', 'claim', '(claim_num, block_num)'),
  ('ledger.certificates', 'target', '(target)'),
  ('ledger.bridge_logs', 'id', '(id, name)');

-- Start of the finality tree for chains that are not tracked from their Savanna genesis block.
create table meta.finality_starts (
  chain text primary key,
  genesis int8 not null,
  block_num int8 not null,
  block_id text not null,
  slot int8 not null,
  policy_digest bytea not null,
  policy_start int8 not null,
  policies bytea not null,
  peaks bytea not null,
  imported_at timestamptz not null default clock_timestamp()
);
comment on table meta.finality_starts is 'Where the finality tree of a chain begins that is not followed from its Savanna genesis block.';
comment on column meta.finality_starts.chain is 'Chain name.';
comment on column meta.finality_starts.genesis is 'Number of the Savanna genesis block.';
comment on column meta.finality_starts.block_num is 'Last block of which only the peaks are known.';
comment on column meta.finality_starts.block_id is 'Its id.';
comment on column meta.finality_starts.slot is 'Its time in half seconds since 2000.';
comment on column meta.finality_starts.policy_digest is 'Digest of the last pending finalizer policy there.';
comment on column meta.finality_starts.policy_start is 'Slot of the block in which that policy became pending.';
comment on column meta.finality_starts.policies is 'Finalizer policies that are active and pending there: for each the number (u32) and slot (u32) of the block in which it became pending, 0 where that is not known, and the packed policy.';
comment on column meta.finality_starts.peaks is 'Roots of the full trees up to that block, 32 bytes each, largest first.';
comment on column meta.finality_starts.imported_at is 'When it was imported.';
grant select, insert, update, delete on meta.finality_starts to headwater_writer;

-- Start of the block-id tree for chains before Savanna that are not indexed from their first blocks.
create table meta.legacy_starts (
  chain text primary key,
  block_num int8 not null,
  block_id text not null,
  peaks bytea not null,
  schedules bytea not null,
  imported_at timestamptz not null default clock_timestamp()
);
comment on table meta.legacy_starts is 'Where the tree of all ids begins of a chain before Savanna that is not indexed from its first blocks.';
comment on column meta.legacy_starts.chain is 'Chain name.';
comment on column meta.legacy_starts.block_num is 'Last block of which only the peaks are known.';
comment on column meta.legacy_starts.block_id is 'Its id.';
comment on column meta.legacy_starts.peaks is 'Roots of the full trees up to that block, 32 bytes each, largest first.';
comment on column meta.legacy_starts.schedules is 'Producer schedules that are active and pending there, each packed behind its length.';
comment on column meta.legacy_starts.imported_at is 'When it was imported.';
grant select, insert, update, delete on meta.legacy_starts to headwater_writer;
