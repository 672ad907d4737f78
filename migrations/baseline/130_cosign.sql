-- Counters of the CPU sponsor.

create table cosign.counters (
  chain text not null,
  scope text not null,
  key text not null,
  period text not null,
  starts timestamptz not null,
  used int4 not null,
  primary key (chain, scope, key, period, starts)
) with (fillfactor = 50);
comment on table cosign.counters is 'Requests that were counted, by whole hours and days (UTC).';
comment on column cosign.counters.chain is 'Chain name.';
comment on column cosign.counters.scope is 'ip, account, all; reserve: requests beyond the limit of an account that it has signed; failure-own: transactions that an account had signed and that failed when they were tried; failure-ip: those of an address that nobody was known to have signed.';
comment on column cosign.counters.key is 'Address (of IPv6 the first 64 bits), account, or empty for all.';
comment on column cosign.counters.period is 'hour or day.';
comment on column cosign.counters.starts is 'Start of the hour or day.';
comment on column cosign.counters.used is 'Requests in it.';

create table cosign.transactions (
  chain text not null,
  id bytea not null,
  counted_at timestamptz not null,
  primary key (chain, id)
);
comment on table cosign.transactions is 'Transactions that were counted in the last 25 hours: each counts once.';
comment on column cosign.transactions.chain is 'Chain name.';
comment on column cosign.transactions.id is 'Transaction id.';
comment on column cosign.transactions.counted_at is 'When it was counted.';

create table cosign.switches (
  chain text primary key,
  is_on boolean not null,
  changed_at timestamptz not null default clock_timestamp(),
  changed_by text not null default session_user
);
comment on table cosign.switches is 'Whether the sponsor signs. Without a row it does.';
comment on column cosign.switches.chain is 'Chain name.';
comment on column cosign.switches.is_on is 'False: every process on this database refuses.';
comment on column cosign.switches.changed_at is 'When it was switched last.';
comment on column cosign.switches.changed_by is 'Login that switched it.';
