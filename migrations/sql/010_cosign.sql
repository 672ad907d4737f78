-- The CPU sponsor: counters of its signatures. Its role calls the functions below and reads which tokens are traded.
create schema cosign;
comment on schema cosign is 'Counters of the CPU sponsor. Its role calls the functions and touches no table.';

do $$
begin
  if not exists (select from pg_roles where rolname = 'headwater_cosigner') then
    begin
      create role headwater_cosigner nologin;
    exception
      when duplicate_object or unique_violation then null;
    end;
  end if;
  begin
    execute format('grant headwater_cosigner to %I', current_user);
  exception
    when others then raise notice 'the role could not be granted to %: %', current_user, sqlerrm;
  end;
end $$;

create table cosign.counters (
  chain text not null,
  scope text not null,
  key text not null,
  period text not null,
  starts timestamptz not null,
  used int4 not null,
  primary key (chain, scope, key, period, starts)
) with (fillfactor = 50);
comment on table cosign.counters is 'Requests that were counted, by whole hours and days (UTC).';
comment on column cosign.counters.chain is 'Chain name.';
comment on column cosign.counters.scope is 'ip, account, all; reserve: requests beyond the limit of an account that it has signed; failure: transactions of an account that failed when they were tried; failure-own: those of them that it had signed.';
comment on column cosign.counters.key is 'Address (of IPv6 the first 64 bits), account, or empty for all.';
comment on column cosign.counters.period is 'hour or day.';
comment on column cosign.counters.starts is 'Start of the hour or day.';
comment on column cosign.counters.used is 'Requests in it.';

create table cosign.transactions (
  chain text not null,
  id bytea not null,
  counted_at timestamptz not null,
  primary key (chain, id)
);
comment on table cosign.transactions is 'Transactions that were counted in the last 25 hours: each counts once.';
comment on column cosign.transactions.chain is 'Chain name.';
comment on column cosign.transactions.id is 'Transaction id.';
comment on column cosign.transactions.counted_at is 'When it was counted.';

create table cosign.switches (
  chain text primary key,
  is_on boolean not null,
  changed_at timestamptz not null default clock_timestamp(),
  changed_by text not null default session_user
);
comment on table cosign.switches is 'Whether the sponsor signs. Without a row it does.';
comment on column cosign.switches.chain is 'Chain name.';
comment on column cosign.switches.is_on is 'False: every process on this database refuses.';
comment on column cosign.switches.changed_at is 'When it was switched last.';
comment on column cosign.switches.changed_by is 'Login that switched it.';

-- Counts a transaction, or returns the reached limit and counts nothing. Limits: of an address by hour and day, of an
-- account by hour and day, of all by hour and day, of an account's failures by hour, of an account's reserve by hour
-- and day. A transaction signed by the account itself (is_own) counts in its reserve instead, which others cannot use
-- up. All callers lock rows in the same order, those of `all` last: this avoids deadlocks and holds the shared row as
-- briefly as possible. Returns: counted, known (counted before), off, or the reached limit: ip-hour, ip-day,
-- account-hour, ...
create function cosign.take(for_chain text, transaction_id bytea, address text, account text, is_own boolean, limits int4[], at timestamptz default clock_timestamp())
returns text
language plpgsql security definer set search_path = pg_catalog as $$
declare
  account_scope constant text := case when is_own then 'reserve' else 'account' end;
  failure_scope constant text := case when is_own then 'failure-own' else 'failure' end;
  scopes constant text[] := array['ip', 'ip', account_scope, account_scope, 'all', 'all'];
  periods constant text[] := array['hour', 'day', 'hour', 'day', 'hour', 'day'];
  most constant int4[] := case when is_own then limits[1:2] || limits[8:9] || limits[5:6] else limits[1:6] end;
  keys constant text[] := array[address, address, account, account, '', ''];
  now_used int4;
  refused text;
begin
  if exists (select from cosign.switches s where s.chain = for_chain and not s.is_on) then return 'off'; end if;
  if exists (select from cosign.counters c where c.chain = for_chain and c.scope = failure_scope and c.key = account
      and c.period = 'hour' and c.starts = date_trunc('hour', at, 'UTC') and c.used >= limits[7]) then
    return 'failure-hour';
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

-- Counts an account's transaction that failed when it was tried before signing.
create function cosign.note_failure(for_chain text, account text, is_own boolean, at timestamptz default clock_timestamp()) returns void
language sql security definer set search_path = pg_catalog as $$
  insert into cosign.counters as c
    values (for_chain, case when is_own then 'failure-own' else 'failure' end, account, 'hour', date_trunc('hour', at, 'UTC'), 1)
    on conflict (chain, scope, key, period, starts) do update set used = c.used + 1
$$;

-- Deletes counters that no limit needs any more.
create function cosign.prune(at timestamptz default clock_timestamp()) returns void
language sql security definer set search_path = pg_catalog as $$
  delete from cosign.counters where starts < at - interval '2 days';
  delete from cosign.transactions where counted_at < at - interval '25 hours'
$$;

create function cosign.set_switch(for_chain text, turn_on boolean) returns void
language sql security definer set search_path = pg_catalog as $$
  insert into cosign.switches as s (chain, is_on) values (for_chain, turn_on)
    on conflict (chain) do update set is_on = excluded.is_on, changed_at = clock_timestamp(), changed_by = session_user
$$;

create function cosign.is_on(for_chain text) returns boolean
language sql stable security definer set search_path = pg_catalog as $$
  select coalesce((select is_on from cosign.switches where chain = for_chain), true)
$$;

revoke execute on all functions in schema cosign from public;
grant usage on schema cosign, head to headwater_cosigner;
grant execute on all functions in schema cosign to headwater_cosigner;
grant select on head.pools, head.markets to headwater_cosigner;
-- Lets a login with only the cosigner's rights check that the schema is current.
grant select on public.headwater_migrations to headwater_cosigner;
