-- Digests of the ledger by ranges of final blocks, with which two databases are compared. A digest is a function of the
-- rows alone: of their texts under fixed settings, in an order that no collation decides.

-- Length of the ranges whose digests are stored, blocks. Both sides of a comparison must use the same.
create or replace function meta.digest_leaf() returns int8
language sql immutable parallel safe as $$ select 4096::int8 $$;

-- Columns that the blocks determine. The operator chooses the chain's name; `verified` depends on when a certificate
-- arrived.
create or replace function meta.digested_columns(schema_name text, name text) returns text[]
language sql stable as $$
  select array_agg(a.attname::text order by a.attnum) from pg_attribute a
  where a.attrelid = format('%I.%I', schema_name, name)::regclass and a.attnum > 0 and not a.attisdropped
    and a.attname not in ('chain', 'verified')
$$;

-- Tables of the ledger that are compared, with the digest of their columns: programs of other versions may have others.
create or replace function meta.digested_tables(out name text, out columns text) returns setof record
language sql stable as $$
  select c.relname::text, encode(sha256(convert_to(array_to_string(meta.digested_columns('ledger', c.relname), ','), 'UTF8')), 'hex')
  from pg_class c where c.relkind = 'p' and c.relnamespace = 'ledger'::regnamespace and c.relname <> 'orphaned_blocks'
  order by c.relname collate "C"
$$;

-- What stored digests depend on besides the rows: the length of the ranges, and the columns of all tables.
create or replace function meta.digested_schema() returns bytea
language sql stable as $$
  select sha256(convert_to(concat_ws(' ', meta.digest_leaf()::text, string_agg(t.name || ' ' || t.columns, ' ' order by t.name collate "C")), 'UTF8'))
  from meta.digested_tables() t
$$;

-- First block after the stored ranges. Null: none is stored, or they are digests of other columns, from before a migration.
create or replace function meta.undigested_block(chain_name text) returns int8
language sql stable as $$
  select d.first_block + meta.digest_leaf()
  from (select r.first_block, r.sha256 from meta.range_digests r where r.chain = chain_name and r.name = '' order by r.first_block desc limit 1) d
  where d.sha256 = meta.digested_schema()
$$;

-- Digests of the rows of a range, read from the ledger: one row for each table that has any. The caller bounds the range.
create or replace function meta.digest_rows(chain_name text, from_block int8, to_block int8, out name text, out row_count int8,
  out sha256 bytea) returns setof record
language plpgsql stable set timezone = 'UTC' set datestyle = 'ISO, YMD' set bytea_output = 'hex' set intervalstyle = 'postgres'
set extra_float_digits = 1 as $$
begin
  for name in select t.name from meta.digested_tables() t loop
    continue when to_regclass(format('ledger.%I', name || '__' || chain_name)) is null;
    execute format('select count(*), sha256(string_agg(h, '''' order by h)) from (select sha256(convert_to(row(%s)::text, ''UTF8'')) as h'
        || ' from ledger.%I where chain = $1 and block_num between $2 and $3) r',
        (select string_agg(quote_ident(c), ', ') from unnest(meta.digested_columns('ledger', name)) c), name)
      into row_count, sha256 using chain_name, from_block, to_block;
    if row_count > 0 then
      return next;
    end if;
  end loop;
end $$;

-- Stores the digests of ranges that have become final, the earliest first; at most max_ranges. Returns their number. All
-- stored ranges of a chain are digests of the same columns: after a migration that changes columns they are deleted first.
create or replace function meta.digest_leaves(chain_name text, max_ranges int4) returns int4
language plpgsql as $$
declare
  at meta.position;
  leaf int8 := meta.digest_leaf();
  -- Before rows are read: a migration in between leaves the ranges outdated, not wrong.
  of_schema bytea := meta.digested_schema();
  next_block int8 := meta.undigested_block(chain_name);
  done int4 := 0;
begin
  select * into at from meta.position p where p.chain = chain_name and p.indexed;
  if not found then
    return 0;
  end if;
  if next_block is null then
    delete from meta.range_digests d where d.chain = chain_name;
    next_block := (at.first_block + leaf - 1) / leaf * leaf;
  end if;
  while done < max_ranges and next_block + leaf - 1 <= at.lib_num loop
    insert into meta.range_digests (chain, first_block, name, row_count, sha256)
      with found as materialized (select * from meta.digest_rows(chain_name, next_block, next_block + leaf - 1))
      select chain_name, next_block, f.name, f.row_count, f.sha256 from found f
      union all select chain_name, next_block, '', (select coalesce(sum(f.row_count), 0)::int8 from found f), of_schema
      on conflict do nothing;
    next_block := next_block + leaf;
    done := done + 1;
  end loop;
  return done;
end $$;

-- Blocks that can be compared: up to the stored ranges, and one more range. Null for a chain that is being filled.
create or replace function meta.digested_range(chain_name text, out first_block int8, out last_block int8) returns record
language sql stable as $$
  select p.first_block, least(p.lib_num, greatest(meta.undigested_block(chain_name),
    (p.first_block + meta.digest_leaf() - 1) / meta.digest_leaf() * meta.digest_leaf()) + meta.digest_leaf() - 1)
  from meta.position p where p.chain = chain_name and p.indexed
$$;

-- Digests of a range within meta.digested_range, one row for each table that has rows. A range without a whole stored one
-- is read from the ledger: at most two lengths of those. Any other is a digest of digests: of the stored ranges in it, and
-- of the rest before and after them.
create or replace function meta.digests(chain_name text, from_block int8, to_block int8, out name text, out row_count int8, out sha256 bytea)
returns setof record
language plpgsql stable as $$
declare
  leaf int8 := meta.digest_leaf();
  inner_from int8 := (from_block + leaf - 1) / leaf * leaf;
  inner_to int8 := (to_block + 1) / leaf * leaf - 1;
  unstored int8;
begin
  if inner_from > inner_to then
    return query select * from meta.digest_rows(chain_name, from_block, to_block);
    return;
  end if;
  unstored := greatest(inner_from, meta.undigested_block(chain_name));
  return query
    with parts as (
      select d.first_block as place, d.name, d.row_count, d.sha256 from meta.range_digests d
      where d.chain = chain_name and d.first_block between inner_from and least(inner_to, unstored - 1) and d.name <> ''
      union all select from_block, r.* from meta.digest_rows(chain_name, from_block, inner_from - 1) r where from_block < inner_from
      -- The last range may not be stored yet, and is read.
      union all select f.first, r.* from generate_series(unstored, inner_to, leaf) f(first)
        cross join lateral meta.digest_rows(chain_name, f.first, f.first + leaf - 1) r
      union all select inner_to + 1, r.* from meta.digest_rows(chain_name, inner_to + 1, to_block) r where to_block > inner_to)
    select p.name, sum(p.row_count)::int8, pg_catalog.sha256(string_agg(int8send(p.place) || p.sha256, '' order by p.place))
    from parts p group by p.name order by p.name collate "C";
end $$;

-- Rows of a table in one block, their columns as texts in the order of the table; one longer than 1,000 characters as its
-- digest. Ordered by the texts of the key's columns, byte by byte: of two sides that are cut, the rows up to the lesser of
-- the last keys are complete on both.
create or replace function meta.digested_rows(chain_name text, table_name text, block int8, max_rows int4) returns setof text[]
language plpgsql stable set timezone = 'UTC' set datestyle = 'ISO, YMD' set bytea_output = 'hex' set intervalstyle = 'postgres'
set extra_float_digits = 1 as $$
begin
  if not exists (select from meta.digested_tables() t where t.name = table_name) then
    raise exception 'no such table: %', table_name using errcode = 'invalid_parameter_value';
  end if;
  return query execute format('select array[%s] from ledger.%I where chain = $1 and block_num = $2 order by %s limit $3',
      (select string_agg(format('case when length(%1$I::text) > 1000 then ''sha256:'' || encode(sha256(convert_to(%1$I::text, ''UTF8'')), ''hex'') else %1$I::text end', c), ', ')
        from unnest(meta.digested_columns('ledger', table_name)) c), table_name,
      (select string_agg(format('%I::text collate "C"', k.name), ', ' order by k.place)
        from unnest(array_remove(meta.key_columns('ledger', table_name), 'chain')) with ordinality k(name, place)))
    using chain_name, block, max_rows;
end $$;
