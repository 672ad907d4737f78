// State of vaults and light clients, and the policies that sign roots for them.

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
