-- Derived data: candles, hours, scores. A pure function of ledger and state.

-- Resolutions, in roll-up order.
create table meta.resolutions (
  place int4 primary key,
  resolution text not null,
  source text
);
comment on table meta.resolutions is 'Candle resolutions and the lower one from which each rolls up.';
comment on column meta.resolutions.place is 'Order of computation.';
comment on column meta.resolutions.resolution is 'Resolution.';
comment on column meta.resolutions.source is 'Resolution from which it is made; null: from the ledger.';

insert into meta.resolutions values (1, '1', null), (2, '5', '1'), (3, '15', '5'), (4, '30', '15'), (5, '60', '30'), (6, '240', '60'),
  (7, '1D', '240'), (8, '1W', '1D'), (9, '1M', '1D');

-- Candles: recomputed from the ledger for buckets that a block touched, each resolution from the next lower one.
create table derive.candles (
  chain text not null,
  market_kind text not null,
  market_id int8 not null,
  resolution text not null,
  bucket_time timestamptz not null,
  open numeric(39) not null,
  high numeric(39) not null,
  low numeric(39) not null,
  close numeric(39) not null,
  volume_base numeric not null,
  volume_target numeric not null,
  volume_usd numeric,
  trades int8 not null,
  trades_without_usd int8 not null,
  primary key (market_id, resolution, bucket_time, market_kind, chain)
) partition by list (chain);
comment on table derive.candles is 'Candles of pools and order-book markets in the units of the ledger.';
comment on column derive.candles.chain is 'Chain name.';
comment on column derive.candles.market_kind is 'amm or spot.';
comment on column derive.candles.market_id is 'Pool id or market id.';
comment on column derive.candles.resolution is '1, 5, 15, 30, 60, 240 (minutes), 1D, 1W (from Monday) or 1M (calendar month), UTC.';
comment on column derive.candles.bucket_time is 'Start of the candle.';
comment on column derive.candles.open is 'First trade: square-root price Q64.64 of a pool, unit price of a market.';
comment on column derive.candles.high is 'Highest trade, same unit.';
comment on column derive.candles.low is 'Lowest trade, same unit.';
comment on column derive.candles.close is 'Last trade, same unit.';
comment on column derive.candles.volume_base is 'Raw units of token A, or of the base token.';
comment on column derive.candles.volume_target is 'Raw units of token B, or of the target token.';
comment on column derive.candles.volume_usd is 'Volume in USD of the trades of a known value; null when the value of none is known.';
comment on column derive.candles.trades is 'Number of trades.';
comment on column derive.candles.trades_without_usd is 'Trades whose USD value is not known: they are not in volume_usd.';

-- Before-images of candles: one row per market and reversible block; all trades of a block are in one minute.
create table undo.candles (
  undo_block int8 not null,
  chain text not null,
  market_kind text not null,
  market_id int8 not null,
  minute timestamptz not null,
  images derive.candles[]
);
create index on undo.candles (chain, undo_block);

-- Holdings of the exchange at the end of each hour. A row belongs to the block that begins the next hour: a rewind of
-- that block removes it, and indexing the block again creates it again.
select meta.register_dataset('ledger.hour_snapshots', 'The exchange as the last block of each hour left it. An hour in which there were no blocks is as the hour before.', array[
    ['hour', 'timestamptz not null', 'Start of the hour, UTC; it ends an hour later, that moment excluded.'],
    ['block_num', 'int8 not null', 'First block after the hour.'],
    ['block_time', 'timestamptz not null', 'Time of that block, UTC.'],
    ['swap_locked', 'numeric', 'USD that pools hold, those of a known value; null when there are pools and the value of none is known.'],
    ['spot_locked', 'numeric', 'USD that open orders offer, in trusted tokens; null when there are orders and the value of none is known.'],
    ['pools_without_usd', 'int4 not null', 'Pools whose value is not known: they are not in swap_locked.'],
    ['orders_without_usd', 'int4 not null', 'Open orders whose value is not known: they are not in spot_locked.'],
    ['pools', 'int4 not null', 'Pools that there were.'],
    ['markets', 'int4 not null', 'Order-book markets that there were.']],
  key => 'hour', kind => 'block', at_once => array[['block', '(block_num)']]);

-- Prices and values of pools at the end of each hour, made and rewound with the row of ledger.hour_snapshots.
select meta.register_dataset('ledger.price_hours', 'Price of each priced token as the last block of each hour left it. No row: the token had no price.', array[
    ['hour', 'timestamptz not null', 'Start of the hour, UTC; it ends an hour later, that moment excluded.'],
    ['token_id', 'text not null', 'Lower-case symbol, hyphen, contract.'],
    ['block_num', 'int8 not null', 'First block after the hour.'],
    ['block_time', 'timestamptz not null', 'Time of that block, UTC.'],
    ['system_price', 'numeric not null', 'System tokens for one token, rounded to 24 decimals.'],
    ['usd_price', 'numeric', 'USD for one token, rounded to 24 decimals; null while the system token has no USD price.']],
  key => 'hour, token_id', kind => 'block', indexes => array[['token', '(token_id, hour)']],
  at_once => array[['block', 'using brin (block_num) with (pages_per_range = 32, autosummarize = on)']]);

select meta.register_dataset('ledger.pool_hours', 'Value of pools after the last block of an hour. At the end of a UTC day, each pool with a known value above zero has a row. At the end of other hours, only pools that hold at least the price threshold have one.', array[
    ['hour', 'timestamptz not null', 'Start of the hour, UTC; it ends an hour later, that moment excluded.'],
    ['pool_id', 'int8 not null', 'Pool id on the AMM contract.'],
    ['block_num', 'int8 not null', 'First block after the hour.'],
    ['block_time', 'timestamptz not null', 'Time of that block, UTC.'],
    ['usd', 'numeric not null', 'USD that the pool holds: both sides when both tokens are trusted and priced, else twice the side that is.']],
  key => 'hour, pool_id', kind => 'block', indexes => array[['pool', '(pool_id, hour)']],
  at_once => array[['block', 'using brin (block_num) with (pages_per_range = 32, autosummarize = on)']]);

-- Trades and users by hour. Irreversible hours are counted once and stored; later hours are counted when they are
-- queried, so that no rewind affects stored rows.
create table derive.hour_totals (
  chain text not null,
  hour timestamptz not null,
  swap_volume numeric,
  swap_fees numeric,
  swap_trades int8 not null,
  swaps_without_usd int8 not null,
  spot_volume numeric,
  spot_fees numeric,
  spot_trades int8 not null,
  deals_without_usd int8 not null,
  day_users int8 not null,
  primary key (hour, chain)
) partition by list (chain);
comment on table derive.hour_totals is 'Trades of each irreversible hour. Inserted once and never changed.';
comment on column derive.hour_totals.chain is 'Chain name.';
comment on column derive.hour_totals.hour is 'Start of the hour, UTC.';
comment on column derive.hour_totals.swap_volume is 'USD of swaps, as they were valued; null when there are swaps and the value of none is known.';
comment on column derive.hour_totals.swap_fees is 'USD of the fees of these swaps, the share of the protocol included; null as swap_volume.';
comment on column derive.hour_totals.swap_trades is 'Number of swaps.';
comment on column derive.hour_totals.swaps_without_usd is 'Swaps whose USD value is not known: they are not in swap_volume and swap_fees.';
comment on column derive.hour_totals.spot_volume is 'USD of deals; null when there are deals and the value of none is known.';
comment on column derive.hour_totals.spot_fees is 'USD of the fees of these deals; null as spot_volume.';
comment on column derive.hour_totals.spot_trades is 'Number of deals.';
comment on column derive.hour_totals.deals_without_usd is 'Deals whose USD value is not known: they are not in spot_volume and spot_fees.';
comment on column derive.hour_totals.day_users is 'Distinct accounts in the 24 hours that end with this one.';

create table derive.hour_users (
  chain text not null,
  hour timestamptz not null,
  account text not null,
  primary key (hour, account, chain)
) partition by list (chain);
comment on table derive.hour_users is 'Who traded or changed a position in each of the last irreversible hours, but the contracts of the exchange.';
comment on column derive.hour_users.chain is 'Chain name.';
comment on column derive.hour_users.hour is 'Start of the hour, UTC.';
comment on column derive.hour_users.account is 'Account.';

-- Days, for the boards. The count of hours adds each irreversible hour to its day in the transaction that stores the
-- hour in derive.hour_totals, so no rewind affects them.
create table derive.account_days (
  chain text not null,
  day timestamptz not null,
  account text not null,
  swaps int8 not null,
  deals int8 not null,
  volume_usd numeric,
  trades_without_usd int8 not null,
  primary key (day, account, chain)
) partition by list (chain);
comment on table derive.account_days is 'Trades of each account and day, in hours that are irreversible: senders of swaps, bidders and askers, but the contracts of the exchange.';
comment on column derive.account_days.chain is 'Chain name.';
comment on column derive.account_days.day is 'Start of the day, UTC.';
comment on column derive.account_days.account is 'Account.';
comment on column derive.account_days.swaps is 'Swaps that it sent; a path over three pools counts three times.';
comment on column derive.account_days.deals is 'Deals on either side; one with itself counts twice.';
comment on column derive.account_days.volume_usd is 'USD of the trades of a known value; null when the value of none is known.';
comment on column derive.account_days.trades_without_usd is 'Trades whose USD value is not known: they are not in volume_usd.';

create table derive.traders (
  chain text not null,
  account text not null,
  first_day timestamptz not null,
  active_days int4 not null,
  swaps int8 not null,
  deals int8 not null,
  volume_usd numeric,
  trades_without_usd int8 not null,
  primary key (account, chain)
) partition by list (chain);
comment on table derive.traders is 'Sums of derive.account_days over all days, with the first of them.';
comment on column derive.traders.chain is 'Chain name.';
comment on column derive.traders.account is 'Account.';
comment on column derive.traders.first_day is 'First day on which it traded, UTC.';
comment on column derive.traders.active_days is 'Days on which it traded.';
comment on column derive.traders.swaps is 'Swaps that it sent; a path over three pools counts three times.';
comment on column derive.traders.deals is 'Deals on either side; one with itself counts twice.';
comment on column derive.traders.volume_usd is 'USD of the trades of a known value; null when the value of none is known.';
comment on column derive.traders.trades_without_usd is 'Trades whose USD value is not known: they are not in volume_usd.';

create table derive.token_days (
  chain text not null,
  day timestamptz not null,
  token_id text not null,
  usd_open numeric,
  usd_high numeric,
  usd_low numeric,
  usd_close numeric,
  system_open numeric,
  system_high numeric,
  system_low numeric,
  system_close numeric,
  priced_hours int4 not null default 0,
  trades int8 not null default 0,
  volume_usd numeric,
  trades_without_usd int8 not null default 0,
  holders int8,
  primary key (day, token_id, chain)
) partition by list (chain);
comment on table derive.token_days is 'Prices, trades and holders of each token and day, in hours that are irreversible.';
comment on column derive.token_days.chain is 'Chain name.';
comment on column derive.token_days.day is 'Start of the day, UTC.';
comment on column derive.token_days.token_id is 'Lower-case symbol, hyphen, contract.';
comment on column derive.token_days.usd_open is 'USD for one token at the end of the first hour of the day that has a price in USD; null when none has.';
comment on column derive.token_days.usd_high is 'Greatest of the prices at the ends of hours.';
comment on column derive.token_days.usd_low is 'Least of the prices at the ends of hours.';
comment on column derive.token_days.usd_close is 'Price at the end of the last hour that has one.';
comment on column derive.token_days.system_open is 'System tokens for one token, as usd_open.';
comment on column derive.token_days.system_high is 'System tokens for one token, as usd_high.';
comment on column derive.token_days.system_low is 'System tokens for one token, as usd_low.';
comment on column derive.token_days.system_close is 'System tokens for one token, as usd_close.';
comment on column derive.token_days.priced_hours is 'Hours at whose end the token had a price: 24 of a whole day.';
comment on column derive.token_days.trades is 'Swaps and deals in pools and markets of the token.';
comment on column derive.token_days.volume_usd is 'USD of the trades of a known value; null when the value of none is known.';
comment on column derive.token_days.trades_without_usd is 'Trades whose USD value is not known: they are not in volume_usd.';
comment on column derive.token_days.holders is 'Accounts with a balance above zero at the end of the last counted hour; null when they were not counted, or when there may be more because balances from before the indexed history are not known.';

create table derive.bridge_days (
  chain text not null,
  day timestamptz not null,
  direction text not null,
  domain numeric(20) not null,
  symbol text not null,
  token text not null,
  decimals int2,
  legs int8 not null,
  amount numeric not null,
  primary key (day, direction, domain, symbol, token, chain)
) partition by list (chain);
comment on table derive.bridge_days is 'Tokens that the bridge of the ledger''s chain took in and sent out by day, in hours that are irreversible.';
comment on column derive.bridge_days.chain is 'Chain name.';
comment on column derive.bridge_days.day is 'Start of the day, UTC.';
comment on column derive.bridge_days.direction is 'in: deposits credited or parked; out: withdrawals burned, those of bounced deposits included.';
comment on column derive.bridge_days.domain is 'Domain at the other end.';
comment on column derive.bridge_days.symbol is 'Symbol of the wrapped token; empty when the logs do not have it.';
comment on column derive.bridge_days.token is 'Of what went out: token on the destination; empty of what came in.';
comment on column derive.bridge_days.decimals is 'Precision of the wrapped token; null when the logs do not have it.';
comment on column derive.bridge_days.legs is 'Number of deposits or withdrawals.';
comment on column derive.bridge_days.amount is 'Ledger units, fees of withdrawals included.';

create table meta.boards (
  name text primary key,
  definition text not null,
  period text check (period in ('day', 'month')),
  query text not null,
  in_code boolean not null
);
comment on table meta.boards is 'Tables and materialized views of the schema board: see meta.create_board.';
comment on column meta.boards.name is 'Name without its schema.';
comment on column meta.boards.definition is 'Period, key and query with which it was made.';
comment on column meta.boards.period is 'day or month: a table, to which a refresh adds rows of this period. Null: a materialized view, computed whole.';
comment on column meta.boards.query is 'Its rows. Of a table: of @chain, from the time @from to the time @to.';
comment on column meta.boards.in_code is 'Whether the last migration asked for it.';

create table meta.board_refreshes (
  board text not null,
  chain text not null,
  counted_to timestamptz not null,
  block_num int8 not null,
  block_time timestamptz not null,
  refreshed_at timestamptz not null default clock_timestamp(),
  primary key (board, chain)
);
comment on table meta.board_refreshes is 'Up to which block each board is, by chain. Written in the transaction that refreshes the board.';
comment on column meta.board_refreshes.board is 'Name of the board.';
comment on column meta.board_refreshes.chain is 'Chain name.';
comment on column meta.board_refreshes.counted_to is 'End of the last hour that is in it, UTC; -infinity from when the chain was cleared to the next refresh.';
comment on column meta.board_refreshes.block_num is 'Last block before that time.';
comment on column meta.board_refreshes.block_time is 'Time of that block, UTC.';
comment on column meta.board_refreshes.refreshed_at is 'When it was refreshed, by the clock of the database.';

select meta.replicate_hours('hour_totals');
select meta.replicate_hours('hour_users');

-- Scores at each hour of chain time: computed when an hour's first block arrives, from the data of earlier blocks, and
-- removed when that block is rewound. Their inputs are rows of the chain like any other. The scores in force at a time
-- are those with the greatest valid_from up to that time. A token that is not among them has no score.
create table derive.score_snapshots (
  chain text not null,
  valid_from timestamptz not null,
  token_id text not null,
  score int2 not null check (score between 0 and 100),
  primary key (valid_from, token_id, chain)
) partition by list (chain);
comment on table derive.score_snapshots is 'Token scores of each hour of chain time. Made once, before the first block of the hour, and never changed.';
comment on column derive.score_snapshots.chain is 'Chain name.';
comment on column derive.score_snapshots.valid_from is 'The hour, UTC: trust uses the scores from its first block on.';
comment on column derive.score_snapshots.token_id is 'Lower-case symbol, hyphen, contract.';
comment on column derive.score_snapshots.score is 'Score, 0 to 100.';

create table derive.token_scores (
  chain text not null,
  valid_from timestamptz not null,
  token_id text not null,
  details jsonb not null,
  primary key (token_id, valid_from, chain)
) partition by list (chain);
comment on table derive.token_scores is 'Scores with all that they are made of, of the last three hours that have scores.';
comment on column derive.token_scores.chain is 'Chain name.';
comment on column derive.token_scores.valid_from is 'As in derive.score_snapshots.';
comment on column derive.token_scores.token_id is 'Lower-case symbol, hyphen, contract.';
comment on column derive.token_scores.details is 'Score, components, caps, metrics and trends as the API answers them.';

-- Inputs of scores: trades of complete irreversible hours, which no rewind affects.
create table derive.token_hours (
  chain text not null,
  token_id text not null,
  hour timestamptz not null,
  trades int8 not null,
  volume_usd numeric,
  trades_without_usd int8 not null,
  primary key (token_id, hour, chain)
) partition by list (chain);
comment on table derive.token_hours is 'Trades of each token in each hour of the last 30 days and of the time before them that scores need.';
comment on column derive.token_hours.chain is 'Chain name.';
comment on column derive.token_hours.token_id is 'Lower-case symbol, hyphen, contract.';
comment on column derive.token_hours.hour is 'Start of the hour, UTC.';
comment on column derive.token_hours.trades is 'Swaps and deals in pools and markets of the token.';
comment on column derive.token_hours.volume_usd is 'USD of the trades of a known value; null when the value of none is known.';
comment on column derive.token_hours.trades_without_usd is 'Trades whose USD value is not known: they are not in volume_usd.';
create index token_hours_hour on derive.token_hours (hour);

create table derive.token_trader_hours (
  chain text not null,
  token_id text not null,
  hour timestamptz not null,
  account text not null,
  primary key (token_id, account, hour, chain)
) partition by list (chain);
comment on table derive.token_trader_hours is 'Who traded a token in which hour: senders, recipients, bidders and askers but the exchange''s own contracts.';
comment on column derive.token_trader_hours.chain is 'Chain name.';
comment on column derive.token_trader_hours.token_id is 'Lower-case symbol, hyphen, contract.';
comment on column derive.token_trader_hours.hour is 'Start of the hour, UTC.';
comment on column derive.token_trader_hours.account is 'Account.';
create index token_trader_hours_hour on derive.token_trader_hours (hour);

create table derive.holder_samples (
  chain text not null,
  token_id text not null,
  hour timestamptz not null,
  holders int8 not null,
  truncated boolean not null,
  block_num int8 not null,
  primary key (token_id, hour, chain)
) partition by list (chain);
comment on table derive.holder_samples is 'Number of holders of every token that is traded, hour by hour.';
comment on column derive.holder_samples.chain is 'Chain name.';
comment on column derive.holder_samples.token_id is 'Lower-case symbol, hyphen, contract.';
comment on column derive.holder_samples.hour is 'The hour, UTC: its start, at which they were counted.';
comment on column derive.holder_samples.holders is 'Accounts with a balance above zero.';
comment on column derive.holder_samples.truncated is 'Whether there may be more: balances from before the indexed history are not known.';
comment on column derive.holder_samples.block_num is 'Last block before the hour.';
create index holder_samples_hour on derive.holder_samples (hour);
