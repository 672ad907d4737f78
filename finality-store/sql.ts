// Statements about the finality of a chain: state of followers, and data of proofs. $1 is the chain.

export const START = `
  select s.genesis, s.block_num as "blockNum", s.block_id as "blockId", s.slot, s.policy_digest as "policyDigest",
    s.policy_start as "policyStart", s.policies, s.peaks
  from meta.finality_starts s where s.chain = $1`

/** The start, unless the chain is followed from before it. */
export const USED_START = `${START}
  and not exists (select from ledger.finality f where f.chain = s.chain and f.block_num = s.block_num)`

export const KEEP_START = `
  insert into meta.finality_starts as s
    (chain, genesis, block_num, block_id, slot, policy_digest, policy_start, policies, peaks)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (chain) do update set genesis = excluded.genesis, block_num = excluded.block_num,
    block_id = excluded.block_id, slot = excluded.slot, policy_digest = excluded.policy_digest,
    policy_start = excluded.policy_start, policies = excluded.policies, peaks = excluded.peaks,
    imported_at = clock_timestamp()`

/** Block of leaf 0, for a tree followed from its first row; null when there are no rows. */
export const FIRST = `select min(block_num) as first from ledger.finality where chain = $1`

const BLOCK_COLUMNS = `
  f.block_num as "blockNum", encode(b.block_id, 'hex') as "blockId", f.slot, f.parent_slot as "parentSlot",
  f.finality_mroot as "finalityMroot", f.policy_digest as "policyDigest", f.policy_start as "policyStart",
  f.active_generation as "activeGeneration", f.last_pending_generation as "lastPendingGeneration",
  f.action_mroot as "actionMroot", f.reversible_mroot as "reversibleMroot", f.claim_num as "claimNum",
  f.claim_digest as "claimDigest", f.claim_slot as "claimSlot", f.base_digest as "baseDigest",
  f.finality_digest as "finalityDigest", substring(f.nodes for 32) as leaf`

const BLOCKS = `ledger.finality f join ledger.blocks b on b.chain = f.chain and b.block_num = f.block_num`

export const BLOCK = `select ${BLOCK_COLUMNS} from ${BLOCKS} where f.chain = $1 and f.block_num = $2`

/** The last block made final by the strong certificates up to block `num`. */
const covered = (chain: string, num: string) => `
  coalesce((select t.claim_num from ledger.certificates c join ledger.finality t on t.chain = c.chain and t.block_num = c.target
    where c.chain = ${chain} and c.block_num <= ${num} and c.strong order by c.block_num desc limit 1), 0)`

/** Blocks up to $3 that blocks after the irreversible one $2 may claim or make final. All, when $2 is not followed. */
export const FOLLOWED = `
  select ${BLOCK_COLUMNS}, ${covered('f.chain', 'f.block_num')} as covered from ${BLOCKS}
  where f.chain = $1 and f.block_num <= $3 and f.block_num >= coalesce((
    select least(l.claim_num, ${covered('$1', '$2')} + 1) from ledger.finality l where l.chain = $1 and l.block_num = $2), 0)
  order by f.block_num`

export const POLICIES = `
  select generation, block_num as "blockNum", slot, digest, policy from ledger.finalizer_policies
  where chain = $1 order by generation`

/** $2: minimum claimed block, $3: minimum active generation, $4: number of blocks to skip. */
export const CERTIFIED = `
  select ${BLOCK_COLUMNS}, c.certificate, c.verified
  from ${BLOCKS}
  join lateral (select certificate, verified from ledger.certificates c
    where c.chain = f.chain and c.target = f.block_num and c.strong order by c.block_num limit 1) c on true
  where f.chain = $1 and f.claim_num >= $2 and f.active_generation >= $3
  order by f.claim_num, f.block_num offset $4 limit 1`

export const BURN = `
  select id, block_num as "blockNum", action_index as index, recv_sequence as "recvSequence", witness, data, leaves
  from ledger.bridge_logs where chain = $1 and name = 'wdlog' and id = $2 order by block_num, action_index limit 1`

/** $2 and $3 are parallel: the block that completes a node, and the node's level. */
const nodes = (table: 'finality' | 'legacy_blocks') => `
  select n.place::int4 as place, substring(f.nodes from n.level * 32 + 1 for 32) as hash
  from unnest($2::int8[], $3::int4[]) with ordinality n(block_num, level, place)
  join ledger.${table} f on f.chain = $1 and f.block_num = n.block_num`

export const NODES = nodes('finality')

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

export const LEGACY_NODES = nodes('legacy_blocks')

/** $2: a block before Savanna. */
export const LEGACY_VERSION = `
  select version::float8 as version from ledger.legacy_blocks where chain = $1 and block_num = $2`

/** Blocks before Savanna with stored headers, from $2 to $3. */
export const LEGACY_KEPT = `
  select block_num::float8 as num, substring(nodes for 32) as id, header as "packedHeader", signatures
  from ledger.legacy_blocks where chain = $1 and block_num between $2 and $3 and header is not null order by block_num`

export const LEGACY_IDS = `
  select substring(nodes for 32) as id from ledger.legacy_blocks
  where chain = $1 and block_num between $2 and $3 order by block_num`

export const SCHEDULES = `
  select block_num::float8 as "blockNum", schedule from ledger.producer_schedules where chain = $1
  order by block_num, version`
