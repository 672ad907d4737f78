-- Token scores as trust uses them: a snapshot for each refresh. The snapshot in force at a time is the one with the
-- greatest valid_from up to it, whole: a token that is not in it has no score.
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
