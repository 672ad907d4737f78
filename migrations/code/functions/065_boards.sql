-- Boards: small materialized views that read days kept incrementally and day candles, all of hours that are irreversible
-- and counted. So a refresh does not read single trades, and no fork changes a row of a board.

-- Creates board.NAME, or keeps it if it was made of the same key and query. A new one is empty until its first refresh, and
-- board.freshness has no row of it.
--
-- key    Columns that identify a row, separated by a comma and a space.
-- query  Reads tables, not views, so that views can be made again. meta.board_refreshes says up to which hour to read.
-- notes  column, comment, column, comment, ...
create or replace function meta.create_board(board text, about text, key text, query text, notes text[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  wanted text := key || ': ' || query;
begin
  if not exists (select from meta.boards b where b.name = board and b.definition = wanted)
      or not exists (select from pg_class c where c.oid = to_regclass(format('board.%I', board)) and c.relkind = 'm') then
    perform meta.drop_boards(board);
    delete from meta.board_refreshes r where r.board = create_board.board;
    execute format('create materialized view board.%I as %s', board, query);
    execute format('create unique index %I on board.%I (%s)', board || '_key', board, key);
    insert into meta.boards values (board, wanted, true);
  end if;
  update meta.boards b set in_code = true where b.name = board;
  execute format('comment on materialized view board.%I is %L', board, about);
  for i in 1 .. array_length(notes, 1) / 2 loop
    execute format('comment on column board.%I.%I is %L', board, notes[2 * i - 1], notes[2 * i]);
  end loop;
end $$;

-- Removes a board, also where a replica has a view in its place.
create or replace function meta.drop_boards(board text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  kind text := (select c.relkind from pg_class c where c.oid = to_regclass(format('board.%I', board)));
begin
  delete from meta.boards b where b.name = board;
  if kind is not null then
    execute format('drop %s board.%I', case kind when 'm' then 'materialized view' else 'view' end, board);
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

-- Refreshes a board when hours were counted since its last refresh. Readers see the old rows until it commits. Returns
-- whether it was refreshed. Needs a transaction of one snapshot, so that meta.board_refreshes is exact.
create or replace function meta.refresh_board(board text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp set timezone = 'UTC' set jit = off as $$
begin
  if current_setting('transaction_isolation') = 'read committed' then
    raise exception 'refresh_board needs a transaction of one snapshot' using errcode = 'HW052';
  end if;
  if not exists (select from meta.boards b where b.name = board) then
    raise exception 'there is no board %', board using errcode = 'invalid_parameter_value';
  end if;
  if not exists (select from (select r.chain, r.counted_to, r.block_num from meta.board_refreshes r where r.board = refresh_board.board) r
      full join meta.counted_hours() n on (n.chain, n.counted_to, n.block_num) = (r.chain, r.counted_to, r.block_num)
      where n.chain is null or r.chain is null) then
    return false;
  end if;
  delete from meta.board_refreshes r where r.board = refresh_board.board;
  insert into meta.board_refreshes (board, chain, counted_to, block_num, block_time)
    select refresh_board.board, n.chain, n.counted_to, n.block_num, n.block_time from meta.counted_hours() n;
  execute format('refresh materialized view concurrently board.%I', board);
  return true;
end $$;

comment on function meta.refresh_board(text) is 'Refreshes a board when hours were counted since its last refresh.';
