// Every statement of the bridge API; all are read-only. Lookups by key use indexes, so that their time does not depend
// on the number of legs. A status is computed only for legs that an answer needs.
import pg from 'pg'
import { CONTRADICTION_SECONDS } from '../kit/lag.ts'

/** Positions of the chains. `libTime`: time of the last irreversible block with a row. */
export const POSITIONS = `
  select p.chain, p.block_num::float8 as block, p.block_id as id, date_part('epoch', p.block_time) * 1000 as time,
    p.lib_num::float8 as lib, p.first_block::float8 as "firstBlock",
    (select date_part('epoch', b.block_time) * 1000 from ledger.blocks b
      where b.chain = p.chain and b.block_num <= p.lib_num order by b.block_num desc limit 1) as "libTime",
    coalesce(r.contradiction_at >= least(p.updated_at, clock_timestamp() - make_interval(secs => ${CONTRADICTION_SECONDS})), false) as contradicted
  from meta.position p left join meta.chain_reports r on r.chain = p.chain order by p.chain`

/**
 * What changes only with a position: domains, accounts, and for the ledger's chain, $1, whether its finality is
 * followed and the last block under a root with a strong certificate: burns up to it can be proved.
 */
export const LASTING = `
  select (select json_agg(json_build_object('chain', d.chain, 'domain', d.domain::text, 'named', d.named) order by d.chain)
      from meta.chain_domains d where d.domain is not null) as domains,
    (select json_agg(json_build_object('chain', a.chain, 'role', a.role, 'account', a.account, 'domain', a.domain::text)
      order by a.chain, a.role, a.account) from meta.accounts a) as accounts,
    (select f.claim_num from ledger.certificates c
      join ledger.finality f on f.chain = c.chain and f.block_num = c.target
      where c.chain = $1 and c.strong order by c.block_num desc limit 1)::float8 as proved,
    exists (select from ledger.finality f where f.chain = $1) as followed`

const PLACE = (row: string) => `${row}.block_num::float8 as block, date_part('epoch', ${row}.block_time) * 1000 as time,
  encode(${row}.trx_id, 'hex') as trx, ${row}.global_seq::text as sequence`
const PLACE_JSON = (row: string) => `'block', ${row}.block_num, 'time', date_part('epoch', ${row}.block_time) * 1000,
  'trx', encode(${row}.trx_id, 'hex'), 'sequence', ${row}.global_seq::text`

/** $1 the ledger's chain; $2 and $3 domains and nonces; $4 the chain of each domain, null if it is not indexed. */
export const DEPOSITS = `
  select w.place::int4, w.domain::text, w.nonce::text, s.*, e.events, coalesce(k.collected, false) as collected,
    r.wrapped_symbol as "routeSymbol", r.wrapped_decimals as "routeDecimals"
  from unnest($2::numeric[], $3::numeric[], $4::text[]) with ordinality w(domain, nonce, chain, place)
  left join lateral (
    select x.chain, ${PLACE('x')}, x.sender, x.beneficiary as recipient, x.token_contract as token, x.token_symbol as symbol,
      x.token_decimals as decimals, x.raw::text, x.canonical::text, encode(convert_to(x.memo, 'UTF8'), 'hex') as memo,
      null::text as "refundTo", null::text as vault, null::bytea as "tokenBytes"
    from ledger.deposits x where x.chain = w.chain and x.nonce = w.nonce
    union all
    select v.chain, ${PLACE('v')}, meta.address(v.from_address), v.telos_to, meta.address(v.token), null,
      null, v.amount::text, v.canonical::text, encode(v.memo, 'hex'),
      meta.address(v.refund_to), meta.address(v.contract), v.token
    from ledger.vault_deposits v where v.chain = w.chain and v.nonce = w.nonce
    order by time, sequence limit 1) s on true
  left join lateral (
    select json_agg(json_build_object('type', f.type, 'account', f.account, 'amount', f.amount::text, 'symbol', f.symbol,
      'decimals', f.decimals, 'memo', encode(f.memo, 'hex'), 'refundTo', meta.address(f.refund_to),
      'withdrawalId', f.withdrawal_id::text, ${PLACE_JSON('f')}) order by f.block_time, f.global_seq) as events
    from ledger.deposit_events f where f.chain = $1 and f.domain = w.domain and f.nonce = w.nonce) e on true
  left join lateral (
    select not exists (select from state.claims h where h.chain = $1 and h.owner = c.account and h.symbol = c.symbol)
      or exists (select from ledger.claim_events d where d.chain = $1 and d.owner = c.account and d.symbol = c.symbol
        and d.global_seq > c.global_seq) as collected
    from ledger.deposit_events c where c.chain = $1 and c.domain = w.domain and c.nonce = w.nonce and c.type = 'credited'
    order by c.global_seq desc limit 1) k on true
  left join lateral (
    select b.wrapped_symbol, b.wrapped_decimals from state.bridge_routes b
    where b.chain = $1 and b.domain = w.domain
      and (b.token = s."tokenBytes" or b.token = convert_to(s.token, 'UTF8') and b.wrapped_symbol = s.symbol)
    order by b.id limit 1) r on true
  where s.chain is not null or e.events is not null
  order by w.place`

/** $1 the ledger's chain, $2 ids. */
export const WITHDRAWALS = `
  select w.place::int4, b.id::text, b.domain::text, ${PLACE('b')}, meta.address(b.vault) as vault, meta.address(b.token) as token,
    meta.address(b.recipient) as recipient, b.amount::text, b.fee::text, b.deadline::text, encode(b.memo, 'hex') as memo,
    coalesce(t.owner, b.sender) as owner, coalesce(t.symbol, b.symbol, r.wrapped_symbol) as symbol,
    coalesce(t.decimals, b.decimals, r.wrapped_decimals) as decimals, o.outcomes, e.settlements, n.block as "leafBlock"
  from unnest($2::numeric[]) with ordinality w(id, place)
  join lateral (select x.* from ledger.withdrawals x where x.chain = $1 and x.id = w.id order by x.global_seq desc limit 1) b on true
  left join state.wdraws t on t.chain = $1 and t.id = w.id
  left join lateral (
    select x.wrapped_symbol, x.wrapped_decimals from state.bridge_routes x
    where x.chain = $1 and x.domain = b.domain and x.token = b.token
      and not exists (select from state.bridge_routes y where y.chain = $1 and y.domain = b.domain and y.token = b.token and y.id <> x.id)
  ) r on true
  left join lateral (
    select json_agg(json_build_object('chain', x.chain, 'type', x.type, ${PLACE_JSON('x')})) as outcomes
    from ledger.withdrawal_outcomes x where x.id = w.id and x.type in ('released', 'voided', 'expired')) o on true
  left join lateral (
    select json_agg(json_build_object('chain', x.chain, 'type', x.type, 'released', x.released, ${PLACE_JSON('x')})) as settlements
    from ledger.withdrawal_events x where x.id = w.id) e on true
  left join lateral (select x.block_num::float8 as block from ledger.bridge_logs x
    where x.chain = $1 and x.name = 'wdlog' and x.id = w.id order by x.block_num desc limit 1) n on true
  order by w.place`

/** $1 the ledger's chain; $2 and $3 domains and nonces of deposits. */
export const HOPS = `
  select w.place::int4, h.id::text, h.src_domain::text as "srcDomain", h.src_nonce::text as "srcNonce", h.dst_domain::text as "dstDomain",
    h.recipient, h.back_domain::text as "backDomain", h.back, h.amount::text, h.symbol, h.decimals,
    h.withdrawal_id::text as "withdrawalId", ${PLACE('h')}, r.withdrawal_id::text as "returnId"
  from unnest($2::numeric[], $3::numeric[]) with ordinality w(domain, nonce, place)
  join lateral (select x.* from ledger.hops x where x.chain = $1 and x.src_domain = w.domain and x.src_nonce = w.nonce
    order by x.global_seq desc limit 1) h on true
  left join lateral (select x.withdrawal_id from ledger.hop_returns x where x.chain = $1 and x.id = h.id
    order by x.block_time desc, x.global_seq desc limit 1) r on true
  order by w.place`

/**
 * The first deposit of each withdrawal's journey. The withdrawal may be the second leg, the leg back, or the leg back
 * of a bounce. $1 chain, $2 ids.
 */
export const JOURNEYS_OF = `
  select w.id::text, j.domain::text, j.nonce::text
  from unnest($2::numeric[]) w(id)
  join lateral (
    select h.src_domain as domain, h.src_nonce as nonce, 1 as rank from ledger.hops h where h.chain = $1 and h.withdrawal_id = w.id
    union all
    select h.src_domain, h.src_nonce, 2 from ledger.hop_returns r join ledger.hops h on h.chain = r.chain and h.id = r.id
      where r.chain = $1 and r.withdrawal_id = w.id
    union all
    select e.domain, e.nonce, 3 from ledger.deposit_events e where e.chain = $1 and e.type = 'bounced' and e.withdrawal_id = w.id
      and (w.id <> 0 or exists (select from ledger.withdrawals b where b.chain = $1 and b.id = 0 and b.trx_id = e.trx_id))
    order by rank limit 1) j on true`

/** Keys of legs whose source transaction is $2; $1 the ledger's chain, $3 and $4 indexed chains and their domains. */
export const BY_TRANSACTION = `
  select 'd' as kind, c.domain::text, x.nonce::text as number
    from unnest($3::text[], $4::numeric[]) c(chain, domain)
    join lateral (select nonce from ledger.vault_deposits v where v.chain = c.chain and v.trx_id = $2
      union all select nonce from ledger.deposits d where d.chain = c.chain and d.trx_id = $2) x on true
  union all
  select 'w', null, b.id::text from ledger.withdrawals b where b.chain = $1 and b.trx_id = $2`

const COLUMNS = (row: string, domain: string, number: string) =>
  `date_part('epoch', ${row}.block_time) * 1000 as time, ${domain} as domain, ${row}.${number}::text as number`
const NEWEST = (row: string) =>
  `${row}.block_time < to_timestamp($2) order by ${row}.block_time desc, ${row}.global_seq desc limit ROWS`

/** Legs by the time of a fact, newest first: $1 chain, $2 exclusive upper bound in Unix seconds, ROWS the limit. */
export const VAULT_DEPOSITS = `select ${COLUMNS('v', 'null::text', 'nonce')} from ledger.vault_deposits v where v.chain = $1 and ${NEWEST('v')}`
export const ANTELOPE_DEPOSITS = `select ${COLUMNS('d', 'null::text', 'nonce')} from ledger.deposits d where d.chain = $1 and ${NEWEST('d')}`
export const DEPOSIT_EVENTS = `select ${COLUMNS('e', 'e.domain::text', 'nonce')} from ledger.deposit_events e where e.chain = $1 and ${NEWEST('e')}`
export const BURNS = `select ${COLUMNS('w', 'null::text', 'id')} from ledger.withdrawals w where w.chain = $1 and ${NEWEST('w')}`

/** The same for deposits to an account, $3: as logged on their source chains, and as they arrive with a memo. */
export const VAULT_DEPOSITS_TO = `select ${COLUMNS('v', 'null::text', 'nonce')} from ledger.vault_deposits v
  where v.chain = $1 and v.telos_to = $3 and ${NEWEST('v')}`
export const ANTELOPE_DEPOSITS_TO = `select ${COLUMNS('d', 'null::text', 'nonce')} from ledger.deposits d
  where d.chain = $1 and d.beneficiary = $3 and ${NEWEST('d')}`
export const ARRIVALS_AT = `select ${COLUMNS('e', 'e.domain::text', 'nonce')} from ledger.deposit_events e
  where e.chain = $1 and e.account = $3 and e.type = 'parked' and ${NEWEST('e')}`
/** Deposits that the hop contract has forwarded, by the time of its log. */
export const PASSED_ON = `select ${COLUMNS('h', 'h.src_domain::text', 'src_nonce')} from ledger.hops h
  where h.chain = $1 and ${NEWEST('h')}`

const HAS_EVENT = (row: string) => `exists (select from ledger.deposit_events x
    where x.chain = $4 and x.domain = $5::numeric and x.nonce = ${row}.nonce and x.type = $3)`
/** Deposits with an event of type $3 on the ledger's chain, $4; $5 the domain of $1. */
export const VAULT_DEPOSITS_THAT = `select ${COLUMNS('v', 'null::text', 'nonce')} from ledger.vault_deposits v
  where v.chain = $1 and ${HAS_EVENT('v')} and ${NEWEST('v')}`
export const ANTELOPE_DEPOSITS_THAT = `select ${COLUMNS('d', 'null::text', 'nonce')} from ledger.deposits d
  where d.chain = $1 and ${HAS_EVENT('d')} and ${NEWEST('d')}`
export const DEPOSIT_EVENTS_THAT = `select ${COLUMNS('e', 'e.domain::text', 'nonce')} from ledger.deposit_events e
  where e.chain = $1 and e.type = $3 and ${NEWEST('e')}`
/** $3: `released` or `refunded`. */
export const BURNS_THAT = `select ${COLUMNS('w', 'null::text', 'id')} from ledger.withdrawals w where w.chain = $1
  and exists (select from ledger.withdrawal_events x
      where x.id = w.id and (x.type = $3 or $3 = 'released' and (x.type = 'paid' or x.released))
    union all
    select from ledger.withdrawal_outcomes x where x.id = w.id and $3 = 'released' and x.type = 'released')
  and ${NEWEST('w')}`

/** Legs with an event of type $2 on the ledger's chain, $1; at most ROWS. If there are more, the type is not rare. */
export const RARE_DEPOSITS = `select ${COLUMNS('e', 'e.domain::text', 'nonce')} from ledger.deposit_events e
  where e.chain = $1 and e.type = $2 and e.domain = $3::numeric limit ROWS`
export const RARE_REFUNDS = `select ${COLUMNS('e', 'null::text', 'id')} from ledger.withdrawal_events e
  where e.chain = $1 and e.type = $2 limit ROWS`

const OF_PARTY = (table: string, row: string, kind: 'd' | 'w', domain: string, number: string, party: string) => `
  (select '${kind}' as kind, ${row}.chain, ${domain} as domain, ${row}.${number}::text as number, ${row}.block_time, ${row}.global_seq
    from ${table} ${row} where ${row}.chain = any($3::text[]) and ${party} and ${row}.block_time < to_timestamp($2)
    order by ${row}.block_time desc, ${row}.global_seq desc limit ROWS)`
const OF_SOURCE = (table: string, row: string, party: string) => OF_PARTY(table, row, 'd', 'null::text', 'nonce', party)
const OF_LEDGER = (table: string, row: string, kind: 'd' | 'w', domain: string, number: string, party: string) =>
  OF_PARTY(table, row, kind, domain, number, `${row}.chain = $4 and ${party}`)
const ROUTE = (row: string, part: 2 | 4) =>
  `meta.hop_route(${row}.memo) is not null and lower((meta.hop_route(${row}.memo))[${part}]) = $1`

/**
 * Facts of a party, newest first. The same rows as `head.bridge_parties`, but each part stops at the limit. $1 party,
 * $2 exclusive upper bound in Unix seconds, ROWS the limit, $3 chains, $4 the ledger's chain.
 */
export const PARTY = `
  select kind, chain, domain, number, date_part('epoch', block_time) * 1000 as time from (${[
    OF_SOURCE('ledger.vault_deposits', 'v', 'meta.address(v.from_address) = $1'),
    OF_SOURCE('ledger.vault_deposits', 'v', 'meta.address(v.refund_to) = $1'),
    OF_SOURCE('ledger.vault_deposits', 'v', 'v.telos_to = $1'),
    OF_SOURCE('ledger.vault_deposits', 'v', ROUTE('v', 2)),
    OF_SOURCE('ledger.vault_deposits', 'v', ROUTE('v', 4)),
    OF_SOURCE('ledger.deposits', 'd', 'd.sender = $1'),
    OF_SOURCE('ledger.deposits', 'd', 'd.beneficiary = $1'),
    OF_SOURCE('ledger.deposits', 'd', ROUTE('d', 2)),
    OF_SOURCE('ledger.deposits', 'd', ROUTE('d', 4)),
    OF_LEDGER('ledger.deposit_events', 'e', 'd', 'e.domain::text', 'nonce', 'e.account = $1'),
    OF_LEDGER('ledger.deposit_events', 'e', 'd', 'e.domain::text', 'nonce', 'meta.address(e.refund_to) = $1'),
    OF_LEDGER('ledger.withdrawals', 'w', 'w', 'null::text', 'id', 'w.sender = $1'),
    OF_LEDGER('ledger.withdrawals', 'w', 'w', 'null::text', 'id', 'meta.address(w.recipient) = $1'),
    OF_LEDGER('ledger.hops', 'h', 'd', 'h.src_domain::text', 'src_nonce', 'lower(h.recipient) = $1'),
    OF_LEDGER('ledger.hops', 'h', 'd', 'h.src_domain::text', 'src_nonce', 'lower(h.back) = $1'),
  ].join(' union all ')}
    union all
    (select 'w', w.chain, null, w.id::text, w.block_time, w.global_seq
      from (select t.id from state.wdraws t where t.chain = $4 and t.owner = $1
        and t.id <= (select x.id from ledger.withdrawals x where x.chain = $4 and x.block_time < to_timestamp($2)
          order by x.block_time desc, x.global_seq desc limit 1)
        order by t.id desc limit ROWS) o
      join ledger.withdrawals w on w.chain = $4 and w.id = o.id)) p
  order by block_time desc, global_seq desc limit ROWS`

/**
 * Seconds of recent deposits to the ledger's chain, $1, by source: $2 domains, $3 their chains.
 *
 * @param limit  for each
 */
export const depositTimes = (limit: number): string => `
  select c.domain::text, t.seconds
  from unnest($2::numeric[], $3::text[]) c(domain, chain)
  join lateral (
    select array_agg(r.seconds::float8 order by r.arrived desc) as seconds from (
      select e.block_time as arrived, greatest(0, extract(epoch from e.block_time - s.block_time)) as seconds
      from (${['credited', 'parked']
        .map(
          (type) => `(select x.nonce, x.block_time, x.global_seq from ledger.deposit_events x
          where x.chain = $1 and x.domain = c.domain and x.type = '${type}' order by x.block_time desc, x.global_seq desc limit ${limit})`,
        )
        .join(' union all ')}) e
      join lateral (
        select v.block_time from ledger.vault_deposits v where v.chain = c.chain and v.nonce = e.nonce
        union all select d.block_time from ledger.deposits d where d.chain = c.chain and d.nonce = e.nonce limit 1) s on true
      order by e.block_time desc, e.global_seq desc limit ${limit}) r) t on true
  where t.seconds is not null`

/**
 * Seconds of recent payouts on Antelope chains: $1 the ledger's chain, $2 domains, $3 their chains.
 *
 * @param limit  for each
 */
export const payoutTimes = (limit: number): string => `
  select c.domain::text, t.seconds
  from unnest($2::numeric[], $3::text[]) c(domain, chain)
  join lateral (
    select array_agg(r.seconds::float8 order by r.paid desc) as seconds from (
      select e.block_time as paid, greatest(0, extract(epoch from e.block_time - b.block_time)) as seconds
      from (select x.id, x.block_time from ledger.withdrawal_events x where x.chain = c.chain and x.type = 'paid'
        order by x.block_time desc, x.global_seq desc limit ${limit}) e
      join ledger.withdrawals b on b.chain = $1 and b.id = e.id and b.domain = c.domain) r) t on true
  where t.seconds is not null`

/**
 * Seconds from recent burns to the block that carries a certificate over them: $1 the ledger's chain, $2 domains.
 *
 * @param limit  for each domain
 */
export const proofTimes = (limit: number): string => `
  select c.domain::text, t.seconds
  from unnest($2::numeric[]) c(domain)
  join lateral (
    select array_agg(extract(epoch from k.block_time - b.block_time)::float8 order by b.block_time desc) as seconds
    from (select x.block_num, x.block_time from ledger.withdrawals x where x.chain = $1 and x.domain = c.domain
      order by x.block_time desc, x.global_seq desc limit ${limit}) b
    join lateral (
      select q.block_time from ledger.finality f
      join lateral (select k.block_time from ledger.certificates k
        where k.chain = $1 and k.target = f.block_num and k.strong order by k.block_num limit 1) q on true
      where f.chain = $1 and f.claim_num >= b.block_num order by f.claim_num, f.block_num limit 1) k on true) t on true
  where t.seconds is not null`

/** $1 the ledger's chain. */
export const ROUTES = `
  select id::text, domain::text, meta.address(vault) as vault, meta.address(token) as token, wrapped_contract as "wrappedContract",
    wrapped_symbol as symbol, wrapped_decimals as decimals, scale::text, min::text, max::text, backing::text,
    deposits_open as "depositsOpen", withdrawals_open as "withdrawalsOpen"
  from state.bridge_routes where chain = $1 order by id`

/** Routes out of the ledger's chain, $1, with their limits. */
export const WAYS_OUT = `
  select domain::text, wrapped_symbol as symbol, min::text, max::text, withdrawals_open as open
  from state.bridge_routes where chain = $1`

/** The latest settings of vaults: $1 chains. */
export const VAULT_SETTINGS = `
  select distinct on (c.chain, c.contract, c.type, c.token) c.chain, meta.address(c.contract) as vault, c.type,
    meta.address(c.token) as token, c.details
  from ledger.vault_changes c where c.chain = any($1::text[]) and c.type in ('AssetSet', 'PauseSet')
  order by c.chain, c.contract, c.type, c.token, c.global_seq desc`

/**
 * Limits of a vault and what counts against them, oldest first: $1 chain, $2 vault, $3 token. `since` is part of the
 * text: a generic plan would read the whole history.
 *
 * @param since  Unix seconds
 */
export const outflows = (since: number): string => `
  select date_part('epoch', o.block_time) as time, null::text as limit, (o.amount + coalesce(o.fee, 0))::text as amount, o.global_seq
    from ledger.withdrawal_outcomes o where o.chain = $1 and o.contract = $2 and o.token = $3 and o.type = 'released'
      and o.block_time >= to_timestamp(${Number(since)})
  union all
  select date_part('epoch', c.block_time), c.details ->> 'perPeriod', c.details ->> 'amount', c.global_seq
    from ledger.vault_changes c where c.chain = $1 and c.contract = $2 and c.token = $3 and c.type in ('LimitSet', 'Rescued')
  order by global_seq`

export const OLDER_OUTFLOWS = `
  select exists (select from ledger.withdrawal_outcomes o where o.chain = $1 and o.contract = $2 and o.token = $3
    and o.type = 'released' and o.block_time < to_timestamp($4)) as older`

/** Finality roots that light clients have stored, newest first: $1 chains, $2 limit for each chain. */
export const STORED_ROOTS = `
  select c.chain, encode(r.root, 'hex') as root, r.last_block::float8 as "lastBlock", meta.address(r.contract) as contract,
    date_part('epoch', r.block_time) as time, r.block_num::float8 as block, r.generation::float8 as generation
  from unnest($1::text[]) c(chain)
  join lateral (select * from ledger.stored_roots x where x.chain = c.chain order by x.last_block desc, x.global_seq desc limit $2) r on true
  order by c.chain, r.last_block desc, r.global_seq desc`

/** The oldest stored roots of a light client that cover a block: $1 chain, $2 address, $3 block, $4 limit. */
export const COVERING_ROOTS = `
  select encode(root, 'hex') as root, last_block::float8 as "lastBlock", block_num::float8 as block
  from ledger.stored_roots where chain = $1 and contract = $2 and last_block >= $3 order by last_block, global_seq limit $4`

/** Generations and the last block that a light client has stored: $1 chain, $2 address. */
export const LIGHT_CLIENT = `
  select (select max(generation) from ledger.stored_roots where chain = $1 and contract = $2)::float8 as signed,
    (select min(generation) from ledger.learned_policies where chain = $1 and contract = $2)::float8 as first,
    (select max(generation) from ledger.learned_policies where chain = $1 and contract = $2)::float8 as newest,
    (select max(last_block) from ledger.stored_roots where chain = $1 and contract = $2)::float8 as "lastBlock"`

/** Generations of the policies that sign the newest block of $1. */
export const NEWEST_SIGNERS = `
  select active_generation::float8 as active, last_pending_generation::float8 as last
  from ledger.finality where chain = $1 order by block_num desc limit 1`

/** Packed finalizer policies of $1 from generation $2 on. */
export const POLICIES_FROM = `
  select generation::float8 as generation, block_num::float8 as block, policy
  from ledger.finalizer_policies where chain = $1 and generation >= $2 order by generation`

/**
 * Generations that sign the first root over each block: $1 the ledger's chain, $2 blocks, $3 the oldest generation that
 * the light client accepts. Roots of older generations are skipped.
 */
export const SIGNERS_OVER = `
  select n.block::float8 as block, n.generation::float8 as generation, f.active, f.last
  from unnest($2::int8[], $3::int8[]) n(block, generation)
  join lateral (
    select f.active_generation::float8 as active, f.last_pending_generation::float8 as last from ledger.finality f
    where f.chain = $1 and f.claim_num >= n.block and f.active_generation >= n.generation
      and exists (select from ledger.certificates c where c.chain = f.chain and c.target = f.block_num and c.strong)
    order by f.claim_num, f.block_num limit 1) f on true`

/**
 * Withdrawals that are open in the ledger's table although an outcome is known, or expired and not refunded: $1 the
 * ledger's chain.
 */
export const UNSETTLED = `
  select t.id::text, t.domain::text, t.owner, t.status = 2 as expired from state.wdraws t
  where t.chain = $1 and t.status in (0, 2) and (t.status = 2
    or exists (select from ledger.withdrawal_outcomes o where o.id = t.id and o.type in ('released', 'voided', 'expired'))
    or exists (select from ledger.withdrawal_events e where e.id = t.id and e.type = 'paid'))`

/**
 * Progress of the relayers, from their newest $4 facts: $1 the ledger's chain, $2 domains, $3 their chains.
 * Withdrawals: the latest burn time of a paid one. Deposits: the highest nonce that has arrived, and that was
 * delivered.
 */
export const DONE_LAST = `
  select c.domain::text,
    (select max(date_part('epoch', b.block_time)) * 1000
      from (select x.id from ledger.withdrawal_events x where x.chain = c.chain and x.type = 'paid'
        order by x.block_time desc, x.global_seq desc limit $4) e
      join ledger.withdrawals b on b.chain = $1 and b.id = e.id and b.domain = c.domain) as paid,
    (select max(e.nonce) from (select x.nonce from unnest(array['credited', 'parked']) k(type)
        cross join lateral (select x.nonce from ledger.deposit_events x
          where x.chain = $1 and x.domain = c.domain and x.type = k.type
          order by x.block_time desc, x.global_seq desc limit $4) x) e)::text as arrived,
    (select max(e.nonce) from (select x.nonce from ledger.deposit_events x
        where x.chain = $1 and x.domain = c.domain and x.type = 'forwarded'
        order by x.block_time desc, x.global_seq desc limit $4) e)::text as forwarded
  from unnest($2::numeric[], $3::text[]) c(domain, chain)`

const FINAL = (row: string) => `${row}.block_num <= p.lib_num`

/** A refund to the hop contract ends a withdrawal only after the hop contract has sent it back. */
const WAITS_AT_HOP = (id: string) => `exists (select from ledger.hops h where h.chain = $1 and h.withdrawal_id = ${id}
  and not exists (select from ledger.hop_returns r join meta.position p on p.chain = r.chain where r.chain = $1 and r.id = h.id and ${FINAL('r')}))`

/** Keys of all legs without an irreversible end. $1 the ledger's chain; $2 chains, $3 their domains. */
export const OPEN_LEGS = `
  with c as (select * from unnest($2::text[], $3::numeric[]) c(chain, domain))
  select 'd' as kind, c.domain::text, x.nonce::text as number, date_part('epoch', x.block_time) * 1000 as time
    from c join lateral (
      select v.nonce, v.block_time from ledger.vault_deposits v where v.chain = c.chain
      union all select d.nonce, d.block_time from ledger.deposits d where d.chain = c.chain) x on true
    where not exists (select from ledger.deposit_events e join meta.position p on p.chain = e.chain where e.chain = $1
      and e.domain = c.domain and e.nonce = x.nonce and e.type in ('credited', 'forwarded', 'bounced') and ${FINAL('e')})
  union
  select 'd', x.domain::text, x.nonce::text, date_part('epoch', min(x.block_time)) * 1000
    from c join ledger.deposit_events x on x.chain = c.chain
    where c.chain = $1 and not exists (select from ledger.deposit_events e join meta.position p on p.chain = e.chain where e.chain = $1
      and e.domain = x.domain and e.nonce = x.nonce and e.type in ('credited', 'forwarded', 'bounced') and ${FINAL('e')})
    group by x.domain, x.nonce
  union
  select 'w', null, x.id::text, date_part('epoch', x.block_time) * 1000
    from c join ledger.withdrawals x on x.chain = c.chain
    where c.chain = $1
      and not exists (select from ledger.withdrawal_events e join meta.position p on p.chain = e.chain where e.chain = $1 and e.id = x.id
        and (e.type = 'refunded' and not ${WAITS_AT_HOP('x.id')} or e.type = 'settled' and e.released) and ${FINAL('e')})
      and not exists (select from ledger.withdrawal_events e join meta.position p on p.chain = e.chain where e.id = x.id
        and e.type = 'paid' and e.chain in (select k.chain from c k where k.domain = x.domain) and ${FINAL('e')})
      and not exists (select from ledger.withdrawal_outcomes o join meta.position p on p.chain = o.chain where o.id = x.id
        and o.type = 'released' and o.chain in (select k.chain from c k where k.domain = x.domain) and ${FINAL('o')})`

/**
 * Keys of legs with facts on a chain after a block; a journey's return gives the key of its second leg. All values are
 * part of the text: a generic plan would read the whole history and all chains.
 *
 * @param domain  null if the chain has no domain
 * @param after   number and time, Unix milliseconds, of the block
 */
export function newFacts(chain: string, domain: bigint | null, after: { num: number; time: number }): string {
  const own = domain === null ? 'null' : `'${domain}'`
  const SINCE = (row: string) =>
    `${row}.chain = ${pg.escapeLiteral(chain)} and ${row}.block_time >= to_timestamp(${Number(after.time) / 1000})
      and ${row}.block_num > ${Number(after.num)}`
  return `
  select 'd' as kind, ${own}::text as domain, v.nonce::text as number from ledger.vault_deposits v where ${SINCE('v')}
  union all select 'd', ${own}::text, d.nonce::text from ledger.deposits d where ${SINCE('d')}
  union all select 'd', e.domain::text, e.nonce::text from ledger.deposit_events e where ${SINCE('e')}
  union all select 'w', null, w.id::text from ledger.withdrawals w where ${SINCE('w')}
  union all select 'w', null, e.id::text from ledger.withdrawal_events e where ${SINCE('e')}
  union all select 'w', null, o.id::text from ledger.withdrawal_outcomes o where ${SINCE('o')}
  union all select 'w', null, h.withdrawal_id::text from ledger.hop_returns r
    join ledger.hops h on h.chain = r.chain and h.id = r.id where ${SINCE('r')}`
}

/** The given legs that have an irreversible end. $1 the ledger's chain; $2, $3 deposits; $4 withdrawals. */
export const ENDED_LEGS = `
  select 'd' as kind, w.domain::text, w.nonce::text as number from unnest($2::numeric[], $3::numeric[]) w(domain, nonce)
    where exists (select from ledger.deposit_events e join meta.position p on p.chain = e.chain where e.chain = $1
      and e.domain = w.domain and e.nonce = w.nonce and e.type in ('credited', 'forwarded', 'bounced') and ${FINAL('e')})
  union all
  select 'w', null, w.id::text from unnest($4::numeric[]) w(id)
    join lateral (select x.domain from ledger.withdrawals x where x.chain = $1 and x.id = w.id limit 1) b on true
    where exists (select from ledger.withdrawal_events e join meta.position p on p.chain = e.chain where e.id = w.id and ${FINAL('e')}
        and (e.chain = $1 and (e.type = 'refunded' and not ${WAITS_AT_HOP('w.id')} or e.type = 'settled' and e.released)
          or e.type = 'paid' and e.chain in (select m.chain from meta.chain_domains m where m.domain = b.domain)))
      or exists (select from ledger.withdrawal_outcomes o join meta.position p on p.chain = o.chain where o.id = w.id
        and o.type = 'released' and ${FINAL('o')} and o.chain in (select m.chain from meta.chain_domains m where m.domain = b.domain))`
