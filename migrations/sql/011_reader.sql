-- Further objects for the reader besides the chains' views, and limits of its sessions.

-- Signatures of the CPU sponsor, without the requesting accounts and addresses.
select meta.create_view('cosigned_transactions', 'Transactions that the CPU sponsor has signed in the last 25 hours.',
  'select t.chain, encode(t.id, ''hex'') as trx_id, t.counted_at from cosign.transactions t',
  array['chain', 'Chain name.', 'trx_id', 'Transaction id.', 'counted_at', 'When it was signed, by the clock of the database.']);

select meta.create_view('cosign_totals', 'Signatures of the CPU sponsor by whole hours and days (UTC), for the last two days.',
  'select c.chain, c.period, c.starts, c.used as transactions from cosign.counters c where c.scope = ''all''',
  array['chain', 'Chain name.', 'period', 'hour or day.', 'starts', 'Start of the hour or day.', 'transactions', 'Transactions signed in it.']);

select meta.create_view('cosign_switches', 'Where the CPU sponsor has been switched on or off. Without a row it is on.',
  'select s.chain, s.is_on, s.changed_at from cosign.switches s',
  array['chain', 'Chain name.', 'is_on', 'False: it refuses.', 'changed_at', 'When it was switched last.']);

create view final.position as
  select p.chain, p.first_block, p.lib_num as block_num, encode(b.block_id, 'hex') as block_id, b.block_time, p.lib_num, p.head_num,
    p.updated_at, p.state_block
  from meta.position p left join settled.blocks b on b.chain = p.chain and b.block_num = p.lib_num;
comment on view final.position is 'How far each chain is irreversible: final views end with block_num.';
do $$
declare
  c record;
begin
  for c in select a.attname, col_description('head.position'::regclass, a.attnum) as text from pg_attribute a
    where a.attrelid = 'head.position'::regclass and a.attnum > 0
  loop
    execute format('comment on column final.position.%I is %L', c.attname, c.text);
  end loop;
end $$;
comment on column final.position.block_num is 'Last irreversible block among the indexed ones.';
comment on column final.position.block_id is 'Its id; null on an EVM chain when it has no event of the bridge.';
comment on column final.position.block_time is 'Its time, UTC; null likewise.';

grant select on all tables in schema head, final to headwater_reader, headwater_writer;

-- Defaults for sessions of logins that only are readers. They can change these settings; the lasting bound is that they
-- see only views.
do $$
begin
  if not exists (select from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
      where r.rolname = 'headwater_reader' and s.setdatabase = 0) then
    alter role headwater_reader set statement_timeout = '60s';
    alter role headwater_reader set idle_in_transaction_session_timeout = '5min';
    alter role headwater_reader set default_transaction_read_only = on;
    alter role headwater_reader set timezone = 'UTC';
  end if;
exception
  when others then raise notice 'the settings of headwater_reader could not be made: %', sqlerrm;
end $$;

-- By default any login can create large objects: the only data that a reader could leave behind.
do $$
begin
  revoke execute on function pg_catalog.lo_creat(int4), pg_catalog.lo_create(oid), pg_catalog.lo_from_bytea(oid, bytea) from public;
exception
  when others then raise notice 'large objects could not be forbidden: %', sqlerrm;
end $$;
