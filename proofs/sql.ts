// Statements of the proof builder; $1 is the chain. All are read-only.

/** The start is used unless the chain is tracked from before it. */
export const START = `
  select s.genesis, s.block_num as "blockNum", s.block_id as "blockId", s.slot, s.policy_digest as "policyDigest",
    s.policy_start as "policyStart", s.policies, s.peaks
  from meta.finality_starts s where s.chain = $1
    and not exists (select from ledger.finality f where f.chain = s.chain and f.block_num = s.block_num)`

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

/** $2 and $3 are parallel: the block that completes a node, and the node's level. */
export const NODES = `
  select n.place::int4 as place, substring(f.nodes from n.level * 32 + 1 for 32) as hash
  from unnest($2::int8[], $3::int4[]) with ordinality n(block_num, level, place)
  join ledger.finality f on f.chain = $1 and f.block_num = n.block_num`

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
