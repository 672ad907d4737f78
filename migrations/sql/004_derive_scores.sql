-- Token scores used for trust: one snapshot per refresh. The snapshot in force at a time is the one with the greatest
-- valid_from up to that time. It is complete: a token that is not in it has no score.
create table derive.score_snapshots (
  chain text not null,
  valid_from timestamptz not null,
  token_id text not null,
  score int2 not null check (score between 0 and 100),
  primary key (valid_from, token_id, chain)
) partition by list (chain);
comment on table derive.score_snapshots is 'Token scores of each completed hourly refresh. Inserted at once and never changed.';
comment on column derive.score_snapshots.chain is 'Chain name.';
comment on column derive.score_snapshots.valid_from is 'Chain time, UTC, from which trust uses the snapshot: more than a minute after it is committed, so that a replay uses it for the same trades.';
comment on column derive.score_snapshots.token_id is 'Lower-case symbol, hyphen, contract.';
comment on column derive.score_snapshots.score is 'Score, 0 to 100.';

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
create index token_hours_hour on derive.token_hours (hour);
comment on table derive.token_hours is 'Trades of each token in each hour of the last 30 days and of what scores need before them.';
comment on column derive.token_hours.chain is 'Chain name.';
comment on column derive.token_hours.token_id is 'Lower-case symbol, hyphen, contract.';
comment on column derive.token_hours.hour is 'Start of the hour, UTC.';
comment on column derive.token_hours.trades is 'Swaps and deals in pools and markets of the token.';
comment on column derive.token_hours.volume_usd is 'USD of the trades of a known value; null when the value of none is known.';
comment on column derive.token_hours.trades_without_usd is 'Trades whose USD value is not known: they are not in volume_usd.';

create table derive.token_trader_hours (
  chain text not null,
  token_id text not null,
  hour timestamptz not null,
  account text not null,
  primary key (token_id, hour, account, chain)
) partition by list (chain);
create index token_trader_hours_hour on derive.token_trader_hours (hour);
comment on table derive.token_trader_hours is 'Who traded a token in which hour: senders, recipients, bidders and askers but the exchange''s own contracts.';
comment on column derive.token_trader_hours.chain is 'Chain name.';
comment on column derive.token_trader_hours.token_id is 'Lower-case symbol, hyphen, contract.';
comment on column derive.token_trader_hours.hour is 'Start of the hour, UTC.';
comment on column derive.token_trader_hours.account is 'Account.';

create table derive.holder_samples (
  chain text not null,
  token_id text not null,
  hour timestamptz not null,
  holders int8 not null,
  truncated boolean not null,
  block_num int8 not null,
  primary key (token_id, hour, chain)
) partition by list (chain);
comment on table derive.holder_samples is 'Number of holders of every token that is traded, hour by hour. Of hours in which nobody counted, those of the last day are made up for.';
comment on column derive.holder_samples.chain is 'Chain name.';
comment on column derive.holder_samples.token_id is 'Lower-case symbol, hyphen, contract.';
comment on column derive.holder_samples.hour is 'The hour, UTC: its start, at which they were counted.';
comment on column derive.holder_samples.holders is 'Accounts with a balance above zero.';
comment on column derive.holder_samples.truncated is 'Whether there may be more: balances from before the indexed history are not known.';
comment on column derive.holder_samples.block_num is 'Irreversible block as of which they were counted: the last one before the hour, where that is known.';

create table derive.token_scores (
  chain text not null,
  valid_from timestamptz not null,
  token_id text not null,
  details jsonb not null,
  primary key (token_id, valid_from, chain)
) partition by list (chain);
comment on table derive.token_scores is 'Scores with all that they are made of, of the last refreshes.';
comment on column derive.token_scores.chain is 'Chain name.';
comment on column derive.token_scores.valid_from is 'As in derive.score_snapshots.';
comment on column derive.token_scores.token_id is 'Lower-case symbol, hyphen, contract.';
comment on column derive.token_scores.details is 'Score, components, caps, metrics and trends as the API answers them.';

create table derive.score_progress (
  chain text not null,
  counted_to timestamptz not null,
  scored_hour timestamptz,
  block_num int8,
  valid_from timestamptz,
  refreshed_at timestamptz,
  primary key (chain)
) partition by list (chain);
comment on table derive.score_progress is 'How far the refresh of scores has come.';
comment on column derive.score_progress.chain is 'Chain name.';
comment on column derive.score_progress.counted_to is 'Trades before this hour are in token_hours and token_trader_hours.';
comment on column derive.score_progress.scored_hour is 'Hour at which the windows of the last scores end; null before the first.';
comment on column derive.score_progress.block_num is 'Irreversible block as of which they were made.';
comment on column derive.score_progress.valid_from is 'From when they hold, as in derive.score_snapshots.';
comment on column derive.score_progress.refreshed_at is 'When they were made, by the clock of the database.';
