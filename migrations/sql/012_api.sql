-- The API's role: reads all data of the chains and changes nothing. The writer's logins may take it.
do $$
begin
  if not exists (select from pg_roles where rolname = 'headwater_api') then
    begin
      create role headwater_api nologin;
    exception
      when duplicate_object or unique_violation then null;
    end;
  end if;
  begin
    execute format('grant headwater_api to %I', current_user);
  exception
    when others then raise notice 'the role could not be granted to %: %', current_user, sqlerrm;
  end;
  begin
    grant headwater_api to headwater_writer;
  exception
    when others then raise notice 'headwater_api could not be granted to headwater_writer: %', sqlerrm;
  end;
end $$;

grant usage on schema meta, ledger, state, undo, derive, settled, head, final to headwater_api;
grant select on all tables in schema meta, ledger, state, undo, derive, settled, head, final to headwater_api;
alter default privileges in schema meta, ledger, state, undo, derive, settled, head, final grant select on tables to headwater_api;
-- Lets a login with only the API's rights check that the schema is current.
grant select on public.headwater_migrations to headwater_api;
