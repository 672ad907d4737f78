-- Functions that make views.

-- Creates head.NAME and final.NAME from one template, in which @name is a table: current in head, as of the last
-- irreversible block in final. $side is the view's schema. notes: column, comment, column, comment, ...; a column without
-- a note has the comment of the first used table with a column of that name.
create or replace function meta.create_view(name text, about text, template text, notes text[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  side text;
begin
  foreach side in array array['head', 'final'] loop
    execute format('create or replace view %I.%I as %s', side, name, meta.view_text(side, template));
    execute format('comment on view %I.%I is %L', side, name, about);
    perform meta.copy_comments(format('%I.%I', side, name)::regclass, (
      select array_agg(c.oid::regclass order by m.place)
      from regexp_matches(template, '@([a-z_]+)', 'g') with ordinality m(found, place)
      join pg_class c on c.relname = m.found[1] and c.relkind = 'p'
      join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('ledger', 'state', 'derive')), notes);
  end loop;
  update meta.datasets d set in_code = true where split_part(d.relation, '.', 2) = name;
end $$;

-- Text of a view of one side.
create or replace function meta.view_text(side text, template text) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  body text := replace(template, '$side', side);
  used text;
  source text;
begin
  for used in select distinct m[1] from regexp_matches(template, '@([a-z_]+)', 'g') m loop
    -- Tables of derive contain only irreversible data unless they have a settled view.
    select case when side = 'final' and (n.nspname <> 'derive' or to_regclass(format('settled.%I', c.relname)) is not null) then 'settled'
        else n.nspname end into source
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relname = used and c.relkind = 'p' and n.nspname in ('ledger', 'state', 'derive');
    body := regexp_replace(body, '@' || used || '\M', format('%I.%I', source, used), 'g');
  end loop;
  return body;
end $$;

-- Comments the columns of a view: by the notes, else as the first source with a column of the same name.
create or replace function meta.copy_comments(made regclass, sources regclass[], notes text[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  part record;
begin
  for part in
    select a.attname, coalesce(notes[2 * (select min(i) from generate_series(1, coalesce(array_length(notes, 1), 0) / 2) i where notes[2 * i - 1] = a.attname)], (
        select col_description(b.attrelid, b.attnum) from unnest(sources) with ordinality s(relation, place)
        join pg_attribute b on b.attrelid = s.relation and b.attname = a.attname and b.attnum > 0 order by s.place limit 1)) as about
    from pg_attribute a where a.attrelid = made and a.attnum > 0
  loop
    execute format('comment on column %s.%I is %L', made, part.attname, part.about);
  end loop;
end $$;

-- Creates the settled views of all datasets, before the files of views/ are run.
create or replace function meta.create_settled_views() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform meta.create_settled_view(split_part(d.relation, '.', 1), split_part(d.relation, '.', 2)) from meta.datasets d;
  update meta.datasets d set in_code = false where d.in_code;
  update meta.boards b set in_code = false where b.in_code;
end $$;

-- Creates head and final views of datasets that have none in views/, and the views of what replicas get.
create or replace function meta.create_dataset_views() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  made record;
begin
  for made in select d.relation, split_part(d.relation, '.', 2) as name, d.view, d.notes from meta.datasets d
    where not d.in_code and d.view is distinct from 'none' order by 1
  loop
    perform meta.create_view(made.name, obj_description(made.relation::regclass), coalesce(made.view, meta.default_view(made.relation)),
      meta.default_notes(made.relation) || made.notes);
    update meta.datasets d set in_code = false where d.relation = made.relation;
  end loop;
  perform meta.create_replicated_view(r.name) from meta.replicated r where r.kind = 'versions';
  perform meta.drop_boards(b.name) from meta.boards b where not b.in_code;
end $$;

-- Template of a view with every column of a dataset. The id of the transaction is text. A contract and symbol add
-- token_id; an amount or amount_x with decimals or decimals_x adds quantity or quantity_x, in tokens.
create or replace function meta.default_view(relation text) returns text
language sql stable set search_path = pg_catalog, pg_temp as $$
  select 'select ' || string_agg(case a.attname when 'trx_id' then 'encode(t.trx_id, ''hex'') as trx_id' else format('t.%I', a.attname) end,
      ', ' order by coalesce(array_position(array['chain', 'block_num', 'block_time', 'global_seq', 'trx_id'], a.attname::text), 5 + a.attnum))
    || case when count(*) filter (where a.attname in ('contract', 'symbol')) = 2 then ', lower(t.symbol) || ''-'' || t.contract as token_id' else '' end
    || coalesce((select string_agg(format(', meta.quantity(t.%I, t.%I) as %I', q.amount, q.decimals, q.quantity), '' order by q.amount) from meta.quantities(relation) q), '')
    || ' from @' || split_part(relation, '.', 2) || ' t'
  from pg_attribute a where a.attrelid = relation::regclass and a.attnum > 0 and not a.attisdropped and a.attname not in ('undo_block', 'existed')
$$;

-- Amounts of a dataset with the column of their decimals.
create or replace function meta.quantities(relation text) returns table (amount text, decimals text, quantity text)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select a.attname::text, d.attname::text, regexp_replace(a.attname::text, '^amount', 'quantity')
  from pg_attribute a join pg_attribute d on d.attrelid = a.attrelid and d.attname::text = regexp_replace(a.attname::text, '^amount', 'decimals')
  where a.attrelid = relation::regclass and a.attname ~ '^amount(_|$)' and not a.attisdropped and not d.attisdropped
$$;

-- Comments of the columns that meta.default_view adds.
create or replace function meta.default_notes(relation text) returns text[]
language sql stable set search_path = pg_catalog, pg_temp as $$
  select array['token_id', 'Lower-case symbol, hyphen, contract.']
    || coalesce((select array_agg(n.words order by q.amount, n.place) from meta.quantities(relation) q
      cross join lateral (values (1, q.quantity), (2, 'The same as ' || q.amount || ', in tokens.')) n(place, words)), '{}')
$$;

-- Removes every view that the program makes, before a migration changes a column that views use. The end of the migration
-- makes them again, in the same transaction, with the grants that an administrator gave. Boards are empty until
-- they are refreshed. Waits for readers. Fails when
-- a view of an administrator uses one of them.
create or replace function meta.drop_views() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  names text;
begin
  -- In a new database, views made by registrations of this transaction are not among the objects of the code yet.
  select string_agg(v.name, ', ') into names from (
    select substr(o.identity, 6) as name from meta.code_objects o where o.identity like 'view %'
    union select format('settled.%I', split_part(d.relation, '.', 2)) from meta.datasets d
    union select format('meta.%I', 'replicated_' || r.name) from meta.replicated r
  ) v where to_regclass(v.name) is not null;
  perform set_config('headwater.view_grants', coalesce((select jsonb_agg(jsonb_build_array(format('%I.%I', n.nspname, c.relname), lower(g.privilege_type),
      case g.grantee when 0 then 'public' else g.grantee::regrole::text end))::text
    from pg_class c join pg_namespace n on n.oid = c.relnamespace cross join lateral aclexplode(c.relacl) g
    where (c.relkind in ('v', 'm') or c.relkind = 'r' and n.nspname = 'board') and n.nspname in ('head', 'final', 'board', 'settled', 'meta') and g.grantee <> c.relowner), '[]'), true);
  perform meta.drop_boards(b.name) from meta.boards b;
  if names is not null then
    execute 'drop view ' || names;
  end if;
end $$;

-- Gives the grants of removed views to the views made again.
create or replace function meta.restore_view_grants() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  given jsonb;
begin
  for given in select jsonb_array_elements(nullif(current_setting('headwater.view_grants', true), '')::jsonb) loop
    continue when to_regclass(given ->> 0) is null;
    execute format('grant %s on %s to %s', given ->> 1, given ->> 0, given ->> 2);
  end loop;
end $$;
