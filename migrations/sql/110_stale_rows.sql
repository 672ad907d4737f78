-- Contract rows whose last change could not be decoded: their rows in state are older than the chain. They are stored
-- as state, so that a fork restores them.

select meta.create_state_table('stale_rows', 'contract text not null, scope text not null, table_name text not null, primary_key numeric(20) not null',
  'changed_block int8 not null, changed_at timestamptz not null, removed boolean not null, current_table text not null,'
  || ' current_key text[], reason_code text not null, reason text not null', 'contract, scope, table_name, primary_key');
comment on table state.stale_rows is 'Rows of the contracts whose last change could not be decoded. Current rows show an older version of them, or none.';
comment on column state.stale_rows.contract is 'Contract account.';
comment on column state.stale_rows.scope is 'Scope of the contract''s table.';
comment on column state.stale_rows.table_name is 'Table of the contract.';
comment on column state.stale_rows.primary_key is 'Primary key of the contract''s row.';
comment on column state.stale_rows.changed_block is 'Block of the last change, the one that could not be decoded.';
comment on column state.stale_rows.changed_at is 'Time of that block, UTC.';
comment on column state.stale_rows.removed is 'Whether that change removed the row.';
comment on column state.stale_rows.current_table is 'Table of current rows that has the older version: pools, ticks, positions, orders and so on.';
comment on column state.stale_rows.current_key is 'Key of that current row, its columns as text, without the chain: {7} for pool 7, {7,-120} for a tick of it; null when only its values tell.';
comment on column state.stale_rows.reason_code is 'Stable code of the reason.';
comment on column state.stale_rows.reason is 'Why it could not be decoded.';

select meta.create_view('stale_rows', 'Rows of the contracts whose last change could not be decoded. Other views show an older version of them, or none.',
  'select s.chain, s.contract, s.scope, s.table_name, s.primary_key, s.changed_block, s.changed_at, s.removed, s.current_table, s.current_key,
    s.reason_code, s.reason from @stale_rows s', array[]::text[]);

grant select, insert, update, delete on state.stale_rows, undo.stale_rows to headwater_writer;
grant select on settled.stale_rows to headwater_writer;
grant select on head.stale_rows, final.stale_rows to headwater_reader, headwater_writer;
