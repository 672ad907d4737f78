-- Limits for readers' sessions. A reader may switch off the timeouts of its session and its role, and PostgreSQL lets
-- every login take advisory locks and notify. The indexer calls meta.end_reader_sessions every few seconds.

-- Whether a login has only the reader's rights: it is neither superuser, owner, writer, API nor CPU sponsor nor relayer.
create or replace function meta.is_reader(login oid) returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$
  select coalesce((select not r.rolsuper and pg_has_role(r.oid, 'headwater_reader', 'member')
      and not exists (select from pg_roles o where pg_has_role(r.oid, o.oid, 'member')
        and (o.rolname in ('headwater_writer', 'headwater_api', 'headwater_cosigner', 'headwater_relayer')
          or o.oid = (select nspowner from pg_namespace where nspname = 'meta')))
    from pg_roles r where r.oid = login), false)
$$;

-- Readers whose sessions the schema's owner can neither see nor end.
create or replace function meta.unbounded_readers() returns setof text
language sql stable set search_path = pg_catalog, pg_temp as $$
  select r.rolname::text from pg_roles r, pg_namespace n join pg_roles o on o.oid = n.nspowner
  where n.nspname = 'meta' and r.rolcanlogin and has_database_privilege(r.oid, current_database(), 'connect') and meta.is_reader(r.oid)
    and not pg_has_role(o.oid, r.oid, 'usage')
    and not (pg_has_role(o.oid, 'pg_signal_backend', 'usage') and pg_has_role(o.oid, 'pg_read_all_stats', 'usage'))
  order by 1
$$;

-- Makes the schema's owner a member of the readers' logins, so that it can see and end their sessions. Skips logins
-- with more rights than the reader, and those that only an administrator may grant: meta.unbounded_readers lists the
-- latter.
create or replace function meta.join_readers() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  login record;
begin
  for login in
    select r.rolname from meta.unbounded_readers() u join pg_roles r on r.rolname = u
    where not (r.rolcreaterole or r.rolcreatedb or r.rolreplication or r.rolbypassrls)
      and not exists (select from pg_auth_members m where m.member = r.oid and m.roleid <> 'headwater_reader'::regrole)
      and (pg_has_role(r.oid, 'member with admin option') or current_setting('server_version_num')::int4 < 160000
        and (select o.rolcreaterole from pg_roles o where o.rolname = current_user))
  loop
    begin
      execute format(case when current_setting('server_version_num')::int4 < 160000 then 'grant %I to %I'
        else 'grant %I to %I with inherit true, set false' end, login.rolname, current_user);
    exception
      when others then raise notice 'sessions of % cannot be ended: %', login.rolname, sqlerrm;
    end;
  end loop;
end $$;

-- Ends readers' sessions that exceed their limits by a tenth, whatever settings the sessions have. The role's own
-- timeouts, if unchanged, fire first and give a better message.
create or replace function meta.end_reader_sessions() returns table (pid int4, login text, reason text, ended boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  session record;
  at timestamptz := clock_timestamp();
  grace constant float8 := 1.1;
begin
  perform meta.join_readers();
  for session in
    with bounded as materialized (
      select a.pid, a.usename::text as login, a.state, a.query_start, a.state_change, a.xact_start, l.*
      from pg_stat_activity a
      cross join lateral (select r.statement, r.idle_transaction, r.transaction, r.blocking from meta.reader_limits r
        where r.login in (a.usename, 'headwater_reader') order by r.login = a.usename desc limit 1) l
      where a.datname = current_database() and coalesce(a.backend_type, 'client backend') = 'client backend' and meta.is_reader(a.usesysid)
    ), blocking as materialized (
      -- Any login may see which locks are waited for, and since when.
      select b.pid, min(w.waitstart) as since
      from pg_locks w join pg_stat_activity a on a.pid = w.pid cross join lateral unnest(pg_blocking_pids(w.pid)) b(pid)
      where not w.granted and exists (select from bounded) and not meta.is_reader(a.usesysid)
      group by b.pid
    )
    select b.pid, b.login, case
        when x.since < at - b.blocking then 'another session waits for its lock'
        when b.state = 'active' and b.query_start < at - b.statement * grace then 'long statement'
        when b.state like 'idle in transaction%' and b.state_change < at - b.idle_transaction * grace then 'idle transaction'
        when b.xact_start < at - b.transaction * grace then 'long transaction'
      end as reason
    from bounded b left join blocking x on x.pid = b.pid
  loop
    continue when session.reason is null;
    pid := session.pid;
    login := session.login;
    reason := session.reason;
    begin
      ended := pg_terminate_backend(session.pid);
    exception
      when insufficient_privilege then ended := false;
    end;
    return next;
  end loop;
  -- A full notification queue stays full after all notifications are read: only this call removes them.
  perform pg_notification_queue_usage();
end $$;

comment on function meta.end_reader_sessions() is 'Ends sessions of readers that are above meta.reader_limits. ended is false where the owner lacks the right.';
