-- The key of a relayer is for one process at a time. An advisory lock could be taken by any login.
create table relay.leases (
  signer text primary key,
  token uuid not null,
  holder text not null,
  pid int4 not null,
  backend_start timestamptz,
  taken_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  unique (token, signer)
);
comment on table relay.leases is 'Relayer that may use a key. Each statement that records a transaction checks the token.';
comment on column relay.leases.signer is 'Address or account of the key.';
comment on column relay.leases.token is 'Known only to the holder. A takeover changes it.';
comment on column relay.leases.holder is 'Program and address of the holder.';
comment on column relay.leases.pid is 'Its database session.';
comment on column relay.leases.backend_start is 'When that session began; null when the owner of this schema may not see it.';
comment on column relay.leases.taken_at is 'When it was taken.';
comment on column relay.leases.expires_at is 'From when on another process may take over, by the clock of the database, unless the session is at work. Once the session is gone, at once.';
