-- State of the relayer: transactions, refusals, and whether it may send.

create table relay.intents (
  id int8 generated always as identity primary key,
  chain text not null,
  signer text not null,
  leg text not null,
  action text not null,
  step text not null,
  nonce int8,
  hash text not null,
  raw bytea not null,
  call jsonb,
  expires_at timestamptz,
  max_fee numeric(38) not null default 0,
  max_tip numeric(38) not null default 0,
  gas_limit int8 not null default 0,
  state text not null default 'intended',
  reason text,
  block_num int8,
  gas_used int8,
  cost numeric(38),
  cost_usd float8,
  fee_usd float8,
  value_usd float8,
  shares text[] not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  ended_at timestamptz,
  unique (chain, signer, hash)
);
create index intents_open on relay.intents (signer, chain) where state in ('intended', 'sent', 'mined');
create index intents_ended on relay.intents (ended_at) where state = 'done';
create index intents_nonce on relay.intents (signer, chain, nonce);
create index intents_leg on relay.intents (leg, action, id);
create index intents_shares on relay.intents using gin (shares) where shares <> '{}';
create index intents_day on relay.intents (signer, created_at);
comment on table relay.intents is 'Transactions of the relayer. A row is written before its transaction is sent.';
comment on column relay.intents.id is 'Counts up.';
comment on column relay.intents.chain is 'Chain that it was sent to.';
comment on column relay.intents.signer is 'Address or account of the key.';
comment on column relay.intents.leg is 'Key of the transfer or journey.';
comment on column relay.intents.action is 'release, expire, pay, credit, forward, bounce, settle, refund, recover; cancel: a transfer of nothing that frees a nonce.';
comment on column relay.intents.step is 'Call of the action: learn, submit, light, or the action itself.';
comment on column relay.intents.nonce is 'Nonce; null on an Antelope chain.';
comment on column relay.intents.hash is 'Hash or id of the transaction.';
comment on column relay.intents.raw is 'The signed transaction.';
comment on column relay.intents.call is 'Contract and data of the call, and the most USD of gas that it may cost, for a replacement; null on an Antelope chain.';
comment on column relay.intents.expires_at is 'When an Antelope transaction expires; null on an EVM chain.';
comment on column relay.intents.max_fee is 'Most that a unit of gas may cost, wei; 0 on an Antelope chain.';
comment on column relay.intents.max_tip is 'Tip of a unit of gas, wei.';
comment on column relay.intents.gas_limit is 'Gas that it may use.';
comment on column relay.intents.state is 'intended, sent, mined: open. done: final. reverted: in a block, without effect. replaced: another one with its nonce is in a block. cancelled: its nonce was freed. expired: it can be in no block any more. foreign: a transaction of another program has its nonce.';
comment on column relay.intents.reason is 'Why it failed.';
comment on column relay.intents.block_num is 'Block that has it.';
comment on column relay.intents.gas_used is 'Gas that it used.';
comment on column relay.intents.cost is 'Cost in wei.';
comment on column relay.intents.cost_usd is 'Cost in USD; before it is in a block the most that was expected.';
comment on column relay.intents.fee_usd is 'Fee that it earns, USD; null without a price.';
comment on column relay.intents.value_usd is 'Worth of the transfer, USD; null without a price.';
comment on column relay.intents.shares is 'Other withdrawals whose fees pay for the root that it brings.';
comment on column relay.intents.created_at is 'When it was written, before it was sent.';
comment on column relay.intents.sent_at is 'When a node took it last.';
comment on column relay.intents.ended_at is 'When its state became final.';

create table relay.refusals (
  signer text not null,
  leg text not null,
  action text not null,
  chain text not null,
  reason text not null,
  kind text not null,
  count int4 not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  retry_at timestamptz,
  primary key (signer, leg, action)
);
comment on table relay.refusals is 'Actions that a contract or a node refused.';
comment on column relay.refusals.signer is 'Address or account of the key.';
comment on column relay.refusals.leg is 'Key of the transfer or journey.';
comment on column relay.refusals.action is 'What was refused.';
comment on column relay.refusals.chain is 'Chain that refused it.';
comment on column relay.refusals.reason is 'The last reason.';
comment on column relay.refusals.kind is 'later: tried again. done: another sender was faster. never: not tried again. proof: the contract says that the proof is wrong. left: by the settings, such as a loss.';
comment on column relay.refusals.count is 'Refusals in a row.';
comment on column relay.refusals.first_at is 'When it was refused first.';
comment on column relay.refusals.last_at is 'When it was refused last.';
comment on column relay.refusals.retry_at is 'From when on it is tried again; null: never.';

create table relay.switches (
  name text primary key,
  is_on boolean not null,
  changed_at timestamptz not null default clock_timestamp(),
  changed_by text not null default session_user
);
comment on table relay.switches is 'Whether relayers of this database send. Without a row they do.';
comment on column relay.switches.name is 'all, or the address or account of one key.';
comment on column relay.switches.is_on is 'False: nothing is sent.';
comment on column relay.switches.changed_at is 'When it was switched last.';
comment on column relay.switches.changed_by is 'Login that switched it.';
