-- Failures of trials count against an account only if it has signed the transaction itself, otherwise against the
-- address: anyone can name an account at no cost.
comment on column cosign.counters.scope is 'ip, account, all; reserve: requests beyond the limit of an account that it has signed; failure-own: transactions that an account had signed and that failed when they were tried; failure-ip: those of an address that nobody was known to have signed.';

-- As before, except for failures. limits[7] limits failures of an account, limits[10] those of an address. Failures of
-- an address do not stop transactions that an account has signed itself.
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

drop function cosign.note_failure(text, text, boolean, timestamptz);

-- Counts a transaction that failed when it was tried before signing. Without a proved signature of the account, the
-- failure counts against the address and the transaction no longer counts against the account. Rows are locked in the
-- order of cosign.take.
create function cosign.note_failure(for_chain text, address text, account text, is_own boolean, at timestamptz default clock_timestamp())
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

revoke execute on function cosign.note_failure(text, text, text, boolean, timestamptz) from public;
grant execute on function cosign.note_failure(text, text, text, boolean, timestamptz) to headwater_cosigner;
