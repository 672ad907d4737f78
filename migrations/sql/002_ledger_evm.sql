-- Ledger tables of EVM chains: events of the bridge's vaults, withdrawals contracts and light clients. global_seq is
-- block_num * 2^20 + log_index: the log's position in the chain.

select meta.create_ledger_table('vault_deposits', 'nonce numeric(20) not null',
  'contract bytea not null, log_index int4 not null, token bytea not null, from_address bytea not null, amount numeric(78) not null,'
  || ' canonical numeric(20) not null, telos_to text not null, refund_to bytea not null, fill_fee numeric(20) not null,'
  || ' filler numeric(20) not null, memo bytea not null', 'nonce', false);
comment on table ledger.vault_deposits is 'Deposits locked in a vault of this EVM chain (Deposit).';
comment on column ledger.vault_deposits.nonce is 'Nonce; the key is d:<chain id>:<nonce>.';
comment on column ledger.vault_deposits.contract is 'Vault.';
comment on column ledger.vault_deposits.log_index is 'Index of the log in its block.';
comment on column ledger.vault_deposits.token is 'Token; twenty zero bytes: the native coin.';
comment on column ledger.vault_deposits.from_address is 'Who deposited.';
comment on column ledger.vault_deposits.amount is 'Raw units of the token on this chain.';
comment on column ledger.vault_deposits.canonical is 'The same in ledger units.';
comment on column ledger.vault_deposits.telos_to is 'Receiver on the ledger''s chain: the account that the 64 bits name.';
comment on column ledger.vault_deposits.refund_to is 'Where a bounce goes, on this chain.';
comment on column ledger.vault_deposits.fill_fee is 'Reserved: 0.';
comment on column ledger.vault_deposits.filler is 'Reserved: 0.';
comment on column ledger.vault_deposits.memo is 'Memo that goes on with the deposit.';

select meta.create_ledger_table('withdrawal_outcomes', 'id numeric(20) not null',
  'type text not null, contract bytea not null, log_index int4 not null, token bytea, recipient bytea, amount numeric(78),'
  || ' fee_to bytea, fee numeric(78), memo bytea', 'id', false);
comment on table ledger.withdrawal_outcomes is 'What became of withdrawals on this EVM chain.';
comment on column ledger.withdrawal_outcomes.id is 'Withdrawal id.';
comment on column ledger.withdrawal_outcomes.type is 'released or voided (Released and Voided of a vault), proved or expired (Released and Expired of a withdrawals contract).';
comment on column ledger.withdrawal_outcomes.contract is 'Contract that logged it.';
comment on column ledger.withdrawal_outcomes.log_index is 'Index of the log in its block.';
comment on column ledger.withdrawal_outcomes.token is 'Token paid out.';
comment on column ledger.withdrawal_outcomes.recipient is 'Who was paid.';
comment on column ledger.withdrawal_outcomes.amount is 'Of a release: raw units paid, without the fee. Of a proof: ledger units, the fee included.';
comment on column ledger.withdrawal_outcomes.fee_to is 'Who was paid the fee of a release.';
comment on column ledger.withdrawal_outcomes.fee is 'Fee of a release, raw units.';
comment on column ledger.withdrawal_outcomes.memo is 'Data for the receiver, as proved.';

select meta.create_ledger_table('vault_changes', 'contract bytea not null',
  'log_index int4 not null, type text not null, token bytea, details jsonb not null', 'contract', false);
comment on table ledger.vault_changes is 'Changes of what a vault allows and who may decide: assets, limits, pauses, owners; and tokens rescued from it.';
comment on column ledger.vault_changes.contract is 'Vault.';
comment on column ledger.vault_changes.log_index is 'Index of the log in its block.';
comment on column ledger.vault_changes.type is 'Name of the event: AssetSet, LimitSet, PauseSet, ReleaserSet, Rescued, ...';
comment on column ledger.vault_changes.token is 'Token that it is about.';
comment on column ledger.vault_changes.details is 'Members of the event as JSON: wide integers as text, addresses as 0x and digits.';

select meta.create_ledger_table('stored_roots', 'root bytea not null',
  'contract bytea not null, log_index int4 not null, last_block int8 not null, root_time timestamptz not null, generation int8 not null',
  'root', false);
comment on table ledger.stored_roots is 'Finality roots of the ledger''s chain that a light client on this EVM chain has stored (RootStored).';
comment on column ledger.stored_roots.root is 'Root of the finality tree.';
comment on column ledger.stored_roots.contract is 'Light client.';
comment on column ledger.stored_roots.log_index is 'Index of the log in its block.';
comment on column ledger.stored_roots.last_block is 'Last block of the ledger''s chain that the root covers.';
comment on column ledger.stored_roots.root_time is 'Time of the block of the ledger''s chain whose certificate was checked, UTC.';
comment on column ledger.stored_roots.generation is 'Generation of the finalizer policy that signed it.';

select meta.create_ledger_table('learned_policies', 'generation int8 not null',
  'contract bytea not null, log_index int4 not null, digest bytea not null, threshold numeric(20) not null, finalizers int8 not null',
  'generation', false);
comment on table ledger.learned_policies is 'Finalizer policies of the ledger''s chain that a light client on this EVM chain has learned (PolicyLearned).';
comment on column ledger.learned_policies.generation is 'Generation of the policy.';
comment on column ledger.learned_policies.contract is 'Light client.';
comment on column ledger.learned_policies.log_index is 'Index of the log in its block.';
comment on column ledger.learned_policies.digest is 'Digest of the policy.';
comment on column ledger.learned_policies.threshold is 'Weight that a certificate needs.';
comment on column ledger.learned_policies.finalizers is 'Number of its finalizers.';

create table ledger.quiet_ranges (
  chain text not null,
  block_num int8 not null,
  first_num int8 not null,
  primary key (block_num, chain)
) partition by list (chain);
comment on table ledger.quiet_ranges is 'Final blocks of an EVM chain that were searched and hold no event: they have no row in blocks.';
comment on column ledger.quiet_ranges.chain is 'Chain name.';
comment on column ledger.quiet_ranges.block_num is 'Block behind the range.';
comment on column ledger.quiet_ranges.first_num is 'First block of the range.';

-- Indexes for lists by party, domain and kind of event, and for the legs of a transaction. Addresses are text, as in
-- the views.
insert into meta.secondary_indexes (relation, name, definition) values
  ('ledger.vault_deposits', 'from', '(meta.address(from_address), block_time, global_seq)'),
  ('ledger.vault_deposits', 'refund', '(meta.address(refund_to), block_time, global_seq)'),
  ('ledger.vault_deposits', 'to', '(telos_to, block_time, global_seq)'),
  ('ledger.vault_deposits', 'time', '(block_time, global_seq)'),
  ('ledger.deposits', 'sender', '(sender, block_time, global_seq)'),
  ('ledger.deposits', 'beneficiary', '(beneficiary, block_time, global_seq)'),
  ('ledger.deposits', 'time', '(block_time, global_seq)'),
  ('ledger.deposit_events', 'account', '(account, block_time, global_seq)'),
  ('ledger.deposit_events', 'refund', '(meta.address(refund_to), block_time, global_seq)'),
  ('ledger.deposit_events', 'time', '(block_time, global_seq)'),
  ('ledger.withdrawals', 'sender', '(sender, block_time, global_seq)'),
  ('ledger.withdrawals', 'recipient', '(meta.address(recipient), block_time, global_seq)'),
  ('ledger.withdrawals', 'time', '(block_time, global_seq)'),
  ('ledger.withdrawal_events', 'time', '(block_time, global_seq)'),
  ('ledger.hops', 'recipient', '(lower(recipient), block_time, global_seq)'),
  ('ledger.hops', 'back', '(lower(back), block_time, global_seq)'),
  ('ledger.hops', 'time', '(block_time, global_seq)'),
  ('ledger.hops', 'withdrawal', '(withdrawal_id)'),
  ('ledger.hop_returns', 'withdrawal', '(withdrawal_id)'),
  ('ledger.vault_deposits', 'trx', '(trx_id)'),
  ('ledger.deposits', 'trx', '(trx_id)'),
  ('ledger.withdrawals', 'trx', '(trx_id)'),
  ('ledger.deposit_events', 'domain', '(domain, type, block_time, global_seq)'),
  ('ledger.deposit_events', 'type', '(type, block_time, global_seq)'),
  ('ledger.deposit_events', 'bounce', '(withdrawal_id) where type = ''bounced'''),
  ('ledger.withdrawals', 'domain', '(domain, block_time, global_seq)'),
  ('ledger.withdrawal_events', 'type', '(type, block_time, global_seq)'),
  ('ledger.withdrawal_outcomes', 'time', '(block_time, global_seq)'),
  ('ledger.vault_deposits', 'onward', '(lower((meta.hop_route(memo))[2]), block_time, global_seq) where meta.hop_route(memo) is not null'),
  ('ledger.vault_deposits', 'return', '(lower((meta.hop_route(memo))[4]), block_time, global_seq) where meta.hop_route(memo) is not null'),
  ('ledger.deposits', 'onward', '(lower((meta.hop_route(memo))[2]), block_time, global_seq) where meta.hop_route(memo) is not null'),
  ('ledger.deposits', 'return', '(lower((meta.hop_route(memo))[4]), block_time, global_seq) where meta.hop_route(memo) is not null'),
  ('ledger.stored_roots', 'block', '(last_block, global_seq)'),
  ('state.wdraws', 'owner', '(owner, id)');
