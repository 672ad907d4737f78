-- Scores at each hour of chain time: computed when an hour's first block arrives, from the data of earlier blocks, and
-- removed when that block is rewound. Their inputs are rows of the chain like any other.

-- Removes scores valid from a time on, holders counted since, and trades of the hour that ended then.
create function meta.forget_scores(chain_name text, since timestamptz) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  delete from derive.score_snapshots where chain = chain_name and valid_from >= since;
  delete from derive.token_scores where chain = chain_name and valid_from >= since;
  delete from derive.holder_samples where chain = chain_name and hour >= since;
  delete from derive.token_hours where chain = chain_name and hour >= since - interval '1 hour';
  delete from derive.token_trader_hours where chain = chain_name and hour >= since - interval '1 hour';
end $$;
revoke execute on function meta.forget_scores(text, timestamptz) from public;
grant execute on function meta.forget_scores(text, timestamptz) to headwater_writer;
create index holder_samples_hour on derive.holder_samples (hour);

-- Removes a chain's indexed blocks from from_block on, and restores state and candles as of the block before it.
create or replace function meta.rewind(chain_name text, from_block int8) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
-- Switched off in the writer's session, which merges a few rows at a time.
set enable_hashjoin = on set enable_mergejoin = on set jit = off as $$
declare
  at meta.position;
  name text;
begin
  select * into at from meta.position where chain = chain_name for update;
  if from_block > at.block_num then
    return;
  end if;
  if from_block <= at.lib_num then
    raise exception 'chain %: cannot rewind to block %: block % is irreversible', chain_name, from_block - 1, at.lib_num
      using errcode = 'HW002';
  end if;
  insert into ledger.orphaned_blocks (chain, block_num, block_id, prev_id, block_time, producer)
    select b.chain, b.block_num, b.block_id, b.prev_id, b.block_time, b.producer from ledger.blocks b
    where b.chain = chain_name and b.block_num between from_block and at.block_num
    on conflict do nothing;
  -- Statistics of newly filled tables may make the planner choose sequential scans.
  perform set_config('enable_seqscan', 'off', true);
  foreach name in array meta.tables('ledger') loop
    execute format('delete from ledger.%I where block_num between $1 and $2', name || '__' || chain_name)
      using from_block, at.block_num;
  end loop;
  perform set_config('enable_seqscan', 'on', true);
  foreach name in array meta.tables('state') loop
    perform meta.restore_state(name, chain_name, from_block);
  end loop;
  perform meta.restore_candles(chain_name, from_block);
  -- A fork may replace all indexed blocks: indexing then starts again.
  if from_block = at.first_block then
    delete from meta.position where chain = chain_name;
    perform meta.forget_scores(chain_name, '-infinity');
    return;
  end if;
  update meta.position p set block_num = b.block_num, block_id = encode(b.block_id, 'hex'), block_time = b.block_time,
      updated_at = clock_timestamp()
    from ledger.blocks b where p.chain = chain_name and b.chain = chain_name and b.block_num = from_block - 1;
  if not found then
    raise exception 'chain %: block % is not indexed, cannot rewind to it', chain_name, from_block - 1 using errcode = 'HW003';
  end if;
  perform meta.forget_scores(chain_name, (select date_trunc('hour', p.block_time, 'UTC') + interval '1 hour' from meta.position p
    where p.chain = chain_name));
end $$;


-- Removes all data of a chain except the headers of undone blocks, so that it is indexed again from its first block.
-- Runs with the caller's privileges: the writer's do not suffice.
create or replace function meta.clear_chain(chain_name text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  part record;
begin
  for part in select n.nspname, c.relname, parent.relname as parent
    from pg_class parent
    join pg_namespace n on n.oid = parent.relnamespace
    join pg_class c on c.relnamespace = n.oid and c.relname = parent.relname || '__' || chain_name
    where parent.relkind = 'p' and n.nspname in ('ledger', 'state', 'derive')
      and parent.relname <> 'orphaned_blocks' order by 1, 2
  loop
    execute format('truncate %I.%I', part.nspname, part.relname);
  end loop;
  for part in select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'undo' and c.relkind = 'r'
  loop
    execute format('delete from undo.%I where chain = $1', part.relname) using chain_name;
  end loop;
  -- A backfill's ranges follow the removed blocks.
  delete from meta.backfill_ranges where chain = chain_name;
  delete from meta.accounts where chain = chain_name;
  delete from meta.position where chain = chain_name;
end $$;

-- As of the last irreversible block: scores of hours up to it, and trades of completed hours.
create view settled.score_snapshots as
  select s.* from meta.position p cross join lateral (select date_trunc('hour', b.block_time, 'UTC') as hour from ledger.blocks b
      where b.chain = p.chain and b.block_num <= p.lib_num order by b.block_num desc limit 1) at
    join derive.score_snapshots s on s.chain = p.chain and s.valid_from <= at.hour;
create view settled.token_scores as
  select s.* from meta.position p cross join lateral (select date_trunc('hour', b.block_time, 'UTC') as hour from ledger.blocks b
      where b.chain = p.chain and b.block_num <= p.lib_num order by b.block_num desc limit 1) at
    join derive.token_scores s on s.chain = p.chain and s.valid_from <= at.hour;
create view settled.holder_samples as
  select s.* from meta.position p cross join lateral (select date_trunc('hour', b.block_time, 'UTC') as hour from ledger.blocks b
      where b.chain = p.chain and b.block_num <= p.lib_num order by b.block_num desc limit 1) at
    join derive.holder_samples s on s.chain = p.chain and s.hour <= at.hour;
create view settled.token_hours as
  select s.* from meta.position p cross join lateral (select date_trunc('hour', b.block_time, 'UTC') as hour from ledger.blocks b
      where b.chain = p.chain and b.block_num <= p.lib_num order by b.block_num desc limit 1) at
    join derive.token_hours s on s.chain = p.chain and s.hour < at.hour;
create view settled.token_trader_hours as
  select s.* from meta.position p cross join lateral (select date_trunc('hour', b.block_time, 'UTC') as hour from ledger.blocks b
      where b.chain = p.chain and b.block_num <= p.lib_num order by b.block_num desc limit 1) at
    join derive.token_trader_hours s on s.chain = p.chain and s.hour < at.hour;
grant select on settled.score_snapshots, settled.token_scores, settled.holder_samples, settled.token_hours, settled.token_trader_hours
  to headwater_writer;

comment on table derive.score_snapshots is 'Token scores of each hour of chain time. Made once, before the first block of the hour, and never changed.';
comment on column derive.score_snapshots.valid_from is 'The hour, UTC: trust uses the scores from its first block on.';
comment on table derive.holder_samples is 'Number of holders of every token that is traded, hour by hour.';
comment on column derive.holder_samples.block_num is 'Last block before the hour.';
comment on table derive.token_scores is 'Scores with all that they are made of, of the last three hours that have scores.';
drop view head.score_progress, final.score_progress;
drop table derive.score_progress;

-- Creates head.NAME and final.NAME. In the template, $side is the view's schema. notes: column, comment, column,
-- comment, ...
create or replace function meta.create_view(name text, about text, template text, notes text[]) returns void
language plpgsql as $$
declare
  side text;
  body text;
  used text;
  source text;
  i int4;
begin
  foreach side in array array['head', 'final'] loop
    body := replace(template, '$side', side);
    for used in select distinct m[1] from regexp_matches(template, '@([a-z_]+)', 'g') m loop
      -- Tables of derive contain only irreversible data unless they have a settled view.
      select case when side = 'final' and (n.nspname <> 'derive' or to_regclass(format('settled.%I', c.relname)) is not null) then 'settled'
          else n.nspname end into source
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relname = used and c.relkind = 'p' and n.nspname in ('ledger', 'state', 'derive');
      body := regexp_replace(body, '@' || used || '\M', format('%I.%I', source, used), 'g');
    end loop;
    execute format('create view %I.%I as %s', side, name, body);
    execute format('comment on view %I.%I is %L', side, name, about);
    for i in 1 .. coalesce(array_length(notes, 1), 0) / 2 loop
      execute format('comment on column %I.%I.%I is %L', side, name, notes[2 * i - 1], notes[2 * i]);
    end loop;
    perform meta.copy_comments(side, name, template);
  end loop;
end $$;

-- Recreates the views of these tables: final views are as of the last irreversible block.
drop view head.token_hours, final.token_hours, head.token_traders, final.token_traders, head.token_scores, final.token_scores,
  head.holder_counts, final.holder_counts, head.traded_tokens, final.traded_tokens;
select meta.create_view('token_hours', 'Trades of each token by hour, for the last 30 days.',
  'select t.chain, t.token_id, t.hour, t.trades, t.volume_usd, t.trades_without_usd from @token_hours t', array[]::text[]);

select meta.create_view('token_traders', 'Who traded a token in which hour, for the last 30 days: senders, recipients, bidders and askers but the exchange''s own contracts.',
  'select t.chain, t.token_id, t.hour, t.account from @token_trader_hours t', array[]::text[]);

select meta.create_view('token_scores', 'Token scores of each hour of chain time. In force at a time: those with the greatest valid_from up to it.',
  'select s.chain, s.valid_from, s.token_id, s.score, d.details
    from @score_snapshots s left join @token_scores d on d.chain = s.chain and d.valid_from = s.valid_from and d.token_id = s.token_id',
  array['details', 'Components, caps, metrics and trends as the API answers them; null but for the last three hours.']);

select meta.create_view('score_progress', 'The last hour at which the tokens of each chain were scored.',
  'select p.chain, s.hour as counted_to, s.hour as scored_hour, s.hour as valid_from
    from meta.position p cross join lateral (select max(t.valid_from) as hour from @score_snapshots t where t.chain = p.chain) s where s.hour is not null',
  array['chain', 'Chain name.', 'counted_to', 'Trades before this hour are counted.', 'scored_hour', 'Hour at which the windows of the last scores end.',
    'valid_from', 'From when they hold: the same hour.']);

select meta.create_view('holder_counts', 'Number of holders of every token that is traded, hour by hour.',
  'select h.chain, h.token_id, h.hour, h.holders, h.holders - a.holders as change_1h, h.holders - b.holders as change_24h, h.truncated, h.block_num
    from @holder_samples h
    left join @holder_samples a on a.chain = h.chain and a.token_id = h.token_id and a.hour = h.hour - interval ''1 hour''
    left join @holder_samples b on b.chain = h.chain and b.token_id = h.token_id and b.hour = h.hour - interval ''24 hours''',
  array['change_1h', 'Change since the hour before; null when that was not counted.', 'change_24h', 'Change since the same hour of the day before; null when that was not counted.']);

select meta.create_view('traded_tokens', 'Tokens of which there is a pool or an order-book market, with price and score.',
  'select t.chain, t.token_id, t.contract, t.symbol, t.decimals, t.pools, t.markets, t.pooled as amount_pooled,
    meta.quantity(t.pooled, t.decimals) as quantity_pooled, t.offered as amount_offered, meta.quantity(t.offered, t.decimals) as quantity_offered,
    x.system_price, x.usd_price, s.score
    from (
      select u.chain, u.token_id, u.contract, u.symbol, u.decimals, sum(u.pools)::int8 as pools, sum(u.markets)::int8 as markets,
        sum(u.pooled) as pooled, sum(u.offered) as offered
      from (
        select p.chain, lower(p.symbol_a) || ''-'' || p.contract_a as token_id, p.contract_a as contract, p.symbol_a as symbol,
          p.decimals_a::int4 as decimals, 1 as pools, 0 as markets, p.reserve_a::numeric as pooled, 0::numeric as offered from @pools p
        union all
        select p.chain, lower(p.symbol_b) || ''-'' || p.contract_b, p.contract_b, p.symbol_b, p.decimals_b, 1, 0, p.reserve_b, 0 from @pools p
        union all
        select m.chain, lower(m.base_symbol) || ''-'' || m.base_contract, m.base_contract, m.base_symbol, m.base_decimals, 0, 1, 0,
          coalesce((select sum(o.bid_amount) from @orders o where o.chain = m.chain and o.market_id = m.market_id and o.side = ''sell''), 0) from @markets m
        union all
        select m.chain, lower(m.target_symbol) || ''-'' || m.target_contract, m.target_contract, m.target_symbol, m.target_decimals, 0, 1, 0,
          coalesce((select sum(o.bid_amount) from @orders o where o.chain = m.chain and o.market_id = m.market_id and o.side = ''buy''), 0) from @markets m
      ) u group by 1, 2, 3, 4, 5
    ) t
    left join $side.token_prices x on x.chain = t.chain and x.token_id = t.token_id
    left join @score_snapshots s on s.chain = t.chain and s.token_id = t.token_id
      and s.valid_from = (select max(l.valid_from) from @score_snapshots l where l.chain = t.chain)',
  array['chain', 'Chain name.', 'token_id', 'Lower-case symbol, hyphen, contract.', 'contract', 'Token contract.', 'symbol', 'Token symbol.', 'decimals', 'Precision of the token.',
    'pools', 'Number of its pools.', 'markets', 'Number of its order-book markets.', 'amount_pooled', 'Raw units that pools hold, fees included.',
    'quantity_pooled', 'The same in tokens.', 'amount_offered', 'Raw units that open orders offer.', 'quantity_offered', 'The same in tokens.',
    'system_price', 'System tokens for one token; null when it has no price.', 'usd_price', 'USD for one token; null when it has no price.',
    'score', 'Score of the last hour, 0 to 100; null when it has none.']);
