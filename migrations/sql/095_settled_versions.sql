-- Final views with row counts that the planner can estimate. Before, each join of a ledger table was estimated at a
-- third of its rows. Current rows as of the last irreversible block were a union, which has no statistics: each join
-- was estimated at 1/200 of all pairs.
--
-- On a filled database this reads every table of current rows once: some seconds for millions of rows.

-- All but the last rows of a chain are irreversible. The planner estimates a comparison with a column as true for a
-- third of the rows, and its negation for two thirds.
do $$
declare
  parent record;
begin
  for parent in select c.relname from pg_class c join pg_class v on v.relname = c.relname and v.relnamespace = 'settled'::regnamespace
    where c.relkind = 'p' and c.relnamespace = 'ledger'::regnamespace
  loop
    execute format('create or replace view settled.%1$I as select l.* from ledger.%1$I l join meta.position p on p.chain = l.chain'
      || ' and (l.block_num > p.lib_num) is not true', parent.relname);
  end loop;
end $$;

-- Current rows and their before-images become two partitions of one table, versions.NAME, because a table has
-- statistics. The row as of the last irreversible block is the earliest before-image (if `existed`), else the current
-- row.
create schema versions;
comment on schema versions is 'Internal: current rows with their before-images, each table of state with its twin in undo.';
-- Use of the schema only, to gather statistics.
grant usage on schema versions to headwater_writer;

-- Current rows get two columns of before-images, always null, so that a replica that deletes a row by its key alone
-- finds its partition. The columns have defaults, because the store does not write columns with defaults.
create function meta.create_versions(name text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  columns text := (select string_agg(format('v.%I', a.attname), ', ' order by a.attnum) from pg_attribute a
    where a.attrelid = format('state.%I', name)::regclass and a.attnum > 0 and not a.attisdropped);
  key_match text := (select string_agg(format('e.%1$I = v.%1$I', k), ' and ') from unnest(meta.key_columns('state', name)) k);
begin
  execute format('alter table state.%I add column undo_block int8 default nullif(0, 0), add column existed boolean default nullif(true, true)', name);
  execute format('comment on column state.%I.undo_block is %L', name, 'Always null: of before-images alone.');
  execute format('comment on column state.%I.existed is %L', name, 'Always null: of before-images alone.');
  execute format('create table versions.%1$I (like undo.%1$I including comments) partition by list (existed)', name);
  perform meta.drop_not_null('versions', name, (select array_agg(a.attname::text) from pg_attribute a
    where a.attrelid = format('versions.%I', name)::regclass and a.attnum > 0));
  execute format('alter table versions.%1$I attach partition state.%1$I for values in (null)', name);
  execute format('alter table versions.%1$I attach partition undo.%1$I for values in (true, false)', name);
  execute format('create or replace view settled.%1$I as select %2$s from versions.%1$I v where v.existed is not false'
    || ' and not exists (select from undo.%1$I e where %3$s and e.undo_block < coalesce(v.undo_block, 9223372036854775807))',
    name, columns, key_match);
end $$;
comment on function meta.create_versions(text) is 'Joins current rows and before-images of a table of state, and makes its settled view of them.';

-- As before, without the two columns that are null in every current row.
create or replace function meta.restore_state(name text, chain_name text, from_block int8) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  part text := format('state.%I', name || '__' || chain_name);
  keys text[];
  key_list text;
  key_match text;
  all_columns text;
  assignments text;
  changed boolean;
begin
  execute format('select exists (select from undo.%I where chain = $1 and undo_block >= $2)', name) into changed using chain_name, from_block;
  if not changed then
    return;
  end if;
  keys := meta.key_columns('state', name);
  select string_agg(quote_ident(k), ', '), string_agg(format('s.%1$I = o.%1$I', k), ' and ') into key_list, key_match from unnest(keys) k;
  select string_agg(quote_ident(attname), ', ' order by attnum),
      string_agg(format('%1$I = excluded.%1$I', attname), ', ') filter (where attname <> all (keys))
    into all_columns, assignments
    from pg_attribute where attrelid = format('state.%I', name)::regclass and attnum > 0 and not attisdropped and not atthasdef;
  execute format('with oldest as materialized (select distinct on (%2$s) * from undo.%1$I where chain = $1 and undo_block >= $2'
    || ' order by %2$s, undo_block), gone as (delete from %3$s s using oldest o where %4$s and not o.existed)'
    || ' insert into %3$s (%5$s) select %5$s from oldest where existed on conflict (%2$s) do update set %6$s',
    name, key_list, part, key_match, all_columns, assignments) using chain_name, from_block;
  execute format('delete from undo.%I where chain = $1 and undo_block >= $2', name) using chain_name, from_block;
end $$;

create or replace function meta.create_state_table(name text, key_columns text, columns text, key text) returns void
language plpgsql as $$
begin
  execute format('create table state.%1$I (chain text not null, %2$s, %3$s, primary key (%4$s, chain)) partition by list (chain)',
    name, key_columns, columns, key);
  perform meta.create_undo('state', name);
  perform meta.create_versions(name);
  execute format('comment on column state.%I.chain is ''Chain name.''', name);
end $$;

select meta.create_versions(c.relname) from pg_class c where c.relkind = 'p' and c.relnamespace = 'state'::regnamespace;

do $$
declare
  of_token record;
begin
  for of_token in
    select * from (values ('pools', 'token_a', 'symbol_a', 'contract_a'), ('pools', 'token_b', 'symbol_b', 'contract_b'),
      ('markets', 'base', 'base_symbol', 'base_contract'), ('markets', 'target', 'target_symbol', 'target_contract'),
      ('balances', 'token_id', 'symbol', 'contract'), ('supplies', 'token_id', 'symbol', 'contract'),
      ('incentives', 'token_id', 'symbol', 'contract'), ('amm_balances', 'token_id', 'symbol', 'contract')) v(relation, name, symbol, contract)
  loop
    perform meta.create_expression_statistics(format('versions.%I', of_token.relation)::regclass, of_token.name,
      format('lower(%I) || ''-'' || %I', of_token.symbol, of_token.contract));
  end loop;
end $$;

-- Replaces the text of head.NAME and final.NAME, with the same columns. The template is that of meta.create_view.
create function meta.replace_view(name text, template text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  side text;
  body text;
  used text;
  source text;
begin
  foreach side in array array['head', 'final'] loop
    body := replace(template, '$side', side);
    for used in select distinct m[1] from regexp_matches(template, '@([a-z_]+)', 'g') m loop
      select case when side = 'final' and (n.nspname <> 'derive' or to_regclass(format('settled.%I', c.relname)) is not null) then 'settled' else n.nspname end into source
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relname = used and c.relkind = 'p' and n.nspname in ('ledger', 'state', 'derive');
      body := regexp_replace(body, '@' || used || '\M', format('%I.%I', source, used), 'g');
    end loop;
    execute format('create or replace view %I.%I as %s', side, name, body);
  end loop;
end $$;

-- The chain's system token is looked up, not joined: there is only one.
select meta.replace_view('token_prices',
  'select p.chain, p.token_id, p.decimals, p.pool_id, x.price as system_price, x.price * u.usd as usd_price
    from @token_prices p
    cross join lateral (select t.decimals from @token_prices t where t.chain = p.chain and t.pool_id is null limit 1) s
    cross join lateral (select p.rate_x192 * power(10::numeric, 30 + p.decimals - s.decimals) / 6277101735386680763835789423207666416102355444464034512896
      * 1e-30 as price) x
    left join lateral (select h.usd from @usd_prices h where h.chain = p.chain order by h.block_num desc limit 1) u on true');

revoke execute on function meta.create_versions(text), meta.replace_view(text, text) from public;
