-- Blocks, ABIs, and data of watched contracts that could not be decoded.

select meta.register_dataset('ledger.blocks', 'Block headers of the followed branch.', array[
    ['block_num', 'int8 not null', 'Number of the block.'],
    ['block_id', 'bytea not null', 'Id of the block.'],
    ['prev_id', 'bytea not null', 'Id of its parent.'],
    ['block_time', 'timestamptz not null', 'Time of the block, UTC.'],
    ['producer', 'text not null', 'Account that produced the block.']],
  key => 'block_num', kind => 'block',
  at_once => array[['time', 'using brin (block_time) with (pages_per_range = 32, autosummarize = on)']]);

select meta.register_dataset('ledger.orphaned_blocks', 'Headers of indexed blocks that a fork replaced; some may have come back since: head.orphaned_blocks leaves those out.', array[
    ['block_num', 'int8 not null', 'Number of the block.'],
    ['block_id', 'bytea not null', 'Id of the block.'],
    ['prev_id', 'bytea not null', 'Id of its parent.'],
    ['block_time', 'timestamptz not null', 'Time of the block, UTC.'],
    ['producer', 'text not null', 'Account that produced the block.'],
    ['replaced_at', 'timestamptz not null default clock_timestamp()', 'When the rewind took place, the last one of this block, by the clock of the database.']],
  key => 'block_num, block_id', kind => 'block', view => 'none');

select meta.register_dataset('ledger.abis', 'Every ABI of the watched contracts, from the action that set it.', array[
    ['account', 'text not null', 'Contract account.'],
    ['block_num', 'int8 not null', 'Block from which the ABI is valid.'],
    ['global_seq', 'int8 not null', 'Global sequence of the setabi action; 0 when only the account row is known.'],
    ['abi', 'bytea not null', 'Packed ABI; empty when the contract removed it.']],
  key => 'account, block_num, global_seq', kind => 'block',
  at_once => array[['block', 'using brin (block_num) with (pages_per_range = 32, autosummarize = on)']]);

select meta.register_dataset('ledger.undecoded_actions', 'Actions of watched contracts that could not be decoded, as bytes.', array[
    ['account', 'text not null', 'Contract account.'],
    ['global_seq', 'int8 not null', 'Global sequence of the action.'],
    ['block_num', 'int8 not null', 'Number of the block.'],
    ['block_time', 'timestamptz not null', 'Time of the block, UTC.'],
    ['trx_id', 'bytea not null', 'Id of the transaction.'],
    ['name', 'text not null', 'Action name.'],
    ['data', 'bytea not null', 'Packed data of the action.'],
    ['reason_code', 'text not null', 'Stable code of the reason.'],
    ['reason', 'text not null', 'Why it could not be decoded.']],
  key => 'global_seq, account', kind => 'block',
  at_once => array[['block', 'using brin (block_num) with (pages_per_range = 32, autosummarize = on)']]);

select meta.register_dataset('ledger.undecoded_rows', 'Table rows of watched contracts that could not be decoded, as bytes.', array[
    ['code', 'text not null', 'Contract account.'],
    ['block_num', 'int8 not null', 'Number of the block.'],
    ['row_index', 'int4 not null', 'Place among the undecoded rows of the block.'],
    ['block_time', 'timestamptz not null', 'Time of the block, UTC.'],
    ['scope', 'text not null', 'Scope of the table.'],
    ['table_name', 'text not null', 'Table of the contract.'],
    ['primary_key', 'numeric(20) not null', 'Primary key of the row.'],
    ['present', 'boolean not null', 'False when the block erased the row.'],
    ['data', 'bytea not null', 'Packed row.'],
    ['reason_code', 'text not null', 'Stable code of the reason.'],
    ['reason', 'text not null', 'Why it could not be decoded.']],
  key => 'block_num, row_index', kind => 'block',
  at_once => array[['block', 'using brin (block_num) with (pages_per_range = 32, autosummarize = on)']]);

-- Contract rows whose last change could not be decoded: their rows in state are older than the chain. They are stored
-- as state, so that a fork restores them.
select meta.register_dataset('state.stale_rows', 'Rows of the contracts whose last change could not be decoded. Current rows show an older version of them, or none.', array[
    ['contract', 'text not null', 'Contract account.'],
    ['scope', 'text not null', 'Scope of the contract''s table.'],
    ['table_name', 'text not null', 'Table of the contract.'],
    ['primary_key', 'numeric(20) not null', 'Primary key of the contract''s row.'],
    ['changed_block', 'int8 not null', 'Block of the last change, the one that could not be decoded.'],
    ['changed_at', 'timestamptz not null', 'Time of that block, UTC.'],
    ['removed', 'boolean not null', 'Whether that change removed the row.'],
    ['current_table', 'text not null', 'Table of current rows that has the older version: pools, ticks, positions, orders and so on.'],
    ['current_key', 'text[]', 'Key of that current row, its columns as text, without the chain: {7} for pool 7, {7,-120} for a tick of it; null when the key can only be computed from the row''s values.'],
    ['reason_code', 'text not null', 'Stable code of the reason.'],
    ['reason', 'text not null', 'Why it could not be decoded.']],
  key => 'contract, scope, table_name, primary_key');
