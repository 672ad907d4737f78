-- Boards: small sums for many readers, made of days kept incrementally and of day candles, all of hours that are
-- irreversible and counted. So a refresh does not read the trades of whole days, and no fork changes a row of a board.

-- Creates board.NAME, or keeps it if it was made of the same period, key and query. A new one is empty until its first
-- refresh, and board.freshness has no row of it.
--
-- period  'day' or 'month': a table. Its column of this name holds starts of UTC days or months. A refresh computes the
--         rows from the period of the last refresh on; earlier rows never change. Null: a materialized view, computed whole.
-- key     Columns that identify a row, separated by a comma and a space. Of a table, chain and period come first.
-- query   Reads tables, not views, so that views can be made again. Of a table, it yields the rows of @chain from the time
--         @from up to the counted hour that ends at @to. A materialized view reads meta.board_refreshes to know its hours.
-- notes   column, comment, column, comment, ...
create or replace function meta.create_board(board text, about text, period text, key text, query text, notes text[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  wanted text := concat_ws(': ', period, key, query);
  kind text := case when period is null then 'materialized view' else 'table' end;
begin
  if not exists (select from meta.boards b where b.name = board and b.definition = wanted)
      or not exists (select from pg_class c where c.oid = to_regclass(format('board.%I', board)) and c.relkind in ('m', 'r')) then
    perform meta.drop_boards(board);
    delete from meta.board_refreshes r where r.board = create_board.board;
    execute format('create %s board.%I as %s', kind, board,
      case when period is null then query else meta.board_query(query, '', '-infinity', '-infinity') || ' with no data' end);
    execute format('create unique index %I on board.%I (%s)', board || '_key', board, key);
    insert into meta.boards (name, definition, period, query, in_code) values (board, wanted, create_board.period, create_board.query, true);
  end if;
  update meta.boards b set in_code = true where b.name = board;
  execute format('comment on %s board.%I is %L', kind, board, about);
  for i in 1 .. array_length(notes, 1) / 2 loop
    execute format('comment on column board.%I.%I is %L', board, notes[2 * i - 1], notes[2 * i]);
  end loop;
end $$;

-- The query of a table with its values. They are literals, so that the planner knows how few days they are.
create or replace function meta.board_query(query text, chain_name text, since timestamptz, until timestamptz) returns text
language sql stable set search_path = pg_catalog, pg_temp set timezone = 'UTC' as $$
  select replace(replace(replace(query, '@chain', quote_literal(chain_name) || '::text'), '@from', quote_literal(since) || '::timestamptz'),
    '@to', quote_literal(until) || '::timestamptz')
$$;

-- Removes a board, also where a replica has a view in its place.
create or replace function meta.drop_boards(board text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  kind text := (select c.relkind from pg_class c where c.oid = to_regclass(format('board.%I', board)));
begin
  delete from meta.boards b where b.name = board;
  if kind is not null then
    execute format('drop %s board.%I', case kind when 'm' then 'materialized view' when 'r' then 'table' else 'view' end, board);
  end if;
end $$;

-- Up to which hour the days of each chain are counted, and the last block before its end.
create or replace function meta.counted_hours() returns table (chain text, counted_to timestamptz, block_num int8, block_time timestamptz)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select p.chain, t.hour + interval '1 hour', b.block_num, b.block_time
  from meta.position p
  cross join lateral (select max(h.hour) as hour from derive.hour_totals h where h.chain = p.chain) t
  join ledger.hour_snapshots s on s.chain = p.chain and s.hour = t.hour
  cross join lateral (select l.block_num, l.block_time from ledger.blocks l where l.chain = p.chain and l.block_num < s.block_num
    order by l.block_num desc limit 1) b
$$;

-- Replaces the rows of a table from the period of its last refresh on, of each chain of which hours were counted since.
-- A chain that was cleared loses its rows. All rows of a chain are computed when the last block of the last refresh is
-- not in the ledger.
create or replace function meta.extend_board(board text, period text, query text) returns void
language plpgsql set search_path = pg_catalog, pg_temp set timezone = 'UTC' set jit = off as $$
declare
  step record;
begin
  for step in
    select coalesce(n.chain, r.chain) as chain, n.counted_to,
      case when r.counted_to <= n.counted_to and exists (select from ledger.blocks b
          where b.chain = r.chain and b.block_num = r.block_num and b.block_time = r.block_time)
        then date_trunc(period, r.counted_to, 'UTC') else '-infinity' end as since
    from (select * from meta.board_refreshes x where x.board = extend_board.board) r
    full join meta.counted_hours() n on n.chain = r.chain
    where (n.chain, n.counted_to, n.block_num) is distinct from (r.chain, r.counted_to, r.block_num)
  loop
    execute format('delete from board.%I where chain = %L and %I >= %L', board, step.chain, period, step.since);
    if step.counted_to is not null then
      execute format('insert into board.%I %s', board, meta.board_query(query, step.chain, step.since, step.counted_to));
    end if;
  end loop;
end $$;

-- Refreshes a board when hours were counted since its last refresh. Readers see the old rows until it commits. Returns
-- whether it was refreshed. Needs a transaction of one snapshot, so that meta.board_refreshes is exact. One process: with
-- years of days the planner would take a second one, which did not make it faster.
create or replace function meta.refresh_board(board text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp set timezone = 'UTC' set jit = off
set max_parallel_workers_per_gather = 0 as $$
declare
  made meta.boards;
begin
  if current_setting('transaction_isolation') = 'read committed' then
    raise exception 'refresh_board needs a transaction of one snapshot' using errcode = 'HW052';
  end if;
  select b.* into made from meta.boards b where b.name = board;
  if made.name is null then
    raise exception 'there is no board %', board using errcode = 'invalid_parameter_value';
  end if;
  if not exists (select from (select r.chain, r.counted_to, r.block_num from meta.board_refreshes r where r.board = refresh_board.board) r
      full join meta.counted_hours() n on (n.chain, n.counted_to, n.block_num) = (r.chain, r.counted_to, r.block_num)
      where n.chain is null or r.chain is null) then
    return false;
  end if;
  if made.period is not null then
    perform meta.extend_board(board, made.period, made.query);
  end if;
  delete from meta.board_refreshes r where r.board = refresh_board.board;
  insert into meta.board_refreshes (board, chain, counted_to, block_num, block_time)
    select refresh_board.board, n.chain, n.counted_to, n.block_num, n.block_time from meta.counted_hours() n;
  if made.period is null then
    execute format('refresh materialized view concurrently board.%I', board);
  end if;
  return true;
end $$;

comment on function meta.refresh_board(text) is 'Refreshes a board when hours were counted since its last refresh.';
