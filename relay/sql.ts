// Statements of the relayer. Its role reads and writes the schema `relay`, and reads prices.
// Bounds of time are `statement_timestamp()`: no index finds rows by `clock_timestamp()`, which may change while it looks.

/** Null when the lease of a key was taken, else its holder. $1 key, $2 token, $3 seconds. */
export const TAKE_LEASE = `select relay.take_lease($1, $2, $3) as holder`

export const RENEW_LEASES = `update relay.leases set expires_at = clock_timestamp() + make_interval(secs => $3)
  where signer = any($1) and token = $2 returning 1 as one`

export const RELEASE_LEASES = `delete from relay.leases where signer = any($1) and token = $2`

/**
 * Begins each statement that records a transaction: it fails with SQLSTATE HW004 when the leases of the keys are lost, and
 * no other process can take them before it ends. Its rows come `from held`.
 *
 * @param first  number of the parameter with the keys; the next one has the token
 */
const held = (first: number) =>
  `with held as materialized (select relay.check_lease($${first}::text[], $${first + 1}::uuid))`

/**
 * Transactions that count for the gas of 24 hours: open ones, with their maximum cost, and ones that ended in that
 * time. The chain takes one transaction of a nonce, so callers count the most expensive one. Each half has an index; by
 * `or`, all transactions of the key would be read. The bound of `created_at` lets the second index find the rows.
 */
const day = (more = '') => `select chain, nonce, cost_usd from relay.intents
    where signer = $1 and nonce is not null and state in ('intended', 'sent', 'mined') ${more}
  union all
  select chain, nonce, cost_usd from relay.intents
    where signer = $1 and nonce is not null ${more} and created_at > statement_timestamp() - interval '8 days'
      and ended_at > statement_timestamp() - interval '24 hours'`

/**
 * Writes no row when that would exceed the gas of a day. The sum and the row are one statement, and only one session writes
 * for a key: the one that holds its lease. So no other row comes between them.
 */
export const INSERT = `${held(19)}
  insert into relay.intents (signer, chain, leg, action, step, nonce, hash, raw, call, expires_at, max_fee, max_tip, gas_limit,
    cost_usd, fee_usd, value_usd, shares)
  select $1, $2, $3, $4, $5, $6::int8, $7, $8::bytea, $9::jsonb, $10::timestamptz, $11::numeric, $12::numeric, $13::int8,
    $14::float8, $15::float8, $16::float8, $17::text[] from held
  where $18::float8 is null or $14::float8 <= (
      select max(cost_usd) from relay.intents where signer = $1 and chain = $2 and nonce = $6::int8 and state in ('intended', 'sent', 'mined'))
    or $14::float8 is not null and $18::float8 >= (select sum(most) from (
      select max(cost_usd) as most from (
        ${day()}
        union all select $2, $6::int8, $14::float8) o
      group by chain, nonce) o)
  returning id`

const COLUMNS = `id, chain, signer, leg, action, step, nonce, hash, raw, call, expires_at as "expiresAt", max_fee as "maxFee",
  max_tip as "maxTip", gas_limit as "gasLimit", state, reason, block_num as block, cost_usd as "costUsd", fee_usd as "feeUsd",
  value_usd as "valueUsd", shares, coalesce(sent_at, created_at) as "sentAt",
  created_at as "createdAt"`

export const OPEN = `select ${COLUMNS} from relay.intents
  where signer = $1 and chain = $2 and state in ('intended', 'sent', 'mined') order by nonce, id`

export const SENT = `${held(3)} update relay.intents set state = case state when 'intended' then 'sent' else state end, reason = null,
  sent_at = clock_timestamp(), block_num = coalesce($2, block_num) from held where id = $1`

export const REFUSED_AT_FIRST = `${held(3)} update relay.intents set reason = $2 from held where id = $1 and state = 'intended'`

/** A transaction whose block was undone waits again. */
export const UNDONE = `${held(2)} update relay.intents set state = 'sent', block_num = null from held where id = $1 and state = 'mined'`

export const MINED = `${held(6)} update relay.intents set state = 'mined', reason = null, block_num = $2, gas_used = $3, cost = $4,
  cost_usd = $5 from held where id = $1`

/** A replaced transaction cost nothing: the one that replaced it did. */
export const ENDED = `${held(4)} update relay.intents set state = $2, reason = coalesce($3, reason), ended_at = clock_timestamp(),
  cost_usd = case when $2 in ('done', 'reverted', 'cancelled') then cost_usd else 0 end from held where id = $1`

/** Nonces in use. A node that lags a little may not count a transaction that ended a moment ago. */
export const NONCES = `select distinct nonce from relay.intents where signer = $1 and chain = $2 and nonce >= $3
  and (state in ('intended', 'sent', 'mined') or ended_at > clock_timestamp() - interval '1 hour')`

/**
 * Actions of legs that must not be sent now: they are open, or ended a moment ago, which the API may not know yet. A
 * policy that the light client has learned is only the beginning of a release. One that a contract refused at its first
 * push waits for its next push.
 */
export const BUSY = `select leg, action, bool_or(state in ('intended', 'sent')) as waits from (
    select leg, action, step, state from relay.intents
    where signer = any($1) and state in ('intended', 'sent', 'mined') and reason is null
    union all
    select leg, action, step, state from relay.intents
    where signer = any($1) and state = 'done' and ended_at > statement_timestamp() - interval '1 minute') o
  where state in ('intended', 'sent') or step <> 'learn' group by 1, 2`

/** Whether a payment of a withdrawal was sent before, by any key, and has ended. */
export const PAID_BEFORE = `select exists (select from relay.intents where leg = $1 and action = 'pay' and chain = $2
  and state not in ('intended', 'sent', 'mined')) as paid`

export const SPENT = `select coalesce(sum(most), 0)::float8 as usd from (
  select max(cost_usd) as most from (${day()}) d group by chain, nonce) o`

export const SPENT_ON_HANDOFFS = `select coalesce(sum(most), 0)::float8 as usd from (
  select max(cost_usd) as most from (${day(`and action = 'learn'`)}) d group by chain, nonce) o`

/** Gas by leg. Of transactions with one nonce, only the dearest can be paid. */
export const SPENT_ON = `select leg, sum(most)::float8 as usd from (
  select leg, max(cost_usd) as most from relay.intents
    where signer = $1 and chain = $2 and leg = any($3) group by leg, nonce) o group by 1`

/** Those of some legs whose fees pay for the root of another leg than $3. One that failed has cost them nothing. */
export const SHARED = `select distinct s.leg from relay.intents i cross join lateral unnest(i.shares) s(leg)
  where i.shares && $4::text[] and s.leg = any($4) and i.signer = $1 and i.chain = $2 and i.leg <> $3
    and i.state in ('intended', 'sent', 'mined', 'done')`

export const REFUSE = `
  insert into relay.refusals (signer, leg, action, chain, reason, kind, count, first_at, last_at, retry_at)
  values ($1, $2, $3, $4, $5, $6, 1, clock_timestamp(), clock_timestamp(), clock_timestamp() + $7::float8 * interval '1 second')
  on conflict (signer, leg, action) do update set chain = excluded.chain, reason = excluded.reason, kind = excluded.kind,
    count = relay.refusals.count + 1, last_at = excluded.last_at, retry_at = excluded.retry_at`

export const REFUSALS = `select leg, action, reason, kind, count, retry_at is null as "isFinal",
  coalesce(retry_at > clock_timestamp(), true) as "isClosed",
  extract(epoch from clock_timestamp() - first_at)::float8 as "seconds" from relay.refusals where signer = any($1) and leg = any($2)`

export const FORGET_REFUSAL = `delete from relay.refusals where signer = $1 and leg = $2 and action = $3`

/** Refusals of legs that ended long ago, those beyond a number, and ended transactions of last year. */
export const PRUNE_REFUSALS = `delete from relay.refusals where ctid = any(array(
  select ctid from relay.refusals where last_at < clock_timestamp() - interval '30 days' limit $1)) returning 1 as one`
export const PRUNE_MOST_REFUSALS = `delete from relay.refusals where ctid = any(array(select id from (
    select ctid as id, row_number() over (partition by signer order by last_at desc) as place from relay.refusals) o
  where place > $1 limit $2)) returning 1 as one`
export const PRUNE_INTENTS = `delete from relay.intents where id = any(array(select id from relay.intents
  where state not in ('intended', 'sent', 'mined') and ended_at < clock_timestamp() - interval '400 days' limit $1)) returning 1 as one`

export const IS_ON = `select not exists (select from relay.switches where not is_on and name = any($1 || array['all'])) as "isOn"`

export const SET_SWITCH = `insert into relay.switches as s (name, is_on) values ($1, $2)
  on conflict (name) do update set is_on = excluded.is_on, changed_at = clock_timestamp(), changed_by = session_user`

/** USD prices of the tokens of the bridge on the ledger's chain. */
export const PRICES = `select symbol, usd_price::float8 as usd from head.traded_tokens
  where chain = $1 and contract = $2 and usd_price is not null`

/** Tokens of the bridge's routes. */
export const ROUTES = `select domain::text, token, wrapped_symbol as symbol, wrapped_decimals::int4 as decimals from head.bridge_routes
  where chain = $1 and wrapped_contract = $2`

/** Whether the schema has a table. */
export const HAS_TABLE = `select to_regclass($1) is not null as "isThere"`

/**
 * Of transactions with one nonce only one is paid: the dearest counts. The fee is earned by the last call of a release. Keys
 * and chains are found by steps of an index, and only open and recent transactions of each are read.
 */
export const STATUS_KEYS = `with recursive k(signer, chain) as (
    (select signer, chain from relay.intents order by signer, chain limit 1)
    union all
    select n.signer, n.chain from k cross join lateral (select i.signer, i.chain from relay.intents i
      where (i.signer, i.chain) > (k.signer, k.chain) order by i.signer, i.chain limit 1) n)
  select k.signer, k.chain, a.* from k cross join lateral (
    select count(*) filter (where state in ('intended', 'sent', 'mined'))::int4 as open,
      count(*) filter (where state = 'done' and ended_at > now() - interval '24 hours')::int4 as done,
      count(*) filter (where state in ('reverted', 'foreign') and ended_at > now() - interval '24 hours')::int4 as failed,
      coalesce(sum(most) filter (where created_at > now() - interval '24 hours'), 0)::float8 as "costUsd",
      coalesce(sum(fee_usd) filter (where state = 'done' and step <> 'learn' and ended_at > now() - interval '24 hours'), 0)::float8 as "feeUsd",
      extract(epoch from now() - min(created_at) filter (where state in ('intended', 'sent')))::float8 as "oldestSeconds"
    from (
      select *, case when nonce is null or cost_usd = 0 or row_number() over (partition by nonce
        order by cost_usd desc nulls last, id) = 1 then cost_usd end as most
      from (
        select id, nonce, state, step, cost_usd, fee_usd, created_at, ended_at from relay.intents
          where signer = k.signer and chain = k.chain and state in ('intended', 'sent', 'mined')
        union all
        select id, nonce, state, step, cost_usd, fee_usd, created_at, ended_at from relay.intents
          where signer = k.signer and chain = k.chain and created_at > now() - interval '8 days'
            and state not in ('intended', 'sent', 'mined')) i) o) a
  order by 1, 2`

export const STATUS_REFUSALS = `select leg, action, chain, kind, reason, count, retry_at as "retryAt" from relay.refusals
  where kind <> 'done' order by last_at desc limit 20`

export const STATUS_SWITCHES = `select name, changed_at as "changedAt", changed_by as "changedBy" from relay.switches where not is_on order by 1`

/** Whether this login may read what SIGNERS, OPEN_OF_KEY, SPENT, LAST_ALARM and IS_ON read. */
export const CAN_WATCH = `select coalesce(bool_and(has_table_privilege(c.oid, 'select')), false) and count(*) = 3 as may
  from pg_class c where c.relname in ('intents', 'refusals', 'switches')
    and c.relnamespace = (select oid from pg_namespace where nspname = 'relay' and has_schema_privilege(oid, 'usage'))`

/** Keys that have sent something. Each step of the index finds the next key, however many rows one has. */
export const SIGNERS = `with recursive k(signer) as (
    (select signer from relay.intents order by signer limit 1)
    union all
    select (select i.signer from relay.intents i where i.signer > k.signer order by i.signer limit 1) from k where k.signer is not null)
  select signer from k where signer is not null`

export const OPEN_OF_KEY = `select count(*)::int4 as open,
    extract(epoch from clock_timestamp() - min(created_at))::float8 as "oldestSeconds"
  from relay.intents where signer = $1 and state in ('intended', 'sent', 'mined')`

/** What must never happen, of the last 24 hours: a proof that was refused, a nonce that another program has used. */
export const LAST_ALARM = `select text, extract(epoch from clock_timestamp() - at)::float8 as "ageSeconds" from (
    (select action || ' ' || leg || ' on ' || chain || ': ' || reason as text, last_at as at from relay.refusals
      where signer = $1 and kind = 'proof' order by last_at desc limit 1)
    union all
    (select 'another program uses the key on ' || chain, ended_at from relay.intents
      where signer = $1 and state = 'foreign' and created_at > statement_timestamp() - interval '8 days' order by ended_at desc limit 1)) o
  where at > clock_timestamp() - interval '24 hours' order by at desc limit 1`
