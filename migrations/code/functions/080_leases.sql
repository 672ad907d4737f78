-- Leases: work for one process at a time is protected by a row that readers have no right to. An advisory lock could be
-- taken by any login.

-- Holder of a lease that lives, or null: another process may take over. Ends the session of a process that hangs, if the
-- owner may do so. until: end of the lease; seconds: how long a session may be idle.
create or replace function meta.living_holder(held_pid int4, held_start timestamptz, held_by text, since timestamptz, until timestamptz, seconds float8)
returns text
language plpgsql as $$
declare
  backend record;
begin
  -- State and times are null for sessions of logins that the owner is not a member of.
  select a.pid, a.backend_start,
      a.state = 'active' and a.wait_event_type is distinct from 'Client' as is_working,
      a.state_change > clock_timestamp() - make_interval(secs => seconds) as has_worked
    into backend from pg_catalog.pg_stat_activity a
    where a.pid = held_pid and a.datname = current_database()
      and (a.backend_start is null or held_start is null or a.backend_start = held_start);
  if not found then return null; end if;
  if until > clock_timestamp() or backend.is_working or backend.has_worked then
    return format('database session %s of %s, since %s', held_pid, held_by,
      to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
  end if;
  -- A hung process may have left a transaction open, which the caller would wait for.
  if backend.backend_start = held_start then
    begin
      perform pg_terminate_backend(held_pid, 1000);
    exception
      when insufficient_privilege then null;
    end;
  end if;
  return null;
end $$;

-- Program and address of the session that takes a lease.
create or replace function meta.own_name() returns text language sql as $$
  select format('%s from %s', coalesce(nullif(current_setting('application_name'), ''), 'an unnamed program'),
    coalesce(host(inet_client_addr()), 'a local socket'))
$$;

-- Takes a lease if it is free. Returns null, or the holder. The token is in a unique index, so that changing it waits
-- for transactions that have checked it; renewing does not.
create or replace function meta.take_lease(chain_name text, wanted text, new_token uuid, seconds float8) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '5s' as $$
declare
  held meta.leases;
  by_whom text := meta.own_name();
  alive text;
  started timestamptz := (select a.backend_start from pg_stat_activity a where a.pid = pg_backend_pid());
  until timestamptz := clock_timestamp() + make_interval(secs => seconds);
begin
  insert into meta.leases (chain, purpose, token, holder, pid, backend_start, expires_at)
    values (chain_name, wanted, new_token, by_whom, pg_backend_pid(), started, until) on conflict (chain, purpose) do nothing;
  if not found then
    select * into held from meta.leases l where l.chain = chain_name and l.purpose = wanted;
    if not found then
      return 'it has just let go';
    end if;
    alive := meta.living_holder(held.pid, held.backend_start, held.holder, held.taken_at, held.expires_at, seconds);
    if alive is not null then
      return alive;
    end if;
    update meta.leases l set token = new_token, holder = by_whom, pid = pg_backend_pid(), backend_start = started,
        taken_at = clock_timestamp(), expires_at = clock_timestamp() + make_interval(secs => seconds)
      where l.chain = chain_name and l.purpose = wanted and l.token = held.token;
    if not found then
      return 'it has just been taken over';
    end if;
  end if;
  if wanted = 'write' then
    update meta.position p set writer = new_token where p.chain = chain_name;
  end if;
  return null;
exception
  when lock_not_available then
    return format('database session %s of %s, which is in a transaction', held.pid, held.holder);
end $$;

-- Raises an error when the caller no longer holds the lease. No other process can take it until the caller's
-- transaction ends.
create or replace function meta.check_lease(chain_name text, wanted text, held_token uuid) returns void
language plpgsql as $$
begin
  perform from meta.leases l where l.chain = chain_name and l.purpose = wanted and l.token = held_token for key share;
  if not found then
    raise exception 'another process took over' using errcode = 'HW004';
  end if;
end $$;

-- The same for the key of a relayer.
create or replace function relay.take_lease(wanted text, new_token uuid, seconds float8) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '5s' as $$
declare
  held relay.leases;
  alive text;
  started timestamptz := (select a.backend_start from pg_stat_activity a where a.pid = pg_backend_pid());
begin
  insert into relay.leases (signer, token, holder, pid, backend_start, expires_at)
    values (wanted, new_token, meta.own_name(), pg_backend_pid(), started, clock_timestamp() + make_interval(secs => seconds))
    on conflict (signer) do nothing;
  if found then return null; end if;
  select * into held from relay.leases l where l.signer = wanted;
  if not found then return 'it has just let go'; end if;
  alive := meta.living_holder(held.pid, held.backend_start, held.holder, held.taken_at, held.expires_at, seconds);
  if alive is not null then return alive; end if;
  update relay.leases l set token = new_token, holder = meta.own_name(), pid = pg_backend_pid(), backend_start = started,
      taken_at = clock_timestamp(), expires_at = clock_timestamp() + make_interval(secs => seconds)
    where l.signer = wanted and l.token = held.token;
  return case when not found then 'it has just been taken over' end;
exception
  when lock_not_available then
    return format('database session %s of %s, which is in a transaction', held.pid, held.holder);
end $$;

-- Raises an error when the caller no longer holds the leases of all its keys. No other process can take them until the
-- caller's transaction ends.
create or replace function relay.check_lease(signers text[], held_token uuid) returns void
language plpgsql as $$
declare
  held int4;
begin
  perform from relay.leases l where l.signer = any(signers) and l.token = held_token for key share;
  get diagnostics held = row_count;
  if held <> cardinality(signers) then
    raise exception 'another process took over' using errcode = 'HW004';
  end if;
end $$;
