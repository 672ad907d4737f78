-- By default any login can create temporary tables, which fill the disk. The writer needs them for merges.
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
  execute format('grant temporary on database %I to headwater_writer', current_database());
  -- The default of PostgreSQL 15 and newer; a database upgraded from an older version may differ.
  revoke create on schema public from public;
exception
  when others then raise notice 'temporary tables could not be forbidden: %', sqlerrm;
end $$;
