-- The bridge on EVM chains: events of the bridge's vaults, withdrawals contracts and light clients. global_seq is
-- block_num * 2^20 + log_index: the log's position in the chain.

select meta.register_dataset('ledger.vault_deposits', 'Deposits locked in a vault of this EVM chain (Deposit).', array[
    ['nonce', 'numeric(20) not null', 'Nonce; the key is d:<chain id>:<nonce>.'],
    ['contract', 'bytea not null', 'Vault.'],
    ['log_index', 'int4 not null', 'Index of the log in its block.'],
    ['token', 'bytea not null', 'Token; twenty zero bytes: the native coin.'],
    ['from_address', 'bytea not null', 'Who deposited.'],
    ['amount', 'numeric(78) not null', 'Raw units of the token on this chain.'],
    ['canonical', 'numeric(20) not null', 'The same in ledger units.'],
    ['telos_to', 'text not null', 'Receiver on the ledger''s chain: the account that the 64 bits name.'],
    ['refund_to', 'bytea not null', 'Where a bounce goes, on this chain.'],
    ['fill_fee', 'numeric(20) not null', 'Reserved: 0.'],
    ['filler', 'numeric(20) not null', 'Reserved: 0.'],
    ['memo', 'bytea not null', 'Memo that is sent on with the deposit.']],
  key => 'nonce', indexes => array[
    ['from', '(meta.address(from_address), block_time, global_seq)'],
    ['onward', '(lower((meta.hop_route(memo))[2]), block_time, global_seq) where meta.hop_route(memo) is not null'],
    ['refund', '(meta.address(refund_to), block_time, global_seq)'],
    ['return', '(lower((meta.hop_route(memo))[4]), block_time, global_seq) where meta.hop_route(memo) is not null'],
    ['time', '(block_time, global_seq)'],
    ['to', '(telos_to, block_time, global_seq)'],
    ['trx', '(trx_id)']]);

select meta.register_dataset('ledger.withdrawal_outcomes', 'What became of withdrawals on this EVM chain.', array[
    ['id', 'numeric(20) not null', 'Withdrawal id.'],
    ['type', 'text not null', 'released or voided (Released and Voided of a vault), proved or expired (Released and Expired of a withdrawals contract).'],
    ['contract', 'bytea not null', 'Contract that logged it.'],
    ['log_index', 'int4 not null', 'Index of the log in its block.'],
    ['token', 'bytea', 'Token paid out.'],
    ['recipient', 'bytea', 'Who was paid.'],
    ['amount', 'numeric(78)', 'Of a release: raw units paid, without the fee. Of a proof: ledger units, the fee included.'],
    ['fee_to', 'bytea', 'Who was paid the fee of a release.'],
    ['fee', 'numeric(78)', 'Fee of a release, raw units.'],
    ['memo', 'bytea', 'Data for the receiver, as proved.']],
  key => 'id', indexes => array[
    ['time', '(block_time, global_seq)']]);

select meta.register_dataset('ledger.vault_changes', 'Changes of a vault''s assets, limits, pauses and owners; and tokens rescued from it.', array[
    ['contract', 'bytea not null', 'Vault.'],
    ['log_index', 'int4 not null', 'Index of the log in its block.'],
    ['type', 'text not null', 'Name of the event: AssetSet, LimitSet, PauseSet, ReleaserSet, Rescued, ...'],
    ['token', 'bytea', 'Token that it is about.'],
    ['details', 'jsonb not null', 'Members of the event as JSON: wide integers as text, addresses as 0x and digits.']],
  key => 'contract');

select meta.register_dataset('ledger.stored_roots', 'Finality roots of the ledger''s chain that a light client on this EVM chain has stored (RootStored).', array[
    ['root', 'bytea not null', 'Root of the finality tree.'],
    ['contract', 'bytea not null', 'Light client.'],
    ['log_index', 'int4 not null', 'Index of the log in its block.'],
    ['last_block', 'int8 not null', 'Last block of the ledger''s chain that the root covers.'],
    ['root_time', 'timestamptz not null', 'Time of the block of the ledger''s chain whose certificate was checked, UTC.'],
    ['generation', 'int8 not null', 'Generation of the finalizer policy that signed it.']],
  key => 'root', indexes => array[
    ['block', '(last_block, global_seq)']]);

select meta.register_dataset('ledger.learned_policies', 'Finalizer policies of the ledger''s chain that a light client on this EVM chain has learned (PolicyLearned).', array[
    ['generation', 'int8 not null', 'Generation of the policy.'],
    ['contract', 'bytea not null', 'Light client.'],
    ['log_index', 'int4 not null', 'Index of the log in its block.'],
    ['digest', 'bytea not null', 'Digest of the policy.'],
    ['threshold', 'numeric(20) not null', 'Weight that a certificate needs.'],
    ['finalizers', 'int8 not null', 'Number of its finalizers.']],
  key => 'generation');

select meta.register_dataset('ledger.quiet_ranges', 'Final blocks of an EVM chain that were searched and hold no event: they have no row in blocks.', array[
    ['block_num', 'int8 not null', 'Block after the range.'],
    ['first_num', 'int8 not null', 'First block of the range.']],
  key => 'block_num', kind => 'block');
