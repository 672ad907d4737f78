// Facts of legs, routes and chains. Lookups by key use indexes, so that their time does not depend on the number of
// legs. A status is computed only for legs that an answer needs.
import { CONTRADICTION_SECONDS } from '../../kit/lag.ts'

/**
 * Positions of the chains. `libTime`: time of the last irreversible block with a row. `rewinds`: after a rewind below the
 * last irreversible block, indexing may pass that block again before the next request.
 */
export const POSITIONS = `
  select p.chain, p.block_num::float8 as block, p.block_id as id, date_part('epoch', p.block_time) * 1000 as time,
    p.lib_num::float8 as lib, p.first_block::float8 as "firstBlock",
    (select date_part('epoch', b.block_time) * 1000 from ledger.blocks b
      where b.chain = p.chain and b.block_num <= p.lib_num order by b.block_num desc limit 1) as "libTime",
    (select count(*)::int4 from meta.rewinds w where w.chain = p.chain and w.forced) as rewinds,
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
