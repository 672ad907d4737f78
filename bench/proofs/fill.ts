// Fills the ledger of a chain with blocks of a large finality tree: real ones, and a fraction of the others.

import type pg from 'pg'
import { packQuorumCertificate } from '../../core/finality/quorum-certificate.ts'
import { itemAt } from '../../core/required.ts'
import type { LargeTree } from './large-tree.ts'

export interface Filled {
  rows: number
  gigabytes: number
}

const ROWS_AT_ONCE = 500_000

/**
 * Inserts other blocks, each with a certificate.
 *
 * @param genesis  number of the block of leaf 0
 * @param step     a power of two: one leaf in this many has a row, the one that completes most nodes
 * @param signers  number of signers of each certificate
 */
export async function fillOthers(
  client: pg.Client,
  chain: string,
  tree: LargeTree,
  { genesis, step, signers }: { genesis: number; step: number; signers: number },
): Promise<void> {
  const votes = Array.from({ length: signers }, () => true)
  const part = { strong: votes, weak: null, signature: new Uint8Array(192).fill(1) }
  const certificate = packQuorumCertificate({ blockNum: 1, active: part, pending: null })
  const plain = Buffer.concat(tree.plain)
  const groups = Math.floor(tree.count / step)
  for (let from = 0; from < groups; from += ROWS_AT_ONCE) {
    const to = Math.min(from + ROWS_AT_ONCE, groups) - 1
    await client.query(FILL, [chain, genesis, step, from, to, plain, Buffer.from(certificate)])
  }
}

/** Row n is for leaf n * step + step - 1. The digests of a row have no meaning. */
const FILL = `
  with other as materialized (
    select $2::int8 + i as num, i, sha256(int8send(i)) as h, timestamptz '2024-01-01' + i * interval '0.5 s' as at,
      strpos(reverse(i::bit(32)::text), '0') as nodes
    from (select n * $3::int8 + $3::int8 - 1 as i from generate_series($4::int8, $5::int8) n) x),
  b as (insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
    select $1, num, h, h, at, 'producer' from other on conflict do nothing),
  c as (insert into ledger.certificates (chain, block_num, block_time, target, strong, verified, certificate)
    select $1, num, at, num - 1, true, false, $7 from other on conflict do nothing)
  insert into ledger.finality (chain, block_num, block_time, slot, parent_slot, finality_mroot, policy_digest, policy_start,
    active_generation, last_pending_generation, action_mroot, reversible_mroot, claim_num, claim_digest, claim_slot,
    base_digest, finality_digest, nodes)
  select $1, num, at, i + 1, i, h, h, 1, 1, 1, h, h, num - 1, h, i, h, h, substring($6::bytea for nodes * 32) from other on conflict do nothing`

/** Inserts one row in the form that the indexer writes. */
export async function insertRow(client: pg.Client, table: string, row: object): Promise<void> {
  const entries = Object.entries(row)
  const values = entries.map(([name, value]) => (name === 'blockTime' ? new Date(value as number) : value))
  const names = entries.map(([name]) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  const places = entries.map((_, i) => `$${i + 1}`)
  await client.query(`insert into ledger.${table} (${names}) values (${places})`, values)
}

/** Inserts rows of other blocks whose nodes differ from those of all others. */
export async function insertNodes(
  client: pg.Client,
  chain: string,
  all: readonly { num: number; nodes: Uint8Array }[],
): Promise<void> {
  for (let from = 0; from < all.length; from += ROWS_OF_NODES) {
    const some = all.slice(from, from + ROWS_OF_NODES)
    await client.query(NODES, [chain, some.map(({ num }) => num), some.map(({ nodes }) => nodes)])
  }
}

const ROWS_OF_NODES = 5000
const NODES = `
  insert into ledger.finality (chain, block_num, block_time, slot, parent_slot, finality_mroot, policy_digest, policy_start,
    active_generation, last_pending_generation, action_mroot, reversible_mroot, claim_num, claim_digest, claim_slot,
    base_digest, finality_digest, nodes)
  select $1, num, timestamptz '2024-01-01', num, num, h, h, 1, 1, 1, h, h, num - 1, h, num, h, h, nodes
  from (select num, nodes, sha256(int8send(num)) as h from unnest($2::int8[], $3::bytea[]) x(num, nodes)) y`

export async function sizeOf(client: pg.Client, chain: string): Promise<Filled> {
  const { rows } = await client.query<{ rows: string; bytes: string }>(
    `select (select count(*) from ledger.finality where chain = $1) as rows,
       sum(pg_total_relation_size(format('ledger.%I', name || '__' || $1)::regclass)) as bytes
     from unnest(array['finality', 'certificates', 'blocks', 'bridge_logs', 'finalizer_policies']) name`,
    [chain],
  )
  return { rows: Number(itemAt(rows, 0).rows), gigabytes: Number(itemAt(rows, 0).bytes) / 1e9 }
}
