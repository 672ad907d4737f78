-- Functions of the CPU sponsor, whose role calls them and touches no table.

-- Counts a transaction, or returns the reached limit and counts nothing. limits: of an address by hour and day [1, 2],
-- of an account by hour and day [3, 4], of all by hour and day [5, 6], failures of an account by hour [7], the reserve
-- of an account by hour and day [8, 9], failures of an address by hour [10]. A transaction signed by the account itself
-- (is_own) counts in its reserve, which others cannot use up. Failures count against an account only if it has signed
-- the transaction itself, otherwise against the address: anyone can name an account at no cost. Failures of an address
-- do not stop transactions that an account has signed itself. All callers lock rows in the same order, those of `all`
-- last: this avoids deadlocks and holds the shared row as briefly as possible. Returns: counted, known (counted before),
-- off, or the reached limit: ip-hour, ip-day, account-hour, ...
create or replace function cosign.take(for_chain text, transaction_id bytea, address text, account text, is_own boolean, limits int4[], at timestamptz default clock_timestamp())
returns text
language plpgsql security definer set search_path = pg_catalog as $$
declare
  account_scope constant text := case when is_own then 'reserve' else 'account' end;
  scopes constant text[] := array['ip', 'ip', account_scope, account_scope, 'all', 'all'];
  periods constant text[] := array['hour', 'day', 'hour', 'day', 'hour', 'day'];
  most constant int4[] := case when is_own then limits[1:2] || limits[8:9] || limits[5:6] else limits[1:6] end;
  keys constant text[] := array[address, address, account, account, '', ''];
  now_used int4;
  refused text;
begin
  if exists (select from cosign.switches s where s.chain = for_chain and not s.is_on) then return 'off'; end if;
  if exists (select from cosign.counters c where c.chain = for_chain and c.scope = 'failure-own' and c.key = account
      and c.period = 'hour' and c.starts = date_trunc('hour', at, 'UTC') and c.used >= limits[7]) then
    return 'failure-hour';
  end if;
  if not is_own and exists (select from cosign.counters c where c.chain = for_chain and c.scope = 'failure-ip' and c.key = address
      and c.period = 'hour' and c.starts = date_trunc('hour', at, 'UTC') and c.used >= limits[10]) then
    return 'failure-ip-hour';
  end if;
  if exists (select from cosign.transactions x where x.chain = for_chain and x.id = transaction_id) then return 'known'; end if;
  -- A reached limit is refused without writing anything.
  for i in 1..6 loop
    if exists (select from cosign.counters c where c.chain = for_chain and c.scope = scopes[i] and c.key = keys[i]
        and c.period = periods[i] and c.starts = date_trunc(periods[i], at, 'UTC') and c.used >= most[i]) then
      return scopes[i] || '-' || periods[i];
    end if;
  end loop;
  begin
    insert into cosign.transactions values (for_chain, transaction_id, at) on conflict do nothing;
    if not found then return 'known'; end if;
    for i in 1..6 loop
      insert into cosign.counters as c
        values (for_chain, scopes[i], keys[i], periods[i], date_trunc(periods[i], at, 'UTC'), 1)
        on conflict (chain, scope, key, period, starts) do update set used = c.used + 1
        returning used into now_used;
      if now_used > most[i] then
        refused := scopes[i] || '-' || periods[i];
        raise exception using errcode = 'HW429';
      end if;
    end loop;
  exception
    -- Rolls back the counts of this block.
    when sqlstate 'HW429' then return refused;
  end;
  return 'counted';
end $$;

-- Counts a transaction that failed when it was tried before signing. Without a proved signature of the account, the
-- failure counts against the address and the transaction no longer counts against the account. Rows are locked in the
-- order of cosign.take.
create or replace function cosign.note_failure(for_chain text, address text, account text, is_own boolean, at timestamptz default clock_timestamp())
returns void
language plpgsql security definer set search_path = pg_catalog as $$
declare
  period_name text;
begin
  insert into cosign.counters as c
    values (for_chain, case when is_own then 'failure-own' else 'failure-ip' end, case when is_own then account else address end,
      'hour', date_trunc('hour', at, 'UTC'), 1)
    on conflict (chain, scope, key, period, starts) do update set used = c.used + 1;
  if is_own then return; end if;
  foreach period_name in array array['hour', 'day'] loop
    update cosign.counters c set used = c.used - 1
      where c.chain = for_chain and c.scope = 'account' and c.key = account and c.period = period_name
        and c.starts = date_trunc(period_name, at, 'UTC') and c.used > 0;
  end loop;
end $$;

-- Deletes counters of periods that no limit includes.
create or replace function cosign.prune(at timestamptz default clock_timestamp()) returns void
language sql security definer set search_path = pg_catalog as $$
  delete from cosign.counters where starts < at - interval '2 days';
  delete from cosign.transactions where counted_at < at - interval '25 hours'
$$;

create or replace function cosign.set_switch(for_chain text, turn_on boolean) returns void
language sql security definer set search_path = pg_catalog as $$
  insert into cosign.switches as s (chain, is_on) values (for_chain, turn_on)
    on conflict (chain) do update set is_on = excluded.is_on, changed_at = clock_timestamp(), changed_by = session_user
$$;

create or replace function cosign.is_on(for_chain text) returns boolean
language sql stable security definer set search_path = pg_catalog as $$
  select coalesce((select is_on from cosign.switches where chain = for_chain), true)
$$;
