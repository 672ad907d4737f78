-- Tokens: transfers, balances, supplies.

select meta.register_dataset('ledger.transfers', 'Transfers of watched tokens: one row for each transfer action.', array[
    ['contract', 'text not null', 'Token contract.'],
    ['symbol', 'text not null', 'Token symbol.'],
    ['decimals', 'int2 not null', 'Precision of the token.'],
    ['from_account', 'text not null', 'Account that sent.'],
    ['to_account', 'text not null', 'Account that received.'],
    ['amount', 'int8 not null', 'Raw units.'],
    ['memo', 'text not null', 'Memo of the transfer; a NUL byte, which PostgreSQL cannot hold, stands as U+FFFD.']],
  key => 'contract, symbol', indexes => array[
    ['from_account', '(from_account, block_time, global_seq)'],
    ['to_account', '(to_account, block_time, global_seq)']], token_ids => array[['token_id', 'symbol', 'contract']]);

select meta.register_dataset('state.balances', 'Balances of watched tokens, and of the exchange''s contracts in any token.', array[
    ['contract', 'text not null', 'Token contract.'],
    ['symbol', 'text not null', 'Token symbol.'],
    ['account', 'text not null', 'Account.'],
    ['decimals', 'int2 not null', 'Precision of the token.'],
    ['amount', 'int8 not null', 'Raw units.']],
  key => 'contract, symbol, account', indexes => array[
    ['account', '(account)'],
    ['amount', '(contract, symbol, amount, account)']], token_ids => array[['token_id', 'symbol', 'contract']]);

-- One write more for each change of a balance, which is how an account's past is read without its history. A key with the
-- hour has before-images like any other, so that a fork restores the amounts of its hours.
select meta.register_dataset('state.balance_hours', 'Balances as each hour in which they changed left them; of the current hour, as the last change left them.', array[
    ['account', 'text not null', 'Account.'],
    ['contract', 'text not null', 'Token contract.'],
    ['symbol', 'text not null', 'Token symbol.'],
    ['hour', 'timestamptz not null', 'Start of the hour, UTC; the balance holds until the next row.'],
    ['decimals', 'int2 not null', 'Precision of the token.'],
    ['amount', 'int8 not null', 'Raw units; 0 when the contract removed the row.']],
  key => 'account, contract, symbol, hour', token_ids => array[['token_id', 'symbol', 'contract']]);

select meta.register_dataset('state.supplies', 'Supply of watched tokens.', array[
    ['contract', 'text not null', 'Token contract.'],
    ['symbol', 'text not null', 'Token symbol.'],
    ['decimals', 'int2 not null', 'Precision of the token.'],
    ['supply', 'int8 not null', 'Raw units in circulation.'],
    ['max_supply', 'int8 not null', 'Most raw units that there can be.'],
    ['issuer', 'text not null', 'Account that may issue.']],
  key => 'contract, symbol', token_ids => array[['token_id', 'symbol', 'contract']], view => 'none');

select meta.register_dataset('state.registry_tokens', 'Rows of the on-chain token registry (logos), as the contract has them.', array[
    ['row_id', 'numeric(20) not null', 'Key of the contract''s row.'],
    ['data', 'jsonb not null', 'The row.']],
  key => 'row_id', replicated => array['*']);
