-- Data for proofs: finality of chains under Savanna, blocks and schedules of chains before it.

select meta.register_dataset('ledger.finality', 'Finality data of each block, protocol version 1.0, with its part of the finality tree.', array[
    ['block_num', 'int8 not null', 'Number of the block.'],
    ['block_time', 'timestamptz not null', 'Time of the block, UTC.'],
    ['slot', 'int8 not null', 'The same in half seconds since 2000.'],
    ['parent_slot', 'int8 not null', 'Of the parent block; 0 in the Savanna genesis block.'],
    ['finality_mroot', 'bytea not null', 'Root of the finality tree up to the claimed block; zeros before there is one.'],
    ['policy_digest', 'bytea not null', 'Digest of the last pending finalizer policy.'],
    ['policy_start', 'int8 not null', 'Slot of the block in which that policy became pending.'],
    ['active_generation', 'int8 not null', 'Generation of the active finalizer policy.'],
    ['last_pending_generation', 'int8 not null', 'Generation of the last pending one; the active one when none is pending.'],
    ['action_mroot', 'bytea not null', 'Root of the actions of the block.'],
    ['reversible_mroot', 'bytea not null', 'Root of the blocks that are not final yet.'],
    ['claim_num', 'int8 not null', 'Block on which a certificate is claimed.'],
    ['claim_digest', 'bytea not null', 'Finality digest of the claimed block.'],
    ['claim_slot', 'int8 not null', 'Slot of the claimed block.'],
    ['base_digest', 'bytea not null', 'Digest of the header and everything else that finalizers sign.'],
    ['finality_digest', 'bytea not null', 'What strong votes for the block sign.'],
    ['nodes', 'bytea not null', 'Nodes of the finality tree that the leaf of the block completes, 32 bytes each, from the leaf upwards.']],
  key => 'block_num', kind => 'block', indexes => array[
    ['claim', '(claim_num, block_num)']]);

select meta.register_dataset('ledger.finalizer_policies', 'Finalizer policies, with the block in which each became pending; the first with the Savanna genesis block.', array[
    ['generation', 'int8 not null', 'Generation: grows with each policy, numbers may be skipped.'],
    ['block_num', 'int8 not null', 'Number of the block.'],
    ['block_time', 'timestamptz not null', 'Time of the block, UTC.'],
    ['slot', 'int8 not null', 'The same in half seconds since 2000.'],
    ['digest', 'bytea not null', 'SHA-256 of the packed policy.'],
    ['policy', 'bytea not null', 'Packed policy.']],
  key => 'block_num, generation', kind => 'block');

select meta.register_dataset('ledger.certificates', 'Quorum certificates as blocks carry them.', array[
    ['block_num', 'int8 not null', 'Number of the block that carries it.'],
    ['block_time', 'timestamptz not null', 'Time of that block, UTC.'],
    ['target', 'int8 not null', 'Block that was voted for.'],
    ['strong', 'boolean not null', 'Whether it makes blocks final: a weak one does not.'],
    ['verified', 'boolean not null', 'Whether its signatures were checked when it was indexed: the first certificate over a new policy. Proofs check the others when they use them.'],
    ['certificate', 'bytea not null', 'Packed certificate: the data of the block extension.']],
  key => 'block_num', kind => 'block', indexes => array[
    ['target', '(target)']]);

select meta.register_dataset('ledger.bridge_logs', 'Where log actions of the bridge, which proofs to other chains begin with, stand among the actions of their block.', array[
    ['name', 'text not null', 'wdlog (a withdrawal is burned) or deplog (a deposit is locked).'],
    ['id', 'numeric(20) not null', 'Withdrawal id (its key is w:<id>), or nonce of the deposit (d:<domain>:<nonce>).'],
    ['block_num', 'int8 not null', 'Number of the block.'],
    ['block_time', 'timestamptz not null', 'Time of the block, UTC.'],
    ['action_index', 'int4 not null', 'Place of the action in the order of execution.'],
    ['recv_sequence', 'numeric(20) not null', 'Receive sequence of its receipt.'],
    ['witness', 'bytea not null', 'Hash of the other sequences of its receipt.'],
    ['data', 'bytea not null', 'Packed members of the action.'],
    ['leaves', 'bytea not null', 'Digests of all actions of the block, 32 bytes each, in the order of execution.'],
    ['receipt', 'bytea', 'Packed receipt in a block before Savanna, whose digests cover it whole; null under Savanna.']],
  key => 'block_num, action_index', kind => 'block', indexes => array[
    ['id', '(id, name)']]);

select meta.register_dataset('ledger.legacy_blocks', 'Blocks before Savanna, with their part of the tree of all block ids.', array[
    ['block_num', 'int8 not null', 'Number of the block.'],
    ['block_time', 'timestamptz not null', 'Time of the block, UTC.'],
    ['version', 'int8 not null', 'Version of the producer schedule that it is under.'],
    ['nodes', 'bytea not null', 'Nodes of the tree of ids that the id of the block completes, 32 bytes each, from the id upwards.'],
    ['header', 'bytea', 'Packed header: of the first block of each producer''s turn, of blocks with log actions of the bridge, and of those that bring a schedule; null for others, which confirm nothing more.'],
    ['signatures', 'bytea', 'Signatures of the producer of such a block: their number, then each with its length before it.']],
  key => 'block_num', kind => 'block');

select meta.register_dataset('ledger.producer_schedules', 'Producer schedules of a chain before Savanna, with the block whose header brings each.', array[
    ['version', 'int8 not null', 'Version: grows with each schedule.'],
    ['block_num', 'int8 not null', 'Number of the block.'],
    ['block_time', 'timestamptz not null', 'Time of the block, UTC.'],
    ['schedule', 'bytea not null', 'Packed schedule: the data of the header extension.']],
  key => 'block_num, version', kind => 'block');

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
comment on column meta.legacy_starts.schedules is 'Producer schedules that are active and pending there, each packed, with its length before it.';
comment on column meta.legacy_starts.imported_at is 'When it was imported.';
