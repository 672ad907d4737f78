// SQL of following finality. $1 is the chain.

export const SESSION = `set timezone = 'UTC'; set role headwater_writer`

export const LAST_IRREVERSIBLE = `select lib_num as lib from meta.position where chain = $1`

export const START = `
  select genesis, block_num as "blockNum", block_id as "blockId", slot, policy_digest as "policyDigest",
    policy_start as "policyStart", policies, peaks
  from meta.finality_starts where chain = $1`

export const KEEP_START = `
  insert into meta.finality_starts as s
    (chain, genesis, block_num, block_id, slot, policy_digest, policy_start, policies, peaks)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (chain) do update set genesis = excluded.genesis, block_num = excluded.block_num,
    block_id = excluded.block_id, slot = excluded.slot, policy_digest = excluded.policy_digest,
    policy_start = excluded.policy_start, policies = excluded.policies, peaks = excluded.peaks,
    imported_at = clock_timestamp()`

export const BLOCK_FOLLOWED = `select from ledger.finality where chain = $1 and block_num = $2`

/** Block of leaf 0, for a tree followed from its first row; null when there are no rows. */
export const FIRST = `select min(block_num) as first from ledger.finality where chain = $1`

/** The last block made final by the strong certificates up to block `num`. */
const covered = (chain: string, num: string) => `
  coalesce((select t.claim_num from ledger.certificates c join ledger.finality t on t.chain = c.chain and t.block_num = c.target
    where c.chain = ${chain} and c.block_num <= ${num} and c.strong order by c.block_num desc limit 1), 0)`

/** Blocks up to $3 that blocks after the irreversible one $2 may claim or make final. All, when $2 is not followed. */
export const FOLLOWED = `
  select f.block_num as "blockNum", encode(b.block_id, 'hex') as "blockId", f.slot, f.parent_slot as "parentSlot",
    f.finality_mroot as "finalityMroot", f.policy_digest as "policyDigest", f.policy_start as "policyStart",
    f.active_generation as "activeGeneration", f.last_pending_generation as "lastPendingGeneration",
    f.action_mroot as "actionMroot", f.reversible_mroot as "reversibleMroot", f.claim_num as "claimNum",
    f.claim_digest as "claimDigest", f.claim_slot as "claimSlot", f.base_digest as "baseDigest",
    f.finality_digest as "finalityDigest", substring(f.nodes for 32) as leaf,
    ${covered('f.chain', 'f.block_num')} as covered
  from ledger.finality f join ledger.blocks b on b.chain = f.chain and b.block_num = f.block_num
  where f.chain = $1 and f.block_num <= $3 and f.block_num >= coalesce((
    select least(l.claim_num, ${covered('$1', '$2')} + 1) from ledger.finality l where l.chain = $1 and l.block_num = $2), 0)
  order by f.block_num`

/** $2 and $3 are parallel: the block that completes a node, and the node's level. */
export const NODES = `
  select n.place::int4 as place, substring(f.nodes from n.level * 32 + 1 for 32) as hash
  from unnest($2::int8[], $3::int4[]) with ordinality n(block_num, level, place)
  join ledger.finality f on f.chain = $1 and f.block_num = n.block_num`

export const POLICIES = `
  select generation, block_num as "blockNum", slot, digest, policy from ledger.finalizer_policies
  where chain = $1 order by generation`

export const LEGACY_START = `
  select block_num as "blockNum", block_id as "blockId", peaks, schedules from meta.legacy_starts where chain = $1`

export const KEEP_LEGACY_START = `
  insert into meta.legacy_starts as s (chain, block_num, block_id, peaks, schedules) values ($1, $2, $3, $4, $5)
  on conflict (chain) do update set block_num = excluded.block_num, block_id = excluded.block_id,
    peaks = excluded.peaks, schedules = excluded.schedules, imported_at = clock_timestamp()`

/** Blocks before Savanna, from $2 to $3. */
export const LEGACY_FOLLOWED = `
  select l.block_num as "blockNum", substring(l.nodes for 32) as id, b.producer, l.version
  from ledger.legacy_blocks l join ledger.blocks b on b.chain = l.chain and b.block_num = l.block_num
  where l.chain = $1 and l.block_num between $2 and $3 order by l.block_num`

/** $2 and $3 are parallel: the block that completes a node, and the node's level. */
export const LEGACY_NODES = `
  select n.place::int4 as place, substring(l.nodes from n.level * 32 + 1 for 32) as hash
  from unnest($2::int8[], $3::int4[]) with ordinality n(block_num, level, place)
  join ledger.legacy_blocks l on l.chain = $1 and l.block_num = n.block_num`

/** All schedules up to block $2, by version. */
export const LEGACY_SCHEDULES = `
  select version, schedule from ledger.producer_schedules where chain = $1 and block_num <= $2
  order by version`

/** Columns that a worker stages for each block of a range, for following. */
export const FOLLOWED_COLUMNS = ['block_num', 'block', 'traces', 'finality'] as const

export function followedName(setId: string): string {
  return `r${setId}_followed`
}

export function createFollowed(setId: string): string {
  return `create unlogged table staging.${followedName(setId)} (block_num int8, block bytea, traces bytea, finality bytea)`
}

export function stagedBlocks(setId: string): string {
  return `select block_num as num, block, traces, finality from staging.${followedName(setId)} order by block_num`
}
