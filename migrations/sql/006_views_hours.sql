-- Hourly holdings of the exchange for SQL.
select meta.create_view('hour_snapshots', 'What the exchange held at the end of each hour.',
  'select s.chain, s.hour, s.block_num, s.block_time, s.swap_locked, s.spot_locked, s.pools, s.markets,
    s.pools_without_usd, s.orders_without_usd from @hour_snapshots s', array[]::text[]);
