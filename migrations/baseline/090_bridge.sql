-- The bridge on Antelope chains: legs, journeys, gateways, then the rows of its tables.

select meta.register_dataset('ledger.withdrawals', 'Withdrawals opened on the bridge (wdlog).', array[
    ['id', 'numeric(20) not null', 'Withdrawal id; its key is w:<id>.'],
    ['domain', 'numeric(20) not null', 'Destination domain.'],
    ['vault', 'bytea not null', 'Vault on the destination.'],
    ['token', 'bytea not null', 'Token on the destination: 20 bytes, or the text of a contract.'],
    ['recipient', 'bytea not null', 'Recipient on the destination: 20 bytes, or the text of an account.'],
    ['amount', 'numeric(20) not null', 'Gross amount in ledger units, fee included.'],
    ['deadline', 'numeric(20) not null', 'Unix seconds after which it expires.'],
    ['fee', 'numeric(20) not null', 'Part of the amount that the sender of the release gets.'],
    ['memo', 'bytea not null', 'Data for the receiver.'],
    ['sender', 'text', 'Sender of the transfer or withdraw action in the same transaction, if any.'],
    ['symbol', 'text', 'Symbol of the token in that action.'],
    ['decimals', 'int2', 'Precision of the token in that action.']],
  key => 'id', indexes => array[
    ['domain', '(domain, block_time, global_seq)'],
    ['recipient', '(meta.address(recipient), block_time, global_seq)'],
    ['sender', '(sender, block_time, global_seq)'],
    ['time', '(block_time, global_seq)'],
    ['trx', '(trx_id)']]);

select meta.register_dataset('ledger.withdrawal_events', 'What became of withdrawals: settled, refunded, paid.', array[
    ['id', 'numeric(20) not null', 'Withdrawal id.'],
    ['type', 'text not null', 'settled (settlelog), refunded (refundlog) or paid (paylog on the destination).'],
    ['released', 'boolean', 'Of a settlement: true when released, false when expired.'],
    ['account', 'text', 'Owner refunded or recipient paid.'],
    ['amount', 'int8', 'Raw units refunded or paid.'],
    ['symbol', 'text', 'Symbol refunded or paid.'],
    ['decimals', 'int2', 'Precision of the token.']],
  key => 'id', indexes => array[
    ['account', '(account, block_time, global_seq)'],
    ['time', '(block_time, global_seq)'],
    ['type', '(type, block_time, global_seq)']]);

select meta.register_dataset('ledger.deposits', 'Deposits locked in the bridge account of this chain (deplog).', array[
    ['nonce', 'numeric(20) not null', 'Nonce; the key is d:<domain of this chain>:<nonce>.'],
    ['bridge', 'text not null', 'Bridge account on the ledger''s chain.'],
    ['token_contract', 'text not null', 'Contract of the token deposited.'],
    ['token_symbol', 'text not null', 'Symbol of the token deposited.'],
    ['token_decimals', 'int2 not null', 'Precision of the token deposited.'],
    ['sender', 'text not null', 'Account that deposited.'],
    ['raw', 'numeric(20) not null', 'Raw units deposited.'],
    ['canonical', 'numeric(20) not null', 'The same in ledger units.'],
    ['beneficiary', 'text not null', 'Account on the ledger''s chain.'],
    ['memo', 'text not null', 'Memo that is sent on with the deposit.']],
  key => 'nonce', indexes => array[
    ['beneficiary', '(beneficiary, block_time, global_seq)'],
    ['onward', '(lower((meta.hop_route(memo))[2]), block_time, global_seq) where meta.hop_route(memo) is not null'],
    ['return', '(lower((meta.hop_route(memo))[4]), block_time, global_seq) where meta.hop_route(memo) is not null'],
    ['sender', '(sender, block_time, global_seq)'],
    ['time', '(block_time, global_seq)'],
    ['trx', '(trx_id)']]);

select meta.register_dataset('ledger.deposit_events', 'What became of deposits on the ledger''s chain: credited, parked, forwarded, bounced.', array[
    ['nonce', 'numeric(20) not null', 'Nonce; the key is d:<domain>:<nonce>.'],
    ['domain', 'numeric(20) not null', 'Source domain.'],
    ['type', 'text not null', 'credited, parked, forwarded or bounced.'],
    ['account', 'text', 'Owner credited or receiver.'],
    ['amount', 'int8', 'Raw units.'],
    ['symbol', 'text', 'Symbol of the wrapped token.'],
    ['decimals', 'int2', 'Precision of the wrapped token.'],
    ['memo', 'bytea', 'Memo of a parked deposit.'],
    ['refund_to', 'bytea', 'Where a bounce goes.'],
    ['withdrawal_id', 'numeric(20)', 'Withdrawal that takes a bounced deposit back.']],
  key => 'nonce', indexes => array[
    ['account', '(account, block_time, global_seq)'],
    ['bounce', '(withdrawal_id) where type = ''bounced'''],
    ['domain', '(domain, type, block_time, global_seq)'],
    ['refund', '(meta.address(refund_to), block_time, global_seq)'],
    ['time', '(block_time, global_seq)'],
    ['type', '(type, block_time, global_seq)']]);

select meta.register_dataset('ledger.hops', 'Journeys passed on by the hop contract (hoplog).', array[
    ['id', 'numeric(20) not null', 'Hop id.'],
    ['src_domain', 'numeric(20) not null', 'Domain of the deposit.'],
    ['src_nonce', 'numeric(20) not null', 'Nonce of the deposit.'],
    ['dst_domain', 'numeric(20) not null', 'Domain of the destination.'],
    ['recipient', 'text not null', 'Recipient on the destination.'],
    ['back_domain', 'numeric(20) not null', 'Domain to which it returns when not delivered.'],
    ['back', 'text not null', 'Address to which it returns when not delivered.'],
    ['amount', 'int8 not null', 'Raw units sent on.'],
    ['symbol', 'text not null', 'Symbol sent on.'],
    ['decimals', 'int2 not null', 'Precision of the token sent on.'],
    ['withdrawal_id', 'numeric(20) not null', 'Withdrawal of the second leg.']],
  key => 'id', indexes => array[
    ['back', '(lower(back), block_time, global_seq)'],
    ['recipient', '(lower(recipient), block_time, global_seq)'],
    ['source', '(src_nonce, src_domain)'],
    ['time', '(block_time, global_seq)'],
    ['withdrawal', '(withdrawal_id)']]);

select meta.register_dataset('ledger.hop_returns', 'Hops that came back and were sent on to their way-back address (returnlog).', array[
    ['id', 'numeric(20) not null', 'Hop id.'],
    ['withdrawal_id', 'numeric(20) not null', 'Withdrawal of the way back.']],
  key => 'id', indexes => array[
    ['withdrawal', '(withdrawal_id)']]);

select meta.register_dataset('ledger.gateway_credits', 'Proofs with which deposits were credited: one row for each credit action of a gateway.', array[
    ['account', 'text not null', 'Gateway contract.'],
    ['domain', 'numeric(20) not null', 'Source domain: that of the gateway by configuration.'],
    ['relayer', 'text', 'Account that brought the proof; null where the layout names none.'],
    ['nonce', 'numeric(20)', 'Nonce of the deposit; null where only the proof holds it.'],
    ['proof', 'bytea', 'Proof as one packed value; null where the layout has its parts.'],
    ['details', 'jsonb', 'All other members of the action as JSON: bytes as hexadecimal digits, wide integers as text. Null when there are none.']],
  key => 'account');

select meta.register_dataset('ledger.claim_events', 'Credited deposits collected by their owners (claim); the amount is that of the bridge''s transfer in the same transaction.', array[
    ['owner', 'text not null', 'Account that collected.'],
    ['symbol', 'text not null', 'Symbol of the wrapped token.']],
  key => 'owner');

select meta.register_dataset('ledger.noops', 'The noop actions of the liquid staking contract: they stand first in transactions whose CPU it pays.', array[
    ['account', 'text not null', 'Contract.'],
    ['details', 'jsonb', 'Members of the action as JSON; null in the layout that has none.']],
  key => 'account');

select meta.register_dataset('state.bridge_routes', 'Routes of the bridge: limits and backing.', array[
    ['id', 'numeric(20) not null', 'Route id.'],
    ['domain', 'numeric(20) not null', 'Domain at the other end.'],
    ['vault', 'bytea not null', 'Vault at the other end.'],
    ['token', 'bytea not null', 'Token at the other end: 20 bytes, or the text of a contract.'],
    ['wrapped_contract', 'text not null', 'Contract of the token on the ledger''s chain.'],
    ['wrapped_symbol', 'text not null', 'Symbol of the token on the ledger''s chain.'],
    ['wrapped_decimals', 'int2 not null', 'Precision of the token on the ledger''s chain.'],
    ['scale', 'numeric(20) not null', 'Raw units at the other end per ledger unit.'],
    ['min', 'numeric(20) not null', 'Least amount, ledger units.'],
    ['max', 'numeric(20) not null', 'Greatest amount, ledger units.'],
    ['backing', 'numeric(20) not null', 'What the vault holds for it, ledger units.'],
    ['deposits_open', 'boolean not null', 'Whether deposits are accepted.'],
    ['withdrawals_open', 'boolean not null', 'Whether withdrawals are accepted.']],
  key => 'id', replicated => array['*']);

select meta.register_dataset('state.claims', 'Credited deposits that their owners have not collected.', array[
    ['owner', 'text not null', 'Account that may collect.'],
    ['symbol', 'text not null', 'Symbol of the wrapped token.'],
    ['decimals', 'int2 not null', 'Precision of the wrapped token.'],
    ['amount', 'int8 not null', 'Raw units.']],
  key => 'owner, symbol');

select meta.register_dataset('state.wdraws', 'Withdrawals as the bridge''s table has them.', array[
    ['id', 'numeric(20) not null', 'Withdrawal id.'],
    ['domain', 'numeric(20) not null', 'Destination domain.'],
    ['owner', 'text not null', 'Account that withdraws.'],
    ['amount', 'int8 not null', 'Raw units.'],
    ['symbol', 'text not null', 'Symbol of the wrapped token.'],
    ['decimals', 'int2 not null', 'Precision of the wrapped token.'],
    ['recipient', 'bytea not null', 'Recipient on the destination.'],
    ['deadline', 'numeric(20) not null', 'Unix seconds after which it expires.'],
    ['fee', 'numeric(20) not null', 'Part of the amount that the sender of the release gets.'],
    ['status', 'int2 not null', '0 open, 1 settled, 2 expired, 3 refunded.']],
  key => 'id', indexes => array[
    ['open', '(id) where status in (0, 2)'],
    ['owner', '(owner, id)']], replicated => array['*'], view => 'none');

select meta.register_dataset('state.hop_rows', 'Hops as the hop contract''s table has them.', array[
    ['id', 'numeric(20) not null', 'Hop id.'],
    ['src_domain', 'numeric(20) not null', 'Domain of the deposit.'],
    ['src_nonce', 'numeric(20) not null', 'Nonce of the deposit.'],
    ['dst_domain', 'numeric(20) not null', 'Domain of the destination.'],
    ['recipient', 'text not null', 'Recipient on the destination.'],
    ['back_domain', 'numeric(20) not null', 'Domain to which it returns when not delivered.'],
    ['back', 'text not null', 'Address to which it returns when not delivered.'],
    ['amount', 'int8 not null', 'Raw units sent on.'],
    ['symbol', 'text not null', 'Symbol sent on.'],
    ['decimals', 'int2 not null', 'Precision of the token sent on.'],
    ['withdrawal_id', 'numeric(20) not null', 'Withdrawal of the second leg.'],
    ['status', 'int2 not null', '0 open, 1 delivered, 2 expired, 3 returned.']],
  key => 'id', replicated => array['*']);
