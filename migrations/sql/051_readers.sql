-- Whoever may connect could make temporary tables, which fill the disk. The writer needs them for its merges.
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
  execute format('grant temporary on database %I to headwater_writer', current_database());
  -- As PostgreSQL 15 and newer have it; a database that comes from an older one may differ.
  revoke create on schema public from public;
exception
  when others then raise notice 'temporary tables could not be forbidden: %', sqlerrm;
end $$;
