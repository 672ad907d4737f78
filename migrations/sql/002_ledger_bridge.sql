-- Ledger tables of the bridge and its related accounts.

select meta.create_ledger_table('withdrawals', 'id numeric(20) not null',
  'domain numeric(20) not null, vault bytea not null, token bytea not null, recipient bytea not null, amount numeric(20) not null,'
  || ' deadline numeric(20) not null, fee numeric(20) not null, memo bytea not null, sender text, symbol text, decimals int2',
  'id', false);
comment on table ledger.withdrawals is 'Withdrawals opened on the bridge (wdlog).';
comment on column ledger.withdrawals.id is 'Withdrawal id; its key is w:<id>.';
comment on column ledger.withdrawals.domain is 'Destination domain.';
comment on column ledger.withdrawals.vault is 'Vault on the destination.';
comment on column ledger.withdrawals.token is 'Token on the destination: 20 bytes, or the text of a contract.';
comment on column ledger.withdrawals.recipient is 'Recipient on the destination: 20 bytes, or the text of an account.';
comment on column ledger.withdrawals.amount is 'Gross amount in ledger units, fee included.';
comment on column ledger.withdrawals.deadline is 'Unix seconds after which it expires.';
comment on column ledger.withdrawals.fee is 'Part of the amount for whoever sends the release.';
comment on column ledger.withdrawals.memo is 'Data for the receiver.';
comment on column ledger.withdrawals.sender is 'Sender of the transfer or withdraw action in the same transaction, if any.';
comment on column ledger.withdrawals.symbol is 'Symbol of the token in that action.';
comment on column ledger.withdrawals.decimals is 'Precision of the token in that action.';

select meta.create_ledger_table('withdrawal_events', 'id numeric(20) not null',
  'type text not null, released boolean, account text, amount int8, symbol text, decimals int2', 'id', false);
comment on table ledger.withdrawal_events is 'What became of withdrawals: settled, refunded, paid.';
comment on column ledger.withdrawal_events.id is 'Withdrawal id.';
comment on column ledger.withdrawal_events.type is 'settled (settlelog), refunded (refundlog) or paid (paylog on the destination).';
comment on column ledger.withdrawal_events.released is 'Of a settlement: true when released, false when expired.';
comment on column ledger.withdrawal_events.account is 'Owner refunded or recipient paid.';
comment on column ledger.withdrawal_events.amount is 'Raw units refunded or paid.';
comment on column ledger.withdrawal_events.symbol is 'Symbol refunded or paid.';
comment on column ledger.withdrawal_events.decimals is 'Precision of the token.';

select meta.create_ledger_table('deposits', 'nonce numeric(20) not null',
  'bridge text not null, token_contract text not null, token_symbol text not null, token_decimals int2 not null, sender text not null,'
  || ' raw numeric(20) not null, canonical numeric(20) not null, beneficiary text not null, memo text not null', 'nonce', false);
comment on table ledger.deposits is 'Deposits locked in the bridge account of this chain (deplog).';
comment on column ledger.deposits.nonce is 'Nonce; the key is d:<domain of this chain>:<nonce>.';
comment on column ledger.deposits.bridge is 'Bridge account on the ledger''s chain.';
comment on column ledger.deposits.token_contract is 'Contract of the token deposited.';
comment on column ledger.deposits.token_symbol is 'Symbol of the token deposited.';
comment on column ledger.deposits.token_decimals is 'Precision of the token deposited.';
comment on column ledger.deposits.sender is 'Account that deposited.';
comment on column ledger.deposits.raw is 'Raw units deposited.';
comment on column ledger.deposits.canonical is 'The same in ledger units.';
comment on column ledger.deposits.beneficiary is 'Account on the ledger''s chain.';
comment on column ledger.deposits.memo is 'Memo that goes on with the deposit.';

select meta.create_ledger_table('deposit_events', 'nonce numeric(20) not null',
  'domain numeric(20) not null, type text not null, account text, amount int8, symbol text, decimals int2, memo bytea,'
  || ' refund_to bytea, withdrawal_id numeric(20)', 'nonce', false);
comment on table ledger.deposit_events is 'What became of deposits on the ledger''s chain: credited, parked, forwarded, bounced.';
comment on column ledger.deposit_events.nonce is 'Nonce; the key is d:<domain>:<nonce>.';
comment on column ledger.deposit_events.domain is 'Source domain.';
comment on column ledger.deposit_events.type is 'credited, parked, forwarded or bounced.';
comment on column ledger.deposit_events.account is 'Owner credited or receiver.';
comment on column ledger.deposit_events.amount is 'Raw units.';
comment on column ledger.deposit_events.symbol is 'Symbol of the wrapped token.';
comment on column ledger.deposit_events.decimals is 'Precision of the wrapped token.';
comment on column ledger.deposit_events.memo is 'Memo of a parked deposit.';
comment on column ledger.deposit_events.refund_to is 'Where a bounce goes.';
comment on column ledger.deposit_events.withdrawal_id is 'Withdrawal that takes a bounced deposit back.';

select meta.create_ledger_table('hops', 'id numeric(20) not null',
  'src_domain numeric(20) not null, src_nonce numeric(20) not null, dst_domain numeric(20) not null, recipient text not null,'
  || ' back_domain numeric(20) not null, back text not null, amount int8 not null, symbol text not null, decimals int2 not null,'
  || ' withdrawal_id numeric(20) not null', 'id', false);
comment on table ledger.hops is 'Journeys passed on by the hop contract (hoplog).';
comment on column ledger.hops.id is 'Hop id.';
comment on column ledger.hops.src_domain is 'Domain of the deposit.';
comment on column ledger.hops.src_nonce is 'Nonce of the deposit.';
comment on column ledger.hops.dst_domain is 'Domain of the destination.';
comment on column ledger.hops.recipient is 'Recipient on the destination.';
comment on column ledger.hops.back_domain is 'Domain to which it returns when not delivered.';
comment on column ledger.hops.back is 'Address to which it returns when not delivered.';
comment on column ledger.hops.amount is 'Raw units sent on.';
comment on column ledger.hops.symbol is 'Symbol sent on.';
comment on column ledger.hops.decimals is 'Precision of the token sent on.';
comment on column ledger.hops.withdrawal_id is 'Withdrawal of the second leg.';

select meta.create_ledger_table('hop_returns', 'id numeric(20) not null', 'withdrawal_id numeric(20) not null', 'id', false);
comment on table ledger.hop_returns is 'Hops that came back and were sent on to their way-back address (returnlog).';
comment on column ledger.hop_returns.id is 'Hop id.';
comment on column ledger.hop_returns.withdrawal_id is 'Withdrawal of the way back.';

select meta.create_ledger_table('gateway_credits', 'account text not null',
  'domain numeric(20) not null, relayer text, nonce numeric(20), proof bytea, details jsonb', 'account', false);
comment on table ledger.gateway_credits is 'Proofs with which deposits were credited: one row for each credit action of a gateway.';
comment on column ledger.gateway_credits.account is 'Gateway contract.';
comment on column ledger.gateway_credits.domain is 'Source domain: that of the gateway by configuration.';
comment on column ledger.gateway_credits.relayer is 'Account that brought the proof; null where the layout names none.';
comment on column ledger.gateway_credits.nonce is 'Nonce of the deposit; null where only the proof holds it.';
comment on column ledger.gateway_credits.proof is 'Proof as one packed value; null where the layout has its parts.';
comment on column ledger.gateway_credits.details is 'All other members of the action as JSON: bytes as hexadecimal digits, wide integers as text. Null when there are none.';

select meta.create_ledger_table('claim_events', 'owner text not null', 'symbol text not null', 'owner', false);
comment on table ledger.claim_events is 'Credited deposits collected by their owners (claim); the amount is that of the bridge''s transfer in the same transaction.';
comment on column ledger.claim_events.owner is 'Account that collected.';
comment on column ledger.claim_events.symbol is 'Symbol of the wrapped token.';

select meta.create_ledger_table('noops', 'account text not null', 'details jsonb', 'account', false);
comment on table ledger.noops is 'The noop actions of the liquid staking contract: they stand first in transactions whose CPU it pays.';
comment on column ledger.noops.account is 'Contract.';
comment on column ledger.noops.details is 'Members of the action as JSON; null in the layout that has none.';

insert into meta.secondary_indexes (relation, name, definition) values ('ledger.hops', 'source', '(src_nonce, src_domain)');
